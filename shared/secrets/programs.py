"""Where a secret follows that has no name of its own: the arguments of programs, and a few fixed forms."""

GAP = r"(?:[^|;&\n]|\n(?<=\\\n)|\n(?<=\\ \n)){0,300}?"
"""Other arguments of a command, also over a line's end that is escaped, in JSON too."""
_OPEN = r"(?:\\*[\"'])?"
_FORMAT = r" {0,8}(?:-\S{1,9} {1,9}|\\*[\"']?%s(?:\\+n)?\\*[\"']? ){0,2}"
_ECHO = rf"\b(?:echo|printf) {_FORMAT}"

_IDENTIFIED = (
    r"(?:identified|IDENTIFIED)(?i:\s{1,9}(?:with\s{1,9}\S{1,40}\s{1,9})?(?:by|as)\s{1,9}(?:password\s{1,9})?)"
    r"(?=\\*[\"'])"
)

_TAKES_STANDARD_INPUT = {
    "gcloud secrets": " (?:create|versions add)", "docker secret": " create", "podman secret": " create",
    "secrets import": "", "secrets set": "", "pass insert": "", "create secret": "", "env add": "", "--with-token": "",
    "auth:token": "", "secretsmanager": " (?:create|put)", "keyvault": "", "cargo login": "", "wandb login": "",
    "bws secret": " create", "-stdin": r"\b", "sudo ": r" *(?:-\S+ +){0,4}-S", "secret put": "", "cryptsetup": "",
    "passphrase-fd": "", "pass stdin": "", "smbpasswd": "", "pdbedit": "",
}  # fmt: skip
"""Commands that read a secret from their standard input, by a part that is always there, and what follows it."""

BY_FLAG: dict[str, str] = {
    "sshpass mysql mysqldump mysqladmin mysqlimport mysqlsh mariadb mariadb-dump mariadb-admin"
    " 7z 7za 7zr rar unrar": "-p",
    "sshpass mongo mongosh mongodump mongorestore mongoexport mongoimport snowsql rabbitmqadmin cypher-shell cqlsh"
    " beeline evil-winrm twine altool dotnet psexec PsExec psexec.exe PsExec.exe": "-p +",
    "snmpwalk snmpget snmpbulkwalk snmpset": "-A +",
    "snmpwalk snmpget snmpbulkwalk snmpset ": "-X +",
    "snmpget snmpwalk snmpbulkwalk snmpset  ": "-c +(?!public|private)",
    "useradd usermod": "-p +",
    "vault ": r"kv put +(?:-\S{1,40} +){0,3}\S{1,80} +[\w.-]{1,40}=(?=[^\s@=])",
    "codecov frpc vercel fastly anaconda": "-t +(?=[\\w-]{16})",
    "poetry composer": r"config +(?:\S{1,40} +){0,2}http-basic\.\S{1,80} +\S{1,80} +",
    "unzip zip sqlcmd bcp mosquitto_pub mosquitto_sub ipmitool osql isql": "-P *",
    "ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami ldappasswd": "-w *",
    "redis-cli": "-a +",
    "ssh-keygen": "-[NP] *",
    "xfreerdp freerdp wlfreerdp": "/p:",
    "smbclient smbmap rpcclient": rf"-U *{_OPEN}(?:[^\s%\"']|  ){{1,80}}%",
    "lftp ftp": rf"-u *{_OPEN}[^\s,\"']{{1,80}},",
    "curl": rf"(?:-[a-zA-Z]{{0,6}}u|--user|--proxy-user)[ =]*{_OPEN}[^\s:\"'\\]{{0,80}}:(?!\\*[\"']?(?:\s|$))"
    rf"|(?:-[a-zA-Z]{{0,6}}u|--user)[ =]*{_OPEN}(?=[^\s:\"'\\]{{0,80}}[0-9][^\s:\"'\\]{{0,80}}:(?:\\*[\"']|\s|$))"
    rf"|(?:-b|--cookie)[ =]+{_OPEN}[\w.-]{{1,60}}=",
    "http https xh xhs": rf"-A +bearer +-a +|(?:-a|--auth)[ =]+{_OPEN}[^\s:\"'\\/]{{1,80}}:",
    "docker podman nerdctl helm az oc skopeo crane oras buildah cf ibmcloud conan": "-p[ =]+",
    "openssl": rf"-K +(?=[0-9A-Fa-f]{{32}})"
    rf"|-(?:pass|passin|passout|k) +{_OPEN}(?:pass:)?(?!file:|env:|stdin|fd:)",
    "kubectl": rf"--from-literal[ =]{_OPEN}[\w.-]{{1,80}}=",
    "gh": "secret set .{1,100}(?:--body|-b)[ =]",
    "sqlplus expdp impdp": r"[\w$#]{1,40}/(?=[^\s@/]{1,80}@)",
    "vault wandb cargo twilio consul nuget kubeadm": r"(?i:login|unseal|set-agent-token|push|setapikey|create)"
    r"(?: +(?:-\S{1,200}|[\w./-]{1,80})){0,4}? +(?!https?:|-)(?=[A-Za-z_.-]{0,30}[0-9])(?=[\w+/=.-]{16})",
    "aws az expo eas": "--(?:value|secret-string)[= ]+(?=\\S{8})",
    "wpa_passphrase rabbitmqctl mc bw": r"(?:(?<=wpa_passphrase )|(?:add_user|change_password|login) +"
    r"|(?:alias|config host) +(?:set|add) +\S{1,80} +\S{1,200} +)\S{1,80} +(?=[^-\s])",
    "expo eas ": r"-p[ =]+",
    "bundle": r"config +(?:set +)?(?:--\S{1,20} +){0,3}[\w.-]{1,60}\.[a-z]{2,} +(?=[\w:.-]{8})",
    "bw op": r"--session[= ]+(?=\S{20})",
    "restic borg": rf"--password-command[= ]+{_OPEN}echo +",
    "net": r"use (?s:.{1,100})/user:\S{1,80}(?: {2}\S{1,80})? {1,4}(?=[^\s/*])"
    r"|use (?s:.{1,100}) (?=\\*\"?[^\s/\\*\"]{3,80}\\*\"? +/user:)"
    r"|user \S{1,80} (?=\S{4,80} +/add)",
    "pulumi": r"config set +(?:--\S{1,40} +){0,3}--secret +\S{1,80} +(?=[^-\s])",
    "security": r"(?:add-\S{1,40} .{1,200} -w|(?:unlock|create)-keychain -p|import .{1,200} -P) +(?=[^-\s])",
    "oathtool": "-b +",
    "consul etcdctl": r"put +\S{0,60}(?:pass|secret|token)\S{0,20} +(?=\S{6})",
    "rar unrar ": "-hp",
    "skopeo podman buildah": r"--(?:src-|dest-)?creds[= ]\S{1,80}?:",
    "keytool jarsigner": "-(?:store|key|deststore|srcstore|destkey|srckey)pass +(?:pass:)?",
    "rclone": "obscure +",
    "ansible-vault": r"encrypt_string +(?:--\S{1,40} +\S{1,80} +){0,3}(?!-)",
    "htpasswd": r"-[a-zA-Z]{0,5}b[a-zA-Z]{0,5} +(?:-\w{1,9} +){0,3}(?:\S{1,200} +)?\S{1,80} +"
    r"(?=\S+(?:\s*$|\s*[\n;|&]|\\n|\"))",
}
"""The arguments of programs, up to the secret itself, which has no name there."""
NEEDS_LOGIN = frozenset(
    ["docker", "podman", "nerdctl", "helm", "az", "oc", "skopeo", "crane", "oras", "buildah", "cf", "ibmcloud", "conan"]
)
"""Programs to which `-p` is a port or a path except behind `login`."""

_UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"
_DIGITS = r"(?:(?: [\w-]{1,20}){0,5} is |\\*[\"']? {0,2}[:=] {0,2}\\*[\"']?)(?=[0-9]{4,12}(?![\w.]))"
_MIXED = r"(?=\\*[\"']?[^\s\d\"'\\]{0,80}\d)(?=\\*[\"']?[^\sA-Za-z\"'\\]{0,80}[A-Za-z])"
_LOGS_IN = (
    r"(?!(?:e?grep|rg|tee|cat|xargs|awk|sed|less|jq|curl)\b)(?:[\w./-]{1,40} +){1,4}(?:-\S+ +)?"
    r"(?:log-?in|sign-?in|auth|unlock|unseal)\b|(?:passwd|kinit|su)\b"
)
_PIPED = (
    rf"(?:(?=[^|\n]{{1,300}}\|[^|\n]{{0,200}}(?:{'|'.join(map(''.join, _TAKES_STANDARD_INPUT.items()))}))"
    rf"|(?=[^|\n]{{1,300}}\| *(?:sudo +)?(?:{_LOGS_IN}))(?=\\*[\"']?\S{{8}}){_MIXED})"
)
"""A pipe into such a command, or into one that logs in."""
_WRITTEN = (
    rf"(?=\\*[\"']?[^\s\"'\\]{{8,200}}\\*[\"']? *>>? *[\w./~-]{{0,60}}(?:pass|secret|token|cred))(?=\S{{8}}){_MIXED}"
)
"""What goes into a file whose name says that it holds a secret."""
_PRINTS = (
    r"assw|ecret|oken|redential|cookie|PASS|TOKEN|SECRET|_KEY|_PW\b|(?:api|private)-?key|keys list|decrypt|pwgen"
    r"|privkey|\bapg\b|openssl rand|genkey|key:generate|_pass\b|\.key\b|-gen\b|\bpass (?:show )?\w|\bop read"
    r"|\bkeyring get|base64 (?:-d|-D|--decode)"
)
_LONE = (
    r"(?:=> )?(?:\\*[\"'])?"
    r"(?=(?:[\w!@#$%^&*+/=.,:~?-]{8,600}|(?=(?:[^!#$%&*<>?@^|~\s]*[!#$%&*<>?@^|~]){3})[!#-\[\]-~]{12,64})"
    r"[ \t]*(?:\r?\n|$|\\*[\"']))"
    r"(?![./~-]|(?!base64:)[a-z]+[:/]|[0-9a-f]{7,12}\s|[0-9a-f]{40}\s|[\w./-]+\.[a-z]{1,5}\s)"
)
_COMMAND = r"(?:[^\n$%\u276f\u279c#]|[$%\u276f\u279c](?! )|#(?<![\]~\"]#))"
"""One of a command's characters, up to another prompt."""
_SHOWS = (
    r"(?!docker |git |[^\n]{0,80}--output[= ]name)"
    rf"(?={_COMMAND}{{0,300}}?(?:{_PRINTS})){_COMMAND}{{1,500}}+\n[ \t]{{0,8}}"
    rf"{_LONE}(?:{_MIXED}|(?=[A-Za-z]{{16,40}}(?![^\s\"\\])))"
)
_PRINTED = (
    r"[$%\u276f\u279c#>](?:(?<=[$\u276f\u279c])|(?<=[~\s]%)|(?<=>>>)|(?<=\d>)|(?<=#)(?<![^\]~\n\"]#)) "
    rf"{_SHOWS}"
)
"""A command that prints a secret, behind its prompt, and the line that it prints."""
_SHOWING = ("cat", "kubectl", "gcloud", "aws", "vault", "heroku", "openssl", "op", "security", "az")
"""What such a command begins with where no prompt is before it."""

BY_SENTENCE: dict[str, str] = {
    "$ |% |\u276f |\u279c |# |> ": _PRINTED,
    **{f"{word} ": rf"{word} (?<![^\n\"].{{{len(word) + 1}}}){_SHOWS}" for word in _SHOWING},
    "{": r"\{(?<=[:\s].)(?:PLAIN|CLEAR(?:TEXT)?|S?SHA(?:256|512)?|S?MD5|(?:SHA512-)?CRYPT)\}(?=\S{6})",
    "enable secret ": r"enable secret (?<!\wenable secret )(?:\d )?(?=\S{4})",
    "community ": r"snmp-server community (?=\S{4})|\br[ow]community6? (?=\S{4})",
    "jdbc:oracle": r"jdbc:oracle:\w{2,6}:[\w.$-]{1,60}/(?=[^\s@/]{3,80}@)",
    "random_password": r"(?:random_password[^}]{1,400}?\"result\\*\":|\"result\\*\":(?=[^\n]{9,400}random_password))\s?"
    r"(?=\\*\"[^\"\n]{6,200}\\*\")",
    "sonar.": r"(?<![a-z.])sonar\.(?:login|token)=",
    "assword": r"assword\S{0,12}[\s;{}]{1,12}(?:\w{1,30}\.)?(?:exp_)?send(?:line|_user)?(?: --)?(?: {1,3}|\()"
    r"(?=\\*[\"'])",
    "-u |--user": rf"(?<=\s)(?:-u|--user)[ =]{{1,3}}{_OPEN}(?![0-9]+:[0-9]+\b)[^\s:\"'\\/]{{1,80}}:(?!/)",
    "user.info|user_info|user-info|userinfo": r"\buser[._-]?info\\*[\"']? ?[:=] ?\\*[\"']?[^\s:\"'\\]{1,80}:(?=\S{8})",
    "ssid|SSID|wifi|wi-fi|WiFi|Wi-Fi|Wifi|WLAN|wlan": r"(?i:\b(?:ssid|wi-?fi|wlan)\b[^\n]{0,60}?"
    rf"\b(?:key|code|pw|pass)\b(?: is|:|=)? {{0,2}})(?=[^\s,;]{{8}}){_MIXED}",
    "PIN|pin|OTP|otp": rf"(?:PIN(?<![A-Za-z-]PIN)(?<![a-z0-9]_PIN)|pin(?<![A-Za-z-]pin)|OTP|otp(?<![\w-]otp)){_DIGITS}",
    "ollowing password|initial-password|get secret": r"(?:ollowing password[^\n:]{0,60}:|initial-password\b[^\n]{0,80}"
    r"|get secrets? [^\n]{1,300}(?=\n[A-Za-z_-]{0,60}[0-9]))\s{1,8}(?=\S{8,200}(?:\s|$|\\*\"))",
    "chpasswd|base64": rf"{_ECHO}{_OPEN}[\w.-]{{1,40}}:(?=[^|\n]{{1,200}}\| *(?:(?:sudo +)?chpasswd|base64))",
    "PRAGMA | KEY '": r"(?:PRAGMA (?:re)?key ?= ?|\bATTACH [^\n]{1,200} KEY )(?=')",
    "login": r"login(?<!\wlogin)(?:\s|\\+[nrt]){1,9}\S{1,200}?(?:\s|\\+[nrt]){1,9}password(?:[ \t]|\\+t){1,9}",
    **{
        word: rf"{word}(?<!\w{word}){_FORMAT}(?:{_PIPED}|{_WRITTEN})"
        for word in ("echo ", "printf ", "Write-Output ", "Write-Host ")
    },
    "New value": r"(?i:password[^\n]{1,80}reset\.?|reset-password[^\n]{0,80})[\s\\n]{1,8}New value: {1,4}(?=\S{8})",
    "_SESSION": r"\b(?:BW|OP)_SESSION(?:_\w{1,40})?\\*[\"']? ?[:=] ?(?=\\*[\"']?\S{16})",
    "-Session|-session|-Access|-access|-Auth|-auth|-Cred|-cred": r"[Xx]-(?<!\w..)[\w-]{1,40}-"
    r"(?i:session|access|auth\w{0,10}|credentials?)\\*[\"']? ?: ?\\*[\"']?(?=[\w+/=.-]{16})",
    "-credentials |add-user|adduser|create-user|add_user": r"(?:\bset-(?:[a-z]{1,12}-){0,3}credentials"
    rf"|\b(?:add|create)[-_]?user)(?:\.sh)? +[\w.@-]{{1,60}} +(?=\S{{8}}){_MIXED}(?![/~.-])",
    "ecovery code": r"(?i:recovery codes?) ?(?:is|:) {1,2}(?=\w{4,}-?\w{4})(?=[A-Za-z-]{0,40}[0-9])",
    "ESSID=|SESSIONID=|SessionId=|connect.sid=|_session=|sessionid=": r"(?:ESSID|SESSIONID|SessionId|connect\.sid"
    r"|_session|sessionid)=(?=[\w%+/=.-]{16})",
    ":5432:|:3306:|:*:": r"(?:(?<=[\s\"'])|(?<=\\n)|^)[\w.*-]{1,80}:(?:5432|3306|\*):[\w*-]{1,80}:[\w*-]{1,80}:",
    "bindpw|requirepass|masterauth| EAP| XAUTH": r"\b(?:bindpw|requirepass|masterauth)[ \t]{1,9}"
    r"|: (?:EAP|XAUTH) (?=\")",
    "uthorization": r"uthorization\\*[\"']?: ?\\*[\"']?(?:"
    r"(?:Digest|Hawk|OAuth|Signature) (?:[^\nA]|A(?!uthor)){0,900}?\b(?:response|mac|oauth_signature|signature)="
    r"\\*[\"']?(?=[\w+/%])"
    r"|(?:AWS|[Hh][Mm][Aa][Cc][\w-]{0,20}|SharedKey\w{0,4}|APIAuth|GOOG1) [\w.-]{1,60}:)",
    "Key Content": r"Key Content\s{1,20}: ",
    "i key": r"[Ww]i-?[Ff]i key: {0,4}(?=\S{8})",
    "username ": r"username (?<!\wusername )\S{1,60} (?:privilege \d{1,2} )?secret (?:\d )?(?=\S{4})",
    "createUser ": r"(?:createUser \S{1,60} \S{2,10}|\" (?:AES|DES)\S{0,4}) (?=\")",
    "pass:": r"pass:(?<=[\s\"']pass:)(?=[^\s:])",
    "trojan://|vless://|hysteria2://": r"(?:trojan|vless|hysteria2)://(?=[^\s@/]{6,80}@)",
    "dentified|DENTIFIED": _IDENTIFIED,
    "sers": r"sers(?<=[uU]sers)\\*[\"']?\s?[:=]\s?\{\s{0,20}\\*[\"'][\w.@-]{1,60}\\*[\"']\s?:\s?"
    r"(?=\\*[\"'][^\s\"'\\]{0,60}[0-9!#$%][^\s\"'\\]{0,60}\\*[\"'])(?=\\*[\"']\S{8})",
    "ensitive": r"ensitive\\*\"\s?:\s?true,[^{}]{0,200}?\"value\\*\"\s?:\s?(?=\\*\"[^\"]{6})",
    'key=|key:|key =|key"|key\\': r"key(?<!\wkey)\\*[\"']? ?[=:] ?"
    r"(?=\\*[\"'][\w.-]{4,24}:(?=[A-Za-z_-]{0,40}\d)[\w-]{24,64}\\*[\"'])",
    "SecureString": r"ConvertTo-SecureString {1,4}(?:-String +)?(?=\\*[\"'])",
}
"""Other places where a secret follows that is not named: a part that is always there, and all that is before it."""
