"""The one error of the installer: a single line for the person, and nothing left half done."""


class InstallError(Exception):
    pass
