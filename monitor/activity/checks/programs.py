"""Tables of the programs that test, build, lint and check types, and of those that start them, for `command`."""

import re

from shared.text.word_set import word_set

PROGRAMS = word_set("""
    pytest py.test tox nox unittest nose2 doctest jest vitest mocha ava tap cypress playwright karma rspec minitest
    phpunit pest ctest mypy pyright basedpyright ty flake8 pylint ruff black isort bandit tsc vue-tsc eslint biome
    oxlint prettier stylelint standard xo golangci-lint staticcheck shellcheck rubocop standardrb phpstan psalm phpcs
    make gmake ninja cmake meson gcc g++ cc c++ clang clang++ rustc javac kotlinc mvn mvnw gradle gradlew ant sbt bazel
    msbuild xcodebuild webpack rollup tsup esbuild parcel pre-commit lefthook hadolint actionlint yamllint markdownlint
    ansible-lint tflint detekt ktlint swiftlint clang-tidy cppcheck credo dialyzer codespell compileall cargo-clippy
""")
"""Programs that are checks with any arguments."""
CHECKER = re.compile(r"[\w.]+-(?:lint(?:er)?|tests?|check(?:er)?)")
"""The name of a program that is a check as well."""
SUBCOMMANDS = re.compile(
    r"(?:cargo (?:\+\S+ )?(?:test|build|check|clippy|fmt|nextest|bench|doc|miri)|go (?:test|build|vet|generate)"
    r"|dotnet (?:build|test|format)|deno (?:test|check|lint|fmt)|node (?:-\S+ )*--test|bun (?:test|build)"
    r"|zig (?:build|test)|(?:stack|cabal|dune|swift|dart|flutter|mix|rebar3|lein)"
    r" (?:build|test|check|compile|analyze|format|eunit|dialyzer|credo)"
    r"|(?:vite|next|nuxt|astro|ng|hugo|docker) (?:build|test|lint)|terraform (?:validate|plan|fmt)|helm lint"
    r"|buf (?:lint|build)|coverage run|git diff --check|composer validate|ruff (?:check|format)|ty check"
    r"|biome (?:check|ci|lint|format)|(?:golangci-lint|vitest|pre-commit|cypress) run|playwright test)(?=\s|$)"
)
"""Programs that are checks with such a subcommand."""
SCRIPT_RUNNERS = re.compile(
    r"(?:(?P<packages>(?:npm|pnpm|yarn|bun)(?: (?:--\S+|-\w \S+))*(?: (?:run|run-script))?)"
    r"|(?:mise(?: run| r)?|just|task|rake|invoke|inv|poe|composer(?: run(?:-script)?)?|turbo(?: run)?|nx(?: run)?"
    r"|moon run|deno task|hatch run|make|gmake))(?: -(?![ni]\s)\S+)* (?P<script>[A-Za-z][\w:./-]*)"
)
"""Programs that run a project's own scripts."""
CHECK_WORD = re.compile(
    r"(?i)(?:^|[:_./-])(?:py|c|box|spec|re)?(?:tests?|checks?|lint(?:er|ing)?|vet|builds?|compile|type-?check|types|tsc"
    r"|verify|validate|e2e|spec|unit|integration|ci|precommit|clippy|mypy|pytest|all)(?:$|[:_./-])"
)
"""A part of the name of a script that is a check."""
WRAPPER = re.compile(
    r"(?:time|nice|sudo|env|command|exec|rtk(?: (?:test|lint|err|proxy))?|xvfb-run(?: -\w+)*|ionice(?: -\w+ ?\d?)*"
    r"|timeout(?: -\S+(?: \d\S*)?)* \d\S*|gtimeout \d\S*"
    r"|(?:uv|poetry|pipenv|pdm|hatch|rye|conda|pixi) run(?: -{1,2}\S+)*|npx(?: -{1,2}\w+)*|bunx(?: --bun)?"
    r"|pnpm (?:exec|dlx)|yarn (?:exec|dlx)|npm exec(?: --)?|bundle exec|uvx|(?:\S*/)?python[\d.]* (?:-\w+ )*?-m"
    r"|docker(?: |-)compose (?:exec|run)(?: -{1,2}\S+)* \S+|docker exec(?: -\S+)* \S+|dotenv(?: --)?|direnv exec \S+"
    r"|mise (?:exec|x) --|nix develop -c|bash -e?c|sh -e?c)\s+"
)
"""Programs that start another one and are no check themselves."""
INTERPRETERS = frozenset({"bash", "sh", "zsh", "python", "python3", "node", "ruby", "tsx", "ts-node", "perl", "php"})
INLINE = re.compile(
    r"(?:(?:python3?|bash|sh|zsh) (?:-\S+ )*?-[a-z]*c"
    r"|(?:node|ruby|perl|tsx|ts-node) (?:-\S+ )*?-(?:[a-z]*e|p|-eval|-print)|php (?:\S+ )*?-r)\b"
)
"""Code within the command, whatever file names are in it."""
TRIVIAL = re.compile(
    r"(?:cd|pushd|popd|export|unset|echo|printf|set|source|\.|sleep|true|mkdir|clear|date|pwd)(?:\s|$)|[A-Z_]+=\S*$"
)
"""Commands that hardly ever fail."""
HIDING = re.compile(r"(?:\S*/)?(?:head|e?grep|rg|wc|sed|awk|jq|cut|sort|uniq|less|more)\b")
"""Filters that may drop a runner's last lines."""
FORMATTERS = frozenset({"black", "isort", "prettier"})
"""Programs that check only with an option in CHECKING."""
CHECKING = frozenset({"--check", "-c", "--check-only", "--list-different", "-l"})
NO_CHECKS = word_set("clean install run dev start serve deploy help docs watch -n -i")
"""Targets of make that aren't checks, and options with which it runs nothing or ignores failures."""
CHANGING = re.compile(
    r"\s--(?:(?:unsafe-)?fix(?:es)?|write|apply|auto-?correct(?:-all)?)(?=\s|$)|(?:^|\s)(?:\w[\w:-]*[:-]fix|fix[:-]\w\S*)(?=\s|$)"
    r"|\b(?:ruff format|cargo fmt|dotnet format|(?:deno|terraform) fmt|mix format)\b"
    r"(?!.*\s--?(?:check|diff|verify-no-changes|check-formatted)\b)"
)
"""A part of a command that changes files: it fails and passes like a check, but doesn't check the work."""
NO_RUN = frozenset({"--version", "-V", "--help", "-h", "--collect-only", "--co", "--list", "--listTests", "--dry-run"})
TAKES_VALUE = word_set("""
    -k -m -n -p -c -j -t -o -r -w -f -s -g -C -run -bench -count -timeout -parallel -tags -cover -coverprofile --tb
    --maxfail --filter --grep --config --project --reporter --testNamePattern --testPathPattern --tests --package
    --features --bin --test --timeout --workers --shard --rootDir --root --target --profile --durations --cov --color
    --format --max-warnings
""")
"""Options whose value is the next word."""
NARROWS = word_set("""
    -k -m -p -t -g -run -bench --filter --grep --testNamePattern --testPathPattern --tests --package --bin --test --lib
    --only --lf --last-failed --shard -pl
""")
"""Options that select a part of the targets."""
SETS = frozenset({"-tags", "--tags", "--project", "--config", "--features", "--target", "--profile", "-C"})
"""Options that make the run a different check."""
WHOLE = frozenset({"ci", "all", "full"})
"""The suffix of a script that runs everything of its kind: `test:ci`."""
EVERYTHING = frozenset({"ci", "check", "checks", "verify", "validate", "all", "precommit"})
"""Scripts that run all of a project's checks."""
INCLUDES = {
    "go test": {"go vet", "go build"},
    "go vet": {"go build"},
    "cargo test": {"cargo build", "cargo check"},
    "cargo nextest": {"cargo build", "cargo check", "cargo test"},
    "cargo build": {"cargo check"},
    "cargo clippy": {"cargo check"},
    "dotnet test": {"dotnet build"},
    "swift test": {"swift build"},
    "vitest": {"vitest run"},
    "vitest run": {"vitest"},
    "biome check": {"biome lint", "biome format"},
    "biome ci": {"biome check", "biome lint", "biome format"},
}
"""Tools that include what other tools do."""
TESTS = word_set("""
    pytest py.test tox nox unittest jest vitest mocha ava tap playwright rspec minitest phpunit pest ctest mix
""")
LINTERS = word_set("""
    flake8 pylint ruff eslint biome oxlint stylelint golangci-lint staticcheck rubocop phpstan psalm shellcheck
""")
"""The tools that a project's own script `test` (TESTS) or `lint` (LINTERS) runs as a whole."""
SILENT = {"go build", "go vet"} | word_set("tsc vue-tsc gcc g++ cc c++ clang clang++ javac rustc shellcheck")
"""Tools that print nothing on success."""
