"""What the build backend calls: it writes the commit into the wheel and the source distribution."""

import os
import sys
import tempfile
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class CommitHook(BuildHookInterface[Any]):
    """The hook that puts the file with the commit, which installer/program/source.py reads, next to the program."""

    PLUGIN_NAME = "custom"

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Run before the build; without git there is no commit to write."""
        del version
        sys.path.insert(0, self.root)  # the backend isn't started there
        from installer.program import source  # noqa: PLC0415  it can be found only now

        commit = source.commit(self.root)
        if not commit:
            return
        self._directory = tempfile.TemporaryDirectory()
        path = os.path.join(self._directory.name, source.COMMIT)
        with open(path, "w", encoding="utf-8") as file:
            file.write(commit + "\n")
        place = f"tidegauge/_program/{source.COMMIT}" if self.target_name == "wheel" else source.COMMIT
        build_data["force_include"][path] = place

    def finalize(self, version: str, build_data: dict[str, Any], artifact_path: str) -> None:
        """Run after the build."""
        del version, build_data, artifact_path
        if hasattr(self, "_directory"):
            self._directory.cleanup()
