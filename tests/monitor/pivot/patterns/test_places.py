import os

import pytest

from monitor.pivot.patterns.places import name_under_test, places_of

PROJECT = "/home/dev/shop"

pytestmark = pytest.mark.skipif(os.name == "nt", reason="paths of POSIX")


@pytest.mark.parametrize(
    ("path", "place"),
    [
        ("/home/dev/shop/README.md", "."),
        ("/home/dev/shop/src/cart/models.py", "src"),
        ("/home/dev/shop/packages/web/src/x.ts", "packages/web"),
        ("/home/dev/shop/packages/x.json", "packages"),
        ("/home/dev/other/src/x.py", "../other"),
        ("/home/dev/notes.md", ".."),
        ("/etc/nginx/nginx.conf", "../../../etc"),
        ("/tmp/x", "../../../tmp"),  # noqa: S108  a name
    ],
)
def test_a_place_is_the_first_directory_of_the_project_or_beside_it(path: str, place: str) -> None:
    assert places_of([path, f"{PROJECT}/x"], PROJECT)[path] == place


@pytest.mark.parametrize("directory", ["", "/somewhere/else"])
def test_where_the_project_is_not_known_it_is_what_the_files_share(directory: str) -> None:
    paths = ["/repo/web/a/x.ts", "/repo/docs/x.md", "/repo/web/b/y.ts"]
    assert sorted(set(places_of(paths, directory).values())) == ["docs", "web"]


def test_in_a_directory_that_holds_much_of_the_work_those_below_are_the_places() -> None:
    paths = [f"{PROJECT}/src/{name}/x.py" for name in "abcd"] + [f"{PROJECT}/tests/{name}/y.py" for name in "abef"]
    found = set(places_of([*paths, f"{PROJECT}/docs/guide.md"], PROJECT).values())
    assert found == {"src/a", "src/b", "src/c", "src/d", *(f"tests/{n}" for n in "abef"), "docs"}


def test_a_project_deep_within_its_only_directory_is_told_apart() -> None:
    paths = [f"{PROJECT}/cmd/shop/{name}/x.go" for name in "abcd"]
    assert set(places_of([*paths, f"{PROJECT}/go.mod"], PROJECT).values()) == {*(f"cmd/shop/{n}" for n in "abcd"), "."}


def test_a_directory_with_a_single_one_below_it_is_the_place_itself() -> None:
    assert set(places_of([f"{PROJECT}/src/shop/{name}.py" for name in "abcdefgh"], PROJECT).values()) == {"src"}


def test_no_paths_have_no_places() -> None:
    assert places_of([], PROJECT) == {}


@pytest.mark.parametrize(
    ("path", "subject"),
    [
        ("tests/test_cart.py", "cart.py"),
        ("pkg/cart_test.go", "cart.go"),
        ("src/cart.test.ts", "cart.ts"),
        ("src/cart.spec.ts", "cart.ts"),
        ("src/test/java/CartTest.java", "Cart.java"),
        ("Shop.Tests/CartTests.cs", "Cart.cs"),
        ("src/Latest.java", ""),
        ("src/cart.py", ""),
        ("src/contest.py", ""),
    ],
)
def test_a_test_names_its_subject(path: str, subject: str) -> None:
    assert name_under_test(path) == subject


def test_paths_of_windows_are_told_apart_on_every_system() -> None:
    project = r"C:\work\shop"
    paths = [rf"{project}\{name}\x.py" for name in ("cart", "web")] + [r"D:\notes\a.md", r"C:\work\other\x.py"]
    assert list(places_of(paths, project).values()) == ["cart", "web", "D:", r"..\other"]
    assert name_under_test(r"C:\work\shop\tests\test_cart.py") == "cart.py"
