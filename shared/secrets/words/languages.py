"""What a password is called in many languages, in small letters and with its cases, and what leads to its value."""

_WITH_SPACES = {
    "Arabic": "كلمة (?:ال)?سر|كلمة السر|كلمة (?:ال)?مرور|كلمة المرور",
    "Croatian, Serbian": "lozink[aeuio]m?|лозинк[аеуо]м?",
    "Czech, Slovak": "hesl[oaeu]m?",
    "Danish": r"adgangskode\w{0,3}|kodeord\w{0,2}",
    "Dutch": r"wachtwoord\w{0,2}",
    "Finnish": r"salasana\w{0,4}",
    "French": "mot de passe|mdp|clés?",
    "German": r"kennwort\w{0,2}|kennwörter|schlüssel",
    "Greek": r"κωδικ[όο]\w{1,2}",
    "Hebrew": r"סיסמ[אה]\w{0,2}|סיסמת",
    "Hindi": "पासवर्ड",
    "Hungarian": r"jelsz[óa]\w{0,5}",
    "Indonesian": "kata sandi",
    "Italian, Romanian, Turkish": r"parol[aă]\w{0,5}",
    "Lithuanian": r"slaptažod\w{1,4}",
    "Norwegian": r"passord\w{0,2}",
    "Persian": "رمز عبور",
    "Polish": "hasł[oae]m?|haśle",
    "Portuguese": "senhas?|palavra-passe",
    "Russian, Ukrainian, Bulgarian": r"парол[ьяюеіиа]\w{0,2}",
    "Slovenian": "gesl[oau]m?",
    "Spanish": "contrase[ñn]as?|claves?",
    "Swedish": r"lösenord\w{0,3}",
    "Turkish": r"şifre\w{0,5}|sifre\w{0,5}",
    "Vietnamese": "mật khẩu",
}
_WITHOUT_SPACES = {
    "Chinese": "密码|密碼|口令",
    "Japanese": "パスワード|暗証番号",
    "Korean": "비밀번호|패스워드",
    "Thai": "รหัสผ่าน",
}
WRITTEN_APART = "|".join(_WITH_SPACES.values())
WRITTEN_TOGETHER = "|".join(_WITHOUT_SPACES.values())
"""In scripts that put no blank between words."""
PASSWORDS = f"{WRITTEN_APART}|{WRITTEN_TOGETHER}"
IS = (
    "is|was|are|were|(?:it|that)['\u2019]?s|to|says|reads|should be|must be|being"
    "|lautet|ist|es|est|c['\u2019]est|este|é|è|är|er"
    "|je|jest|là|είναι|это|adalah|е"
)
STILL = "now|still|currently|just|simply|only|probably|again|always|jetzt|noch|immer|toujours|encore|ahora|nu|nog"
USE = "use|using|enter|type|try|usa|pon|nimm|tippe|mets|utilise"
WITH = "as|with|mit|avec|con|com|met|med"
AND = "with|and|using|und|et|y|e|en"
PARTICLES = "는은は是为為"
"""What is written together with a word before a value."""
STOPS = "\uff0c\u3001\u3002"
