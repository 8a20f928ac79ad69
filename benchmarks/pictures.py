"""Shared by the scripts that draw results: the package's pictures, titles, how one is written."""
import pathlib
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "python"))
from rooftile import _svg as svg  # noqa: E402

__all__ = ["svg", "panels", "save", "title"]


def title(header, text=""):
    """Chip and date of a result file's header, and what the picture shows of it."""
    return f"{header.get('chip', '')}, {header.get('date', '')}{text}"


def panels(name, count, size, columns):
    """A picture of this name, and the upper left corners of its panels, row by row."""
    columns = min(columns, count)
    picture = svg.Picture(size[0] * columns, 30 + size[1] * -(-count // columns), name)
    picture.text(12, 18, name, kind="title")
    return picture, [(size[0] * (index % columns), 30 + size[1] * (index // columns))
                     for index in range(count)]


def save(picture, path):
    """Writes a picture, or ends the script."""
    if not path.endswith(".svg"):
        sys.exit(f"error: {path} is no picture.svg")
    try:
        with open(path, "w") as file:
            file.write(str(picture))
    except OSError as error:
        sys.exit(f"error: {error}")
