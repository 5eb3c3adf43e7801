"""The shapes by which a secret is known without its name: what a provider's keys begin with, and what follows.

The lengths are the shortest that a provider is known to hand out, rounded down: a key that was cut still counts.
"""

_ANY, _LETTERS, _HEX = "[A-Za-z0-9_-]", "[A-Za-z0-9]", "[0-9a-fA-F]"
_BASE64 = "[A-Za-z0-9+/=_-]"
_UUID = f"{_HEX}{{8}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{4}}-{_HEX}{{12}}"
_RANDOM = r"(?:[A-Za-z0-9]{1,20}[-_]){0,4}(?=[A-Za-z]{0,40}\d)[A-Za-z0-9]{16,}[A-Za-z0-9_-]*"
"""Parts as a word has them, then one that no word is: with a digit, and long."""

BY_PREFIX: dict[str, str] = {
    "sk-ant- dckr_pat_ dckr_oat_ GOCSPX- hvs. hvb. hvr. NRAK- NRJS- NRII- NRAA- NRRA- NRIQ- NRIK- duffel_live_"
    " duffel_test_ sm_aat_ sm_pat_ sm_sat_ ory_at_ ory_st_ ory_pat_ cfut_ cfat_ cfk_ tskey-": f"{_ANY}{{16,}}",
    "sk-proj- sk-svcacct- sk-admin- sk-or-v1- sk-lf- lsv2_pt_ lsv2_sk_ wandb_v1_ pypi-A HRKU- EDITOR_KEY_ sq0atp-"
    " sq0csp- figd_ figo_ figu_ figoh_ github_pat_": f"{_ANY}{{20,}}",
    "sk- csk- tvly- fc- pplx- xai- nvapi- bedrock-api-key-": _RANDOM,
    "gsk_ r8_ jina_ tgp_v1_ fw_ pcsk_ voyage_ csk_ squ_ sqp_ sqa_ bkua_ bkct_ sbp_ pul- CCIPAT_ CCIPRJ_ sgp_"
    " sgph_ rdme_ vcp_ vci_ vca_ vck_ nfp_ nfc_ nfo_ napi_ rnd_ tfp_ pnu_ p8e- tk-us- fio-u- shptka_ apify_api_"
    " aio_": f"(?={_ANY}{{0,200}}[0-9]){_ANY}{{20,}}",
    "tr_prod_ tr_dev_ polar_oat_ polar_pat_ snyk_uat. sktsec_ nbp_ hcaik_ hcxik_ hcalk_ hcamk_ oa_prod_ oa_sand_"
    " pdl_live_ pdl_sdbx_ secret-live- secret-test- signkey-prod- signkey-test- rpa_ da2- dG9rO"
    " dnkey- s-s4t2ud- s-s4t2af- PMAT- ico- os_v2_app_ os_v2_org_ lin_api_ lin_oauth_ AKCp"
    " cmVmdGtuO e2b_ xaat- xapt- secret_user_":
    f"(?={_ANY}{{0,60}}[0-9])(?={_ANY}{{0,60}}[a-zA-Z]){_ANY}{{22,}}(?!{_ANY}|\\.)",
    "hf_ api_org_ npm_ phx_ ATBB xprv EZAK EZTK": f"{_LETTERS}{{24,}}",
    "ghp_ gho_ ghu_ ghs_ ghr_": "[A-Za-z0-9_]{16,}",
    "glpat- gldt- glrt- glptt- glcbt- glimt- glft- glsoat- glffct- glagent- gloas- GR1348941 ATATT3 ATCTT3 ATSTT3"
    " vercel_blob_rw_ sb_secret_ pscale_tkn_ pscale_pw_ pscale_oauth_ ya29. dp.pt. dp.st. dp.ct. dp.sa. dp.scim."
    " dp.audit.": "[A-Za-z0-9_=.-]{16,}",
    "rubygems_ CLOJARS_ sk_ ATTA dop_v1_ doo_v1_ dor_v1_ shpat_ shpss_ shpca_ shppa_": f"{_HEX}{{32,}}",
    "token-": "[a-z0-9]{5}:[a-z0-9]{40,}",
    "oy2": "[a-z0-9]{43}(?![a-z0-9])",
    "oauth:": "[a-z0-9]{30}(?![a-z0-9])",
    "AKIA ASIA ABIA ACCA": "[A-Z0-9]{12,}",
    "IQoJb3JpZ2lu FwoGZXIvYXdz ABSK ops_eyJ": f"{_BASE64}{{50,}}",
    "AIza 4/0A 1//0 CFPAT-": f"{_ANY}{{30,}}",
    "K000 K001 K002 K003 K004 K005": "[A-Za-z0-9+/]{27}(?![A-Za-z0-9+/])",
    "fm1_ fm2_ fm1r_ fm1a_ fo1_": f"{_BASE64}{{20,}}(?:,fm[12][a-z]?_{_BASE64}{{20,}}){{0,4}}",
    "sha256~ AAEAAA": f"{_ANY}{{40,}}",
    "dapi dkea": f"{_HEX}{{32}}(?:-[0-9])?",
    "LS0tLS1CRUdJTi": "(?!BDRVJUSUZJQ0FURS)[A-Za-z0-9+/]{60,}={0,2}",
    "AGE-SECRET-KEY-1": "[0-9A-Z]{30,}",
    "sntrys_ sntryu_ glsa_ glc_": f"{_BASE64}{{20,}}",
    "PMAK-": f"{_HEX}{{24}}-{_HEX}{{30,}}",
    "xoxb- xoxp- xoxa- xoxr- xoxs- xoxe- xoxd- xoxc- xoxe.xoxp- xoxe.xoxb- xapp-": "[A-Za-z0-9%+/=-]{10,}",
    "SG.": f"{_ANY}{{16,40}}\\.{_ANY}{{16,}}",
    "xkeysib- xsmtpsib-": f"{_HEX}{{30,}}(?:-{_LETTERS}{{8,}})?",
    "re_": "(?=[A-Za-z]{0,40}[0-9_])[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}",
    "key-": "[0-9a-z]{32}(?![0-9A-Za-z])",
    "SK": "[0-9a-f]{32}(?![0-9A-Za-z]|\\.[a-z])",
    "sk_live_ sk_test_ rk_live_ rk_test_ whsec_": "[0-9A-Za-z+/=_]{16,}",
    "access_token$production$ access_token$sandbox$": "[0-9a-z]{16}\\$[0-9a-f]{32}",
    "FLWSECK_TEST- FLWSECK- shippo_live_ shippo_test_": f"{_ANY}{{12,}}",
    "access-sandbox- access-production- access-development- pat-na1- pat-eu1- sdk- mob-": _UUID,
    "ntn_ secret_": f"(?=[A-Za-z]{{0,40}}[0-9]){_LETTERS}{{32,}}",
    "sl.": f"(?:u\\.)?{_ANY}{{60,}}",
    "SU SA SO SC SN SX": "[A-Z2-7]{56}(?![A-Za-z0-9])",
    "sk.eyJ": "[A-Za-z0-9_-]{20,}\\.[A-Za-z0-9_-]{16,}",
    "pk_": "(?:[0-9]{5,}_[A-Z0-9]{32}|[0-9a-f]{34})(?![A-Za-z0-9_])",
    "secret-": f"(?=[A-Za-z]{{0,42}}[0-9]){_LETTERS}{{43}}(?!{_ANY})",
    "cs_ ck_": f"{_HEX}{{40}}(?!{_ANY})",
    "K10": f"{_HEX}{{64}}::[\\w-]{{1,20}}:[\\w.-]{{8,}}",
    "api- amzn.mws.": _UUID,
    "cio": f"(?=[A-Za-z]{{0,20}}[0-9]){_LETTERS}{{32}}(?!{_ANY})",
    "npg_": "[A-Za-z0-9]{10,}",
    "LTAI AKID": f"(?={_LETTERS}{{0,12}}[0-9]){_LETTERS}{{12,}}",
    "DO00": "[A-Z0-9]{16}(?![A-Za-z0-9])",
    "dt0c01. dt0s01.": "[A-Z0-9.]{24,}",
    "EAAA EAA": f"(?={_ANY}{{0,60}}[0-9]){_ANY}{{50,}}",
    "API-": "(?=[A-Z]{0,26}[0-9])[A-Z0-9]{25,30}(?![A-Za-z0-9-])",
    "t1.": "[A-Za-z0-9_-]{1,200}={0,2}\\.[A-Za-z0-9_-]{86}",
    "v1.0-": f"{_HEX}{{24}}-{_HEX}{{100,}}",
    "live_ test_": f"(?:(?:pub_)?{_HEX}{{31,35}}|[0-9]{{5,}}_{_LETTERS}{{30}}"
    "|(?=[A-Za-z_]{0,40}[0-9])[A-Za-z0-9=-]{40})(?![A-Za-z0-9_=-])",
    "SWMTKN-1-": "[a-z0-9-]{50,}",
    "eyJ": f"(?<!pk.eyJ)(?:{_ANY}{{8,}}\\.{_ANY}*\\.?{_ANY}{{6,}}(?:\\.{_ANY}*){{0,3}}"
    f"|(?<!base64,eyJ){_ANY}{{60,}}={{0,2}})",
    "$2a$ $2b$ $2y$": r"[0-9]{2}\$[./A-Za-z0-9]{50,}",
    "$$2a$$ $$2b$$ $$2y$$": r"[0-9]{2}\$\$[./A-Za-z0-9]{50,}",
    "$apr1$ $1$ $5$ $6$ $y$": r"[^\s$:\"'\\]{1,60}\$[./A-Za-z0-9$]{20,}",
    "base64:": "[A-Za-z0-9+/]{43}=",
    "-pbkdf2- pbkdf2_sha256$ pbkdf2:sha256: scrypt: SCRAM-SHA-256$ SCRAM-SHA-1$": r"[^\s\"'\\]{40,}",
    "$argon2": r"(?:id|i|d)\$[^\s:\"'\\]{30,}",
    "md5": "[0-9a-f]{32}(?![0-9A-Za-z])",
    "AAAAAAAAAAAAAAAAAAAAA": "[A-Za-z0-9%]{40,}",
}  # fmt: skip
"""What a key begins with (one or more beginnings, in a text where no letter, digit, `_` or `-` is before them), and
what follows, as a pattern. None may try the same characters again from each place where it could begin."""

_CODE = r"(?=[A-Za-z-]{0,30}[0-9])[A-Za-z0-9]{4,10}(?:-[A-Za-z0-9]{4,10}){0,3}(?![\w.:])"
_CODES = (
    rf"(?:recovery|Recovery|backup|Backup|scratch|Scratch|emergency|Emergency|2FA|factor) "
    rf"(?:[a-z]{{1,12}} )?codes?[^\n]{{0,60}}?:?[\s\\]{{1,8}}(?:\d{{1,2}}[.)] |[-*•] )?"
    rf"(?P<secret>{_CODE}(?:[\s,\\]{{1,12}}(?:\d{{1,2}}[.)] |[-*•] )?{_CODE}){{1,30}})"
)
_PHRASE = (
    r"(?:phrase|Phrase|PHRASE|mnemonic|Mnemonic|MNEMONIC|seed|Seed|SEED|wallet|Wallet)[^\n:(=\"'`]{0,60}[\n:(=\"'`][\s\"'`:(\\]{0,20}(?P<secret>"
    r"(?![a-z ]{0,90}\b(?:the|and|for|not|are|with|from|your)\b)"
    r"[a-z]{3,8}(?: [a-z]{3,8}){11}(?: [a-z]{3,8}){0,12})(?!\w| [a-z])"
)
"""The codes and the words that stand in for a login or a wallet, as a list."""

_IN_ADDRESS = (
    r"(?:\.[\w.-]{1,40})?(?:\\?/[a-z_-]{1,20}){0,3}\\?/"
    r"(?P<secret>(?=[\w@/\\-]{14})(?=[A-Za-z@/\\-]{0,40}[0-9])[\w@-]+(?:\\?/[\w-]+){0,6})"
)

_FOURS = "[A-Za-z0-9]{4}(?: [A-Za-z0-9]{4}){3,5}"
"""An app password, in fours: letters that make no words where no colon comes before them."""

BY_PART: dict[str, str] = {
    "ecovery|ackup|cratch|mergency|2FA|actor": _CODES,
    "hrase|HRASE|nemonic|NEMONIC|seed|Seed|SEED|wallet|Wallet": _PHRASE,
    "assword": rf"assword[^\n]{{0,60}}? (?:(?:(?<=[:=] )|(?<=[:=] {{2}})|(?<=[:=] {{3}}))(?={_FOURS}(?! ?\w))"
    r"|(?=(?:\w{4} ){0,3}(?=\d{0,3}[a-zA-Z])(?i:[b-df-hj-np-tv-z0-9]{4})\b))"
    rf"(?P<secret>{_FOURS})(?! ?\w(?<! f)(?<! i)(?<! o))",
    "*": r"\*(?<![\w*]\*)[0-9A-F]{40}(?!\w)",
    ":::": rf":{_HEX}{{32}}:(?P<secret>{_HEX}{{32}}):::",
    "BUNDLE_": r"BUNDLE_\w{3,60}: \\*[\"']?(?P<secret>[0-9a-f]{8}:[0-9a-f]{8})",
    "{ 0x|{0x|[0x|[ 0x": r"(?i:(?<!pub)(?<!public)(?<!public_)(?:key|secret))\w{0,10}(?:\[\w{0,12}\]"
    r")?\s?=\s?[\[{(]\s{0,9}"
    r"(?P<secret>(?:0x[0-9A-Fa-f]{2},\s{0,9}){7,63}0x[0-9A-Fa-f]{2})",
    "icense|ICENSE|-serial": r"(?:[Ll]icense|LICENSE|-serial)\b[^\n]{0,20}?[ :=\"']{1,4}"
    r"(?P<secret>(?!\d{4}-\d\d)(?=[A-Z-]{0,40}\d)(?:[A-Z0-9]{2,8}-){2,7}[A-Z0-9]{4,8})(?![\w-])",
    "assword is generated": r"assword is generated for \S{1,100}: (?P<secret>[^\s\"'\\]{8,100})",
    "accounts": r"accounts\\*[\"']?\s?[:=]\s?\[\s{0,30}\\*[\"'](?P<secret>(?:0x)?[0-9a-f]{64})",
    "@": r"/(?<!//)[\w.$-]{1,40}:\\*['\"]?(?P<secret>(?=\w{0,40}[A-Z!?#*$%])(?=\D{0,60}\d)"
    r"(?=[\w-]{0,60}[a-z])[^\s@'\"/:\\]{6,60})\\*['\"]?@(?!sha)",
    ":": r":(?<=\w:)(?P<secret>(?=[^\d@]{0,60}\d)(?=[^A-Za-z@]{0,60}[A-Za-z])[^\s@:/\"'`\\<>{}()]{6,60})"
    r"@(?!sha)[\w.-]{1,80}:\d{2,5}(?![\w.])",
    "//": rf"://[\w.-]{{4,80}}(?:/[^\s\"'/\\]{{1,80}}){{0,6}}?/(?:v:?\d{{1,2}}|t|tok|token|trusted|magic|activate|[a-z-]{{0,20}}(?:invite|reset|verify|confirm)(?:-[a-z]{{1,12}})?|inputs|integration|alert|forecast|(?:api-?)?key|auth|secret|(?=private-)private)[/-]"
    rf"(?P<secret>(?:[a-z]{{2,4}}-)?(?:{_UUID}|{_HEX}{{24,64}}|(?=[A-Za-z=:_-]{{0,40}}\d)[\w=:-]{{32,64}}))(?![\w.-])",
    " as pass|as the pass|as a pass|as its pass": r"(?i:\b(?:with|use|using|mit)) \\*[\"']?(?P<secret>"
    r"(?=[^\n]{8,60}? as )(?=[^\n]{0,60}?\d[^\n]{0,60}? as )"
    r"[A-Za-z0-9]{1,20}(?: [A-Za-z0-9]{1,20}){2,7}?)\\*[\"']? as "
    r"(?:the |a |its )?pass(?:phrase|word|code)(?![ _-](?:hash|field|polic))",
    "@tcp|@udp|@unix|@(": r"(?<![\w.-])[\w.-]{1,60}:(?P<secret>(?!\$|(?i:x+|\*+|%[sv]|pass(?:word|wd)?|pwd|secret"
    r"|changeme)@)[^\s\"'`\\<>{}]{3,100}?)@(?:(?:tcp|udp)6?|unix)?\([^\s()]{1,200}\)/",
    "WD={|wd={|assword={": r"(?<=[;\"'])(?i:pwd|password)=\{(?P<secret>(?=(?:[^{}\d\"'\n]|\}\}){0,80}\d)"
    r"(?=(?:[^{}\"'\n]|\}\}){0,80}[^\w.,:()\[\]{}|=\s\"'-])(?![^{}]{1,80}![rsa]\})(?:[^{}\n\"'\\]|\}\}){6,100})\}(?=[;\"'\\]|$)",
    "WIFI:": r"WIFI:(?:[A-Z][A-Z0-9]?:(?:[^;\\\n\"]|\\.){0,100};){0,5}?P:(?P<secret>(?:[^;\\\n\"]|\\[^nrt]){4,100});",
    "://": r"://(?:[^\s/\"'\\<>@:{}$]{0,100}:(?P<secret>(?!\$|(?i:x+|\.+|%[sv]|password|(?<=user:)pass|changeme)@)(?!\S{0,20}\[\^)[^\s/\"'\\<>{}*]{3,200})"
    r"|(?P<token>(?=[a-zA-Z_-]{0,60}[0-9])[A-Za-z0-9_-]{16,200}):?)@(?!o\d+\.ingest)",
    ":AA": r"(?:(?<![0-9A-Za-z])|(?<=bot))[0-9]{8,10}:AA[A-Za-z0-9_-]{32,34}",
    "x-oauth-basic": r"://(?P<secret>[^\s/:@\"'\\]{16,200}):x-oauth-basic@",
    "_live_|_pat_|_api_|_sk_|_rk_|_secret_|_tkn_|_oauth_|_sat_": r"(?<![A-Za-z0-9_-])(?!pk)[a-z][a-z0-9]{1,12}_"
    r"(?:live|pat|api|sk|rk|secret|tkn|oauth|sat)_(?=[A-Za-z]{0,30}[0-9])[A-Za-z0-9]{20,}(?![A-Za-z0-9_])",
    "/live2/": r"/live2/(?P<secret>[a-z0-9]{4}(?:-[a-z0-9]{4}){3,4})",
    "sip:": r"\bsip:[\w.-]{1,40}:(?P<secret>[^\s@/:\"'\\]{4,80})@",
    "AZDO": r"(?<![0-9A-Za-z])[A-Za-z0-9]{70,80}AZDO[A-Za-z0-9]{4}",
    "pat.": r"pat\.(?<![\w.]pat\.)[\w-]{22}\.[0-9a-f]{24}\.\w{20}",
    "A3-": r"(?<![\w-])A3-[A-Z0-9]{6}(?:-[A-Z0-9]{5,11}){4,6}",
    "s.": r"[sb]\.(?<![\w.-]..)(?=[A-Za-z]{0,24}[0-9])(?=[a-z0-9]{0,24}[A-Z])[A-Za-z0-9]{24}(?![\w.])",
    "hook": rf"hooks?(?:b2)?{_IN_ADDRESS}",
    "maker.ifttt": rf"trigger/[\w{{}}-]{{1,60}}/with\\?/key{_IN_ADDRESS}",
    "infura|alchemy|ankr.com|quiknode|getblock|thingsboard": r"(?:infura|alchemy(?:api)?|ankr|quiknode"
    r"|getblock|thingsboard)\.\w{2,5}(?:\\?/[\w-]{1,30}){0,3}?\\?/(?P<secret>(?=[a-z_-]{0,40}[0-9A-Z])[\w-]{20,})",
    ".atlasv1.": r"(?<![A-Za-z0-9])[A-Za-z0-9]{10,20}\.atlasv1\.[A-Za-z0-9_=-]{30,200}",
    "Q~": r"(?<![\w~.-])[A-Za-z0-9_~.-]{3}[0-9]Q~[A-Za-z0-9_~.-]{31,40}",
    "-us1|-us2|-us3|-us4|-us5|-us6|-us7|-us8|-us9": r"(?<![0-9A-Za-z])[0-9a-f]{32}-us[0-9]{1,2}(?![0-9A-Za-z])",
    "NRAL": r"(?<![0-9A-Za-z])[0-9a-z]{30,40}NRAL",
    "pat": r"pat(?<![\w.]pat)[A-Za-z0-9]{14}\.[0-9a-f]{64}",
    ".": r"[MNO](?<![\w.-].)[\w-]{22,27}\.[\w-]{6}\.[\w-]{27,45}(?![\w.-])",
    "-": r"-(?<=[0-9a-f]{32}-)(?<![\w-].{33})[0-9a-f]{8}-[0-9a-f]{8}(?![\w-])(?<=(?P<secret>.{50}))",
    "1/": r"[12]/(?<![\w/]..)[0-9]{13,19}(?:/[0-9]{13,19})?:[0-9a-f]{32}",
}
"""Keys that don't begin alike: a part of each, and the whole; in it a group holds the secret when that is less."""

CHOSEN = r"[!#$&@^](?<=[A-Za-z0-9_-].)[A-Za-z0-9!#$&@^*?_-]{1,40}+(?=[.,:;?)]{0,2}(?:\\?[\"'`]|\s|\Z))"
CHOSEN_BEFORE = r"(?<![^\s=:(,|>\"'`])[A-Za-z0-9_-]{1,30}\Z"
"""A word that could be a password which somebody chose, from its first sign on, and what is before the sign."""
