"""The errors of the installer: a single line for the person, and nothing left half done."""


class InstallError(Exception):
    code = 1
    """The process's exit code."""


class UsageError(InstallError):
    """The command line is not understood."""

    code = 2
