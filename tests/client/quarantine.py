"""Client tests that may fail for now: their failures are printed, with the reason, and don't fail the run.

The name is pytest's without parameters, `tests/client/test_plugin.py::test_name`. An entry is a debt: it names what
makes the test fail, and goes with it.
"""

QUARANTINE: dict[str, str] = {}
