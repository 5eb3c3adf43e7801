"""The one error of the installer: a single line for the person, and nothing left half done."""


class Refusal(Exception):  # noqa: N818  it says no; it is not always an error
    pass
