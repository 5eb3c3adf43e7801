"""Chosen passwords are masked in sentences about a password or a login; words that only look odd there stay."""

import json

import pytest

from shared.secrets.masking import MASK, masked


@pytest.mark.parametrize(
    "text",
    [
        "Both the store and the key are protected with <Gr4nite-Brook>, build a signed aab.",
        "Change the htpasswd file so that user 'press' gets <InkWell-1888> and drop user 'guest'",
        "My own account is fine and <Chelsea4ever!> worked on the old portal, where do I start?",
        "can you ssh to the raspberry? it is still the one that I set at christmas, <jinglebells24>",
        "the bench wifi is the one downstairs with <solderfumes2019>, write the config for the pi",
        "Use <blue.Tractor.1961> to log in as the admin and open the reports",
        "If the sftp asks for a password, say '<carrot.stick.2023>' and go on",
        "buyer one logs in with <Buyer#One> and has a saved card, so run the checkout flow",
        "Is <Autumn2024Leaves> strong enough as a password for a database on the internet?",
        "Nimm als Admin-Zugang einfach den alten mit <Müllabfuhr#Montag>, das ist nur die Testinstanz",
        "пароль от тестовой базы теперь <Berezka2023>, посмотри почему запрос такой медленный",
        "DBのパスワードを <Fujisan3776> に変更して、再起動してください",
        "la contraseña del usuario postgres en mi máquina es <tortuga_lenta8>, intenta otra vez",
        "the SIM in the gateway is locked, PIN <9914>, so send the command please",
        "The unlock PIN of the token in the machine is <739105>, the signing step needs it",
    ],
)
def test_a_chosen_password_is_recognised_by_its_sentence(text: str) -> None:
    before, _, rest = text.partition("<")
    plain, expected = text.replace("<", "").replace(">", ""), f"{before}{MASK}{rest.partition('>')[2]}"
    assert masked(plain) == expected
    line = json.dumps({"content": plain, "type": "user"}, ensure_ascii=False)
    assert masked(line) == json.dumps({"content": expected, "type": "user"}, ensure_ascii=False)


@pytest.mark.parametrize(
    "text",
    [
        "The password is in 1Password under the staging entry, please fetch it from there yourself.",
        "Passwords are hashed with bcrypt today; move us to argon2id without forcing a reset for everybody",
        "The user name is importer2 and the password comes from the vault, so don't ask me for it",
        "compare v2.14.0...v2.15.0 and list everything that touches session or token handling",
        "the login page of release-2024.11-rc3 is slower than feature/login-v2 on the same server",
        "All tests of the password reset pass, so the fix is backward-compatible with PR#68",
        "log in to the server web-7d9f8b6c5-x2x4z and look why token review failed there",
        "I get permission denied for deploy@build-03 although my ssh key is in place, what is going on?",
        "Run the evals of the token counter on gpt-4o-mini and on claude-sonnet-4-5, please",
        "for (const user of users2) { if (user.password !== hashedPassword2) throw new AuthError401(user) }",
        "the login in src/auth2/Login2Page.tsx fails since base64url replaced utf8mb4 in the token",
        "pin the dependency to 4.17.21 and the base image of the database server to 2024.10",
        "class TokenRefresh(private val tokenStore: TokenStore) : Authenticator takes the password: CharArray",
        "La contraseña es obligatoria pero el formulario deja enviarlo vacío, ¿puedes mirarlo?",
        "das Passwort wird beim Anlegen zufällig erzeugt und nur einmal angezeigt, bitte so lassen",
        "La password è stata dimenticata da metà del team, serve una pagina di recupero",
        "| user | checked at | password changed | logged in Chrome139 on Windows11 |",
    ],
)
def test_versions_machines_names_and_code_in_a_sentence_about_passwords_stay(text: str) -> None:
    assert masked(text) == text


def test_a_sentence_ends_with_its_json_string() -> None:
    line = json.dumps({"note": "please log in to the server as the admin", "label": "Quartz7hollow"})
    assert masked(line) == line
