"""A name that could be a secret's, and the decision whether the value after it is the secret."""

import functools
import re

from shared.secrets import values
from shared.secrets.values import Value, compiled
from shared.secrets.words import languages

_STRONG = rf"pass|pw|psk|mnemonic|seed|(?!clé|schlüssel)(?:{languages.PASSWORDS})"
_WORDS_OF_KEYS = (
    r"(?i)(?:api|access|secret|private|account|encryption|signing|device|master|shared|licen[sc]e|client|consumer|service|admin"
    r"|auth|webhook|deploy|subscription|hmac|jwt|aes|crypto|cipher|fernet|instrumentation|ingest|integration|rapid|app"
    r"|function|functions|connection|write|pre-?shared|\bx-[a-z]+|recovery|unseal(?: key)?|server)[_. -]?$"
)
_OWNER = r"(?i)(?:^|[^a-z])(?:db|user|root|admin|mail|smtp|ftp|sql|ssh|wifi|sudo|ldap|store)$"
"""The password's owner, in one word with it: `dbpass`."""
_OF_SERVER = (
    r"(?i)(?:db|database|root|admin|postgres|mysql|pg|redis|mongo|smtp|mail|ldap|bind|store|proxy|master|manager)$"
)
_ANNOUNCED = frozenset({"sentence", "phrase", "next_line", "adjacent", "answer", "cell", "call", "attribute", "entry"})
"""The kinds of joints in a sentence, a table, a call or an element."""
_OF_EVERYBODY = (
    r"arn:|AWS::[A-Z]|(?i:public|publishable|checksum/|hashed_secret|(?<![a-z])site[_-]?key|(?:gpg|pgp)[_-]?key"
    r"|(?:next|page|continuation|starting)[_-]?(?:lock[_-]?)?token)|SiteKey|ServerKey|signingkey|WebSocket-Key"
)
"""Names of values that are public, according to their vendors."""
_ODD = r"\S*(?:[\d=!#$%&*+@^]|[a-z][A-Z]|[A-Z]{2}.*[a-z])\S*"
_CALL = r"[\w.]+[(\[]"
_PHRASES = ("pass-", "pass_", "passphrase", "psk", "mnemonic", "seed_", "seed-", "seed ")
"""Names of secrets that are made of words."""
NEEDS_START = frozenset({"pass", "cred", "auth", "pwd", "pw", "psk", "seed", "cookie"})


class Name:
    """A name, and how it is joined to the value after it."""

    def __init__(self, prefix: str, opening: str, named: re.Match[str], words: str) -> None:
        self.prefix, self.opening, self.stem, self.close = prefix, opening, named["stem"].lower(), named["close"]
        self._is_hash = bool(named["hash"])
        self.kind = named.lastgroup or ""
        self.joint = named[self.kind]
        self.text = prefix + named["stem"]
        self.is_strong = bool(compiled(_STRONG).match(self.stem))
        self.is_capital = self.text.rpartition(".")[2].isupper()
        self.is_option = prefix.startswith("-") and (self.kind == "adjacent" or self.joint == "=")
        is_named = "_" in self.text or (bool(self.prefix) and self.is_strong)
        self.is_variable = self.is_capital and (self.joint == "=" or (is_named and self.joint.startswith(":")))
        """Whether it is an environment variable, whose value is whatever follows."""
        self.is_listed = prefix.startswith("--") and self.kind == "argument"
        """Whether it is an option in a list of arguments."""
        is_word = not prefix or prefix[-1] in "_-.$:/@#" or named["stem"][0].isupper()
        self.is_apart = is_word or self.is_option or self.is_listed
        self._words = words

    @property
    def is_of_server(self) -> bool:
        """Whether it names the password of a server or its administrator: `postgresPassword`."""
        return bool(compiled(_OF_SERVER).search(self.prefix))

    @property
    def names_secret(self) -> bool:
        """Whether it names a secret at all."""
        is_reference = self.kind == "adjacent" and "$" in self.prefix
        if is_reference or not self._is_joined or compiled(_OF_EVERYBODY).search(self.text):
            return False
        if self.stem in {"sig", "signature"}:
            return (self.joint == "=" or self.is_variable) and not self.close
        if self.stem in {"_pat", "salt"}:
            return self.is_capital or self.kind == "assignment"
        if self._is_plain_key and self.kind not in {"sentence", "phrase", "next_line", "adjacent"}:
            is_joined = self.kind in {"assignment", "element", "call"} and not self.is_capital
            return is_joined or (self.is_capital and bool(self.prefix))
        return self.is_apart or self.stem not in NEEDS_START or bool(compiled(_OWNER).search(self.prefix))

    @property
    def _is_joined(self) -> bool:
        """Whether the text between name and value really joins them in the way of its kind."""
        has_line = "\n" in self.joint or "\\n" in self.joint
        if self.kind == "attribute":
            return self.opening.startswith("<")
        if self.kind == "element" and self.joint == ">":
            is_own = self.is_strong or self.prefix.endswith("_")
            return self.opening.startswith("<") or (bool(self.close) and is_own)
        if self.kind == "argument":
            return bool(self.close) and (self.opening.startswith("(") or self.is_capital or self.is_listed)
        if self.kind == "value":
            return bool(self.close) or (has_line and ":" in self.joint)
        if self.kind == "entry":
            return bool(self.close) or self.joint.startswith("/")
        is_path = has_line and "/" in self.prefix
        is_short = is_path or (self.stem in NEEDS_START and (has_line or self.kind == "call"))
        return not is_short or self.kind == "answer" or (self.kind == "next_line" and self.stem in {"pw", "pwd"})

    @functools.cached_property
    def _is_of_key(self) -> bool:
        return bool(compiled(_WORDS_OF_KEYS).search(self._words))

    @property
    def _is_plain_key(self) -> bool:
        """Whether it is just a `key`, without a word that makes it a secret one."""
        return self.stem == "key" and not self._is_of_key

    def is_secret(self, value: Value) -> bool:
        """Whether `value`, which follows the name, is the secret."""
        text = value.text
        if value.is_quoted and values.is_noise(text):
            return True
        if self._is_hash or (self.stem.startswith("secret") and self.stem.endswith("id")):
            return len(text) >= 20 and values.is_mixed(text) and not values.is_code(text)
        is_loose = self.kind in {"adjacent", "sentence", "phrase"}
        is_of_other = is_loose and compiled(r"[A-Za-z_]\w{1,30}=[^=]").match(text)
        is_code = self.stem == "pass" and not self.prefix and ("/" in text or "(" in text)
        is_itself = len(text) > 2 and self.text.endswith(text.rstrip(")]}"))  # `exports.AUTH = AUTH`, `f(PSK=PSK)`
        is_itself |= self.kind == "adjacent" and text.endswith(f"_{self.text}")  # `#define set_key my_set_key`
        if is_of_other or is_code or is_itself or values.is_placeholder(text):
            return False
        if self._is_plain_key and not self.is_capital and self.kind in {"assignment", "call"}:
            return False
        if self.stem == "salt":
            return value.is_quoted and len(text) >= 40 and values.is_scrambled(text.replace("_", "a"), 40)
        return self._is_named(value)

    def _is_named(self, value: Value) -> bool:
        text = value.text
        if self.kind == "fallback" or self.is_listed:
            is_mixed = values.is_mixed(text) and len(text) >= 8 and " " not in text
            return is_mixed or (self.kind == "fallback" and self.is_strong and values.is_distinctive(text))
        if (self.stem == "_pat" and not self.is_capital) or (self.kind == "argument" and "(" not in self.opening):
            is_one = values.is_random(text.strip("\"'")) or (self.is_strong and values.is_distinctive(text))
            return value.is_quoted and is_one
        if self.stem in {"auth", "authorization", "sig", "signature"}:
            is_hash = self.stem == "auth" and len(text) == 40 and values.is_identifier(text)
            is_checksum = is_hash and not self.is_variable and not self.prefix.lower().endswith("x-")
            is_long = len(text) >= (6 if self.stem == "authorization" else 8)
            is_call = not value.is_quoted and compiled(_CALL).match(text)
            return values.is_mixed(text) and is_long and not (is_checksum or is_call)
        if self._is_written(value) or (self.is_option and not self._is_plain_key):
            is_name = self.text in {"--secret", "--seed"} and compiled(r"[a-z]+(?:-[a-z]+)+|[0-9]+").fullmatch(text)
            return not (text.startswith("-") or is_name) and (value.is_quoted or not text.endswith("."))
        if self.kind in _ANNOUNCED:
            return self._is_announced_secret(value)
        is_quoted = value.is_quoted or self.kind in {"element", "value", "nested"}
        return self._is_quoted_secret(text) if is_quoted else self._is_bare_secret(text)

    def _is_written(self, value: Value) -> bool:
        """Whether the value is quoted after a name for a password."""
        if self.kind != "adjacent" or self.close or not (value.is_quoted and self.is_strong):
            return False
        is_whole = self.stem not in {"pass", "pw", "pwd", "seed"} and compiled(r"[^\s.(]{6,}").fullmatch(value.text)
        return bool(is_whole or (self.is_capital and self.prefix))

    def _is_chosen(self, text: str) -> bool:
        """Whether it looks like a password; after `pass`, a common word in tests, like nothing else."""
        is_word = self.stem == "pass" and not self.prefix and (self.text.isupper() or not values.is_mixed(text))
        return values.is_password(text) if is_word else values.is_distinctive(text)

    def _is_announced_secret(self, value: Value) -> bool:
        """Whether a sentence, a table or a call says that it is a secret."""
        text = value.text
        if self.kind in {"call", "attribute"}:
            is_odd = self.kind == "attribute" and self.is_strong and compiled(_ODD).fullmatch(text)
            return bool(is_odd) or (values.is_mixed(text) and len(text) >= 6 and " " not in text)
        is_phrase = value.is_quoted and self.stem != "pass" and values.is_phrase(text)
        is_from = self.joint.rstrip().endswith(("to", "from")) and not self.is_capital
        is_chosen = values.is_password(text) if is_from else self._is_chosen(text)
        if self.is_strong and (is_chosen or is_phrase):
            return True
        is_loose = self.kind in {"phrase", "next_line", "answer"} or self.joint.rstrip().endswith(("to", "from"))
        is_doubtful = self.kind == "answer" or (self.kind == "next_line" and self.stem in {"pw", "pwd"})
        is_short = is_doubtful and not compiled(r"[!#?*$%^&+@<]|[0-9]:[0-9]").search(self.joint + text)
        is_variable = self.is_capital and bool(self.prefix)
        if is_short or (is_loose and (values.is_code(text) or (values.is_identifier(text) and not is_variable))):
            return False
        if self.is_strong:
            return self._is_announced_password(value)
        return values.is_random(text) and not (self._is_plain_key and values.is_identifier(text))

    def _is_announced_password(self, value: Value) -> bool:
        text, is_short = value.text, self.stem in {"pass", "pw", "pwd"}
        if is_short and values.is_code(text) and not (self.is_capital and self.prefix):
            return False
        if not is_short and value.is_quoted and self.kind in {"sentence", "phrase"}:
            return len(text) >= 5 and " " not in text
        is_loose = self.kind in {"adjacent", "phrase", "next_line"} and not value.is_quoted
        if text.isdigit() and self.kind == "adjacent":
            return len(text) >= 12
        is_word = compiled(r"[/\\:]" if is_short else r"[/\\(\[=]").search(text) if is_short or is_loose else None
        return values.is_mixed(text) and len(text) >= (8 if is_short else 6) and not is_word

    def _is_quoted_secret(self, text: str) -> bool:
        if " " in text:
            is_wallet = self.stem == "seed" and text.count(" ") >= 5
            if is_wallet or self.is_variable or self.stem.startswith(_PHRASES):
                return True
            return (self.is_strong or self._is_of_key or self.stem == "secret") and values.is_phrase(text)
        if self._is_plain_key:
            return values.is_random(text)
        if self.is_strong or self.is_capital:
            return len(text) >= 4
        if self._is_of_key or self.stem.startswith("cred") or self.prefix.lower().endswith(("client", "client_")):
            return len(text) >= 8
        return (values.is_mixed(text) and len(text) >= 6) or (len(text) >= 20 and not values.is_code(text))

    def _is_bare_secret(self, text: str) -> bool:
        if text.isdigit():
            return self.is_strong and len(text) >= 4 and self.stem != "seed"
        if self._is_plain_key and "_" not in self.text:
            return values.is_random(text)
        if self.is_variable:
            is_field = self._is_plain_key and self.joint.startswith(":") and compiled(r"[a-z]+}?").fullmatch(text)
            return len(text) >= 4 and not (is_field or compiled(_CALL).match(text))
        is_plain = values.is_mixed(text) and text.isalnum() and len(text) >= 5
        is_own = is_plain or (self._is_chosen(text) and not ("." in text and values.is_code(text)))
        if values.is_code(text) or (self.is_strong and is_own):
            return self.is_strong and is_own
        is_strange = (
            values.is_mixed(text)
            or (values.is_cased(text) and self.text.lower() != "pass")
            or (self.is_strong and bool(compiled(r"[^\w.,:;/'-]").search(text)))
        )
        return is_strange and len(text) >= (5 if self.is_strong else 8)
