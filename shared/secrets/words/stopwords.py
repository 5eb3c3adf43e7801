"""Words that a value is made of where it speaks of a secret, or only holds its place."""

STOPWORDS = frozenset(
    """
    a access account admin after an and any api app apply as auth authorization available b base basic be bearer
    before begin between body bool boolean bot bytes call can cannot cfg change changed changeme char check class
    client code conf config const control count create credential credentials csrf ctx current custom data db dec
    default delete demo dev disabled do does dummy email empty enabled enc encrypted end enter env environ environment
    error example expired fake false field file first flag foo for form from function generated get github given
    global goes google has hash hashed have header here hidden hook host http id if in include incorrect info input
    insert int into invalid is it its jwt key keys last least length like list local login long manager map mask masked
    match may me method missing mock must my name need needed never new next nil no none not null number object of off
    ok old omit on one only open openai option optional options opts or org origin os output param params parse pass
    passphrase passwd password passwort path pattern place placeholder please process prod production prompt provided
    pw pwd random read redacted refresh regex replace req request required reset response result root same sample
    secret secrets see self server service session set setting settings should show site some something state str
    string sub system test testing text that the then this to todo token tokens true type types undefined unknown
    unset update url use used user username uses using uuid valid value values var via was when which will with word
    write wrong xxx xxxx yaml yes you your
    """.split()  # noqa: SIM905  a page of words, to be read as one
)
