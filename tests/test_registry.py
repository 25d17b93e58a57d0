import pytest
from catalogs import plugin, write

from skillcheck import registry
from skillcheck.errors import UsageError

GROUP = "house.rooms"


@pytest.fixture
def package(tmp_path, monkeypatch):
    """A package of two implementations, one of them in a folder below."""
    name = f"rooms_{tmp_path.name.replace('-', '_')}"
    files = {"__init__.py": "", "one.py": "ROOM = 1\n", "inner/__init__.py": "", "inner/two_words.py": "ROOM = 2\n"}
    write(tmp_path, {f"{name}/{path}": text for path, text in files.items()})
    monkeypatch.syspath_prepend(str(tmp_path))
    return name


def test_every_module_is_an_implementation(package):
    assert registry.modules(package) == {"one": f"{package}.one", "two-words": f"{package}.inner.two_words"}
    assert registry.names(package) == ("one", "two-words")


def test_an_implementation_is_found_by_name(package):
    assert registry.find(package, "two-words", "ROOM") == 2
    assert registry.find(package, "three", "ROOM") is None


def test_a_forgotten_export_fails_at_once(package):
    with pytest.raises(AttributeError, match="DOOR"):
        registry.find(package, "one", "DOOR")


def test_plugins_are_found_by_their_entry_points(tmp_path, monkeypatch):
    plugin(tmp_path, group=GROUP, target="house_rule:CONSTANT", source="CONSTANT = 7\n")
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(__import__("sys").modules, "house_rule", raising=False)
    assert list(registry.plugins(GROUP)) == [7]
    assert list(registry.plugins(GROUP, "house-rule")) == [7]
    assert list(registry.plugins(GROUP, "other")) == []


def test_no_plugins_are_found_where_nobody_declares_the_group():
    assert list(registry.plugins("no.such.group")) == []


@pytest.mark.parametrize(
    ("target", "source", "reason"),
    [
        ("house_broken:RULE", "", "ModuleNotFoundError: No module named 'house_broken'"),
        ("house_rule:NONE", "", "AttributeError: module 'house_rule' has no attribute 'NONE'"),
        ("house_rule:RULE", "1 / 0\n", "ZeroDivisionError: division by zero"),
        ("house_rule:RULE", "raise KeyError('x')\n", "KeyError: 'x'"),
    ],
    ids=["no module", "no constant", "fails while loading", "key error"],
)
def test_a_broken_plugin_names_its_distribution(target, source, reason, tmp_path, monkeypatch):
    plugin(tmp_path, group=GROUP, target=target, source=source)
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.delitem(__import__("sys").modules, "house_rule", raising=False)
    with pytest.raises(UsageError) as error:
        list(registry.plugins(GROUP))
    assert str(error.value) == f"plug-in 'house-rule' of house-rules can't be loaded: {reason}"
