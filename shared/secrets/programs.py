"""Where a secret follows that has no name of its own: the arguments of programs, and a few fixed forms."""

GAP = r"(?:[^|;&\n\\]|\\{1,4} ?\n|\\){0,300}?"
"""Other arguments of a command, also over a line's end that is escaped, in JSON too."""
_OPEN = r"(?:\\*[\"'])?"
_ECHO = r"\b(?:echo|printf) {1,9}(?:-\S{1,9} {1,9}|\\*[\"']?%s(?:\\+n)?\\*[\"']? ){0,2}"

_IDENTIFIED = r"(?i:\bidentified\s{1,9}(?:with\s{1,9}\S{1,40}\s{1,9})?(?:by|as)\s{1,9}(?:password\s{1,9})?)(?=\\*[\"'])"

BY_FLAG: dict[str, str] = {
    "sshpass mysql mysqldump mysqladmin mysqlimport mysqlsh mariadb mariadb-dump mariadb-admin"
    " 7z 7za 7zr rar unrar": "-p",
    "sshpass mongo mongosh mongodump mongorestore mongoexport mongoimport snowsql rabbitmqadmin cypher-shell cqlsh"
    " evil-winrm twine altool dotnet": "-p +",
    "snmpwalk snmpget snmpbulkwalk snmpset": "-A +",
    "oathtool": "-b +",
    "codecov frpc": "-t +(?=[A-Za-z0-9-]{16})",
    "rar unrar ": "-hp",
    "skopeo podman buildah": r"--(?:src-|dest-)?creds[= ]\S{1,80}?:",
    "aws az": "--(?:value|secret-string)[= ](?=\\S{8})",
    "poetry composer": r"config +(?:\S{1,40} +){0,2}http-basic\.\S{1,80} +\S{1,80} +",
    "kubeadm": r"token create +(?=[a-z0-9]{6}\.)",
    "unzip zip sqlcmd bcp mosquitto_pub mosquitto_sub ipmitool osql isql": "-P *",
    "ldapsearch ldapmodify ldapadd ldapdelete ldapwhoami ldappasswd": "-w *",
    "redis-cli": "-a +",
    "ssh-keygen": "-[NP] *",
    "wget": "--(?:http-|ftp-|proxy-)?password[= ]",
    "xfreerdp freerdp wlfreerdp": "/p:",
    "smbclient smbmap rpcclient": rf"-U *{_OPEN}[^\s%\"']{{1,80}}%",
    "lftp ftp": rf"-u *{_OPEN}[^\s,\"']{{1,80}},",
    "curl": rf"(?:-[a-zA-Z]{{0,6}}u|--user|--proxy-user)[ =]*{_OPEN}[^\s:\"'\\]{{0,80}}:"
    rf"|(?:-b|--cookie)[ =]+{_OPEN}[\w.-]{{1,60}}=",
    "http https xh xhs": rf"(?:-a|--auth)[ =]+{_OPEN}[^\s:\"'\\/]{{1,80}}:",
    "docker podman nerdctl helm az oc skopeo crane oras buildah cf ibmcloud": "-p[ =]+",
    "keytool jarsigner": "-(?:store|key|deststore|srcstore|destkey|srckey)pass +(?:pass:)?",
    "openssl": rf"-(?:pass|passin|passout|k) +{_OPEN}(?:pass:)?(?!file:|env:|stdin|fd:)",
    "kubectl": rf"--from-literal[ =]{_OPEN}[\w.-]{{1,80}}=",
    "gh": "secret set .{1,100}(?:--body|-b)[ =]",
    "sqlplus expdp impdp": r"[\w$#]{1,40}/(?=[^\s@/]{1,80}@)",
    "rclone": "obscure +",
    "vault": r"login +(?!-)(?=[\w.-]{16})",
    "net": r"use .{1,100} (?=[^\s/\\*]{3,80} +/user:)",
    "rabbitmqctl": r"(?:add_user|change_password) +\S{1,80} +",
    "mc": r"(?:alias|config host) +(?:set|add) +\S{1,80} +\S{1,200} +\S{1,80} +",
    "htpasswd": r"-[a-zA-Z]{0,5}b[a-zA-Z]{0,5} +(?:\S{1,200} +)?\S{1,80} +(?=\S+(?:\s*$|\s*[\n;|&]|\\n|\"))",
}
"""The arguments of programs, up to the secret itself, which has no name there."""
NEEDS_LOGIN = frozenset(
    ["docker", "podman", "nerdctl", "helm", "az", "oc", "skopeo", "crane", "oras", "buildah", "cf", "ibmcloud"]
)
"""Programs to which `-p` is a port or a path except behind `login`."""

BY_SENTENCE: dict[str, str] = {
    "-u ": rf"(?<=\s)(?:-u|--user)[ =]{{1,3}}{_OPEN}(?![0-9]+:[0-9]+\b)[^\s:\"'\\/]{{1,80}}:(?!/)",
    "pass:": r"(?<=[\s\"'])pass:(?=[^\s:])",
    "dentified": _IDENTIFIED,
    "DENTIFIED": _IDENTIFIED,
    "login": r"\blogin(?:\s|\\+[nrt]){1,9}\S{1,200}?(?:\s|\\+[nrt]){1,9}password(?:[ \t]|\\+t){1,9}",
    "chpasswd": rf"{_ECHO}{_OPEN}[\w.-]{{1,40}}:(?=[^|\n]{{1,200}}\| *(?:sudo +)?chpasswd)",
    "sudo -S": rf"{_ECHO}(?=[^|\n]{{1,200}}\| *sudo +(?:-\S+ +){{0,4}}-S)",
    "stdin": rf"{_ECHO}(?=[^|\n]{{1,300}}\|[^|\n]{{1,200}}-stdin\b)",
    "secret put": rf"{_ECHO}(?=[^|\n]{{1,300}}\|[^|\n]{{1,200}}secret put)",
    "cryptsetup": rf"{_ECHO}(?=[^|\n]{{1,200}}\|[^|\n]{{0,40}}cryptsetup)",
    "<<<": r"<<< *(?=\\*[\"']?(?=\S{0,60}[0-9])\S{16})",
    "?": r"[?&](?:key|code|hash|k)=(?=[A-Za-z_-]{0,60}[0-9])(?=[\w%/.-]{16})",
    "&": r"[?&](?:key|code|hash|k)=(?=[A-Za-z_-]{0,60}[0-9])(?=[\w%/.-]{16})",
    "code_verifier": r"\bcode_verifier=",
    "jwt": r"\bjwt\.(?:sign|verify|encode|decode)\([^,\n]{1,80},\s{0,9}(?=\\*[\"'])",
    "SecureString": r"ConvertTo-SecureString {1,4}(?:-String +)?(?=\\*[\"'])",
    "Fernet": r"\bFernet\(\s{0,9}(?=b?[\"'])",
    ".login(": r"\.login\(\s{0,9}[\"'][^\"'\n]{1,80}[\"'],\s{0,9}(?=[\"'])",
    '"d': r"\\*\"d\\*\"\s?:\s?(?=\\*\"[A-Za-z0-9_-]{40,}\\*\")",
    "PHPSESSID": "PHPSESSID=",
    "JSESSIONID": "JSESSIONID=",
    "connect.sid": "connect\\.sid=",
    "sessionid": r"\bsessionid=(?=\S{16})",
    "requirepass": r"\brequirepass[ \t]{1,9}",
    "masterauth": r"\bmasterauth[ \t]{1,9}",
    ":5432:": r"(?:(?<=[\s\"'])|(?<=\\n)|^)[\w.*-]{1,80}:5432:[\w*-]{1,80}:[\w*-]{1,80}:",
    ":3306:": r"(?:(?<=[\s\"'])|(?<=\\n)|^)[\w.*-]{1,80}:3306:[\w*-]{1,80}:[\w*-]{1,80}:",
}
"""Other places where a secret follows that is not named: a part that is always there, and all that is before it."""
