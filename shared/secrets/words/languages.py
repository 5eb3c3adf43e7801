"""Words for a password in many languages, in lower case and in their inflections, and words that lead to its value."""

from shared.secrets import tables

WRITTEN_APART, WRITTEN_TOGETHER = (
    "|".join(pattern for _, pattern in tables.rows(section)) for section in ("passwords", "passwords without blanks")
)
"""The second is for scripts without blanks between words."""
PASSWORDS = f"{WRITTEN_APART}|{WRITTEN_TOGETHER}"
IS = (
    "is|was|are|were|(?:it|that)['\u2019]?s|to|says|reads|should be|must be|being"
    "|lautete?|heißt|heisst|hieß|ist|es|est|c['\u2019]est|este|é|è|är|er"
    "|je|jest|là|είναι|это|adalah|е"
)
STILL = "now|still|currently|just|simply|only|probably|again|always|jetzt|noch|immer|toujours|encore|ahora|nu|nog"
USE = "use|using|enter|type|try|usa|pon|nimm|tippe|mets|utilise"
WITH = "as|with|mit|avec|con|com|met|med"
AND = "with|and|using|und|et|y|e|en"
PARTICLES = "는은は是为為"
"""Particles that are attached to a word before a value."""
STOPS = "\uff0c\u3001\u3002"
