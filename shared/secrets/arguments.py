"""Secrets among the arguments of a call: a password where it logs in or encrypts, a key where it makes a client."""

from collections.abc import Iterator

from shared.secrets import values
from shared.secrets.values import Span, compiled

_STRING = (
    r"[(,\[{>h](?<!\wh)\s{0,12}[bu@$]?\\{0,3}[\"'](?=[^\s\"'\\]{0,60}[0-9!#$%&*]|[A-Za-z]{16})"
    r"(?P<secret>[^\s\"'\\(){}<>,;]{6,100}+)\\{0,3}[\"'](?! ?:)"
)
_LOGIN = r"auth|log_?[io]n|sign_?in|bind|cred|connect|mysql|pdo|directoryentry|basic|smtp|ftp"
_ENCRYPTING = (
    r"passw|passphrase|pwd|_pw_|secret|hmac|crypt|key_?spec|signer|serializer|ssh|\bdial|redis|minio|influx|sequelize"
    r"|certificate2|key_?store|\bk(?:s\.load|mf\.init)|jwt|cookie_?(?:parser|store)|mechanism"
    r"|(?:create|add)\w{0,8}_?user|userinfo|(?:access|auth|set|api)_?token|jenkins|imap|wpdb|community|usmuser"
    r"|send_?line|unprotect|identity|amqp|newstatic|resource\.new|create_?async|execute_kw|argon2|scrypt|pbe"
    r"|private_?key|driver|mail|github|pkey|url\.create|account"
)
_ARGUMENTS = (
    r"(?:[^()\n;\"']|\"[^\"\n]{0,90}\"|'[^'\n]{0,90}'|\([^()\n]{0,60}\)|\n(?!\n)){0,60}?(?:[\w.:&\[\] ]{1,40}\(){0,2}"
)
_CALL = rf"[\w.:]{{0,40}}(?:->\w{{1,20}})?(?: ?= ?)?(?:\(|\\*[\"']? ?[=:]=?>? ?[\[({{]|\s(?=\\*[\"'])){_ARGUMENTS}\Z"
_LOGS_IN = rf"(?i)(?:{_LOGIN}){_CALL}"
"""What stands before a password: the name of a call, an array or a table, and its other arguments."""
_ENCRYPTS = rf"(?i)(?:{_ENCRYPTING}){_CALL}|\b(?:[A-Z_]+\.)?[A-Z_]*(?:PASS|CRED|PWD|SECRET)[A-Z_]*,\s?\Z"
_MAKES = (
    r"\b(?!(?i:\w{0,40}?(?:ids?|uuid|hash|commit|digest|address|public|sha\d*|md5|rev|revision|version|blob|sum|e?tag|int"
    r"|integer|bytes|hex|bits|ref|equals?|path|file|name|error)\())"
    r"(?:[A-Z]\w{2,40}|\w{2,40}(?:\.|::|->)(?i:init\w*|configure|setup|connect|create|new|start|\w*client|load|getinstance)"
    r"|require\(\\*['\"]\w{1,40}\\*['\"]\)|[a-z]{4,20}(?:search|client|api))"
    r"(?:\(| (?=\\*[\"']))(?:\\*[\"'][\w@.:/-]{0,80}\\*[\"'],\s{0,9}|[\w.]{1,40},\s{0,9}){0,3}\Z"
)
"""What stands before a key: the call that makes a service's client."""


def spans(text: str) -> Iterator[Span]:
    """The arguments that are secrets. `text` has real line ends, and a secret has its place."""
    for string in compiled(_STRING).finditer(text):
        secret, start = string["secret"], string.start() + 1
        names = _names(secret, is_second="," in text[start - 12 : start])
        if names and not values.stands_for_one(secret):
            first = max(0, start - 160)
            if any(compiled(before).search(text, first, start) for before in names):
                yield Span(*string.span("secret"))


def _names(secret: str, *, is_second: bool) -> list[str]:
    """What must stand before it, if it is one."""
    result = []
    if values.may_be_password(secret) or values.is_telling(secret) or values.is_mingled(secret, 10):
        result.append(_ENCRYPTS)
        result.append(_LOGS_IN)
    elif is_second and len(secret) >= 8 and values.is_mixed(secret):
        result.append(_LOGS_IN)
    if values.is_key(secret):
        result.append(_MAKES)
    return result
