"""dispatch(): libraries compiled ahead of time."""

import ctypes
import threading

import pytest
import rooftile

SPEC = {"library": "tiny", "chips": ["h200", "a100"],
        "operations": [{"name": "product", "types": "f32", "m": 64, "n": 64, "k": 64}]}


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "tiny"


def test_mapping(folder):
    library = rooftile.dispatch(SPEC, folder)
    assert library.folder == folder and library.name == "tiny"
    assert "int product(" in library.header.read_text()
    assert library.static.stat().st_size > 0 and str(library.shared) in str(library)
    assert [each["name"] for each in library.contents["operations"]] == ["product"]
    shared = ctypes.CDLL(str(library.shared))
    assert shared.product(None, None, None, None) != 0  # no device, or no matrices
    shared.tiny_message.restype = ctypes.c_char_p
    assert shared.tiny_message()


def test_texts_and_files(tmp_path):
    text = ("library: tiny\nchips: [h200]\noperations:\n"
            "  - {name: product, types: f32, m: 64, n: 64, k: 64}\n")
    file = tmp_path / "tiny.yaml"
    file.write_text(text)
    made = [rooftile.dispatch(spec, tmp_path / str(i), threads=1)
            for i, spec in enumerate((text, file, str(file)))]
    assert len({library.static.read_bytes() for library in made}) == 1


def test_again(folder):
    """An earlier export is replaced; what is wrong leaves it as it is."""
    rooftile.dispatch(SPEC, folder)
    before = (folder / "tiny.json").read_bytes()
    with pytest.raises(ValueError):
        rooftile.dispatch({**SPEC, "chips": ["h300"]}, folder)
    assert (folder / "tiny.json").read_bytes() == before
    rooftile.dispatch({**SPEC, "chips": ["h200"]}, folder)
    assert (folder / "tiny.json").read_bytes() != before


def test_threads(tmp_path):
    results = {}

    def work(index):
        results[index] = rooftile.dispatch(SPEC, tmp_path / str(index)).static.read_bytes()

    threads = [threading.Thread(target=work, args=(index,)) for index in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert results[0] == results[1]


def test_errors(folder, tmp_path):
    with pytest.raises(ValueError, match=r"spec:\d+:\d+: .*colour"):
        rooftile.dispatch({**SPEC, "colour": "red"}, folder)
    with pytest.raises(ValueError, match=r"spec:1:\d+: "):
        rooftile.dispatch("library: [\n", folder)
    bad = tmp_path / "bad.yaml"
    bad.write_text("library: tiny\n")
    with pytest.raises(ValueError, match="bad.yaml:1:1: "):
        rooftile.dispatch(bad, folder)
    with pytest.raises(FileNotFoundError):
        rooftile.dispatch("missing.yaml", folder)
    with pytest.raises(TypeError, match="spec is of type int; expected a file"):
        rooftile.dispatch(3, folder)
    with pytest.raises(ValueError, match="threads is -1"):
        rooftile.dispatch(SPEC, folder, threads=-1)
    assert not folder.exists()
    folder.mkdir()
    (folder / "letter.txt").touch()
    with pytest.raises(RuntimeError, match="letter.txt"):
        rooftile.dispatch(SPEC, folder)
