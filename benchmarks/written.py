"""Files that scripts write from results: written, or compared with what would be written."""
import pathlib
import sys


def write_or_check(outputs, folder, script, usage):
    """Writes what outputs(ROOT) has by its paths where a file differs, or exits with the names of
    such files, as the arguments [--check] [ROOT] of the program say. `folder` of the results and
    `script` are for that message."""
    arguments = [word for word in sys.argv[1:] if word != "--check"]
    if len(arguments) > 1 or any(word.startswith("-") for word in arguments):
        sys.exit(usage)
    root = pathlib.Path(arguments[0] if arguments else pathlib.Path(__file__).parents[1])
    wrong = []
    for path, text in outputs(root).items():
        if path.exists() and path.read_text() == text:
            continue
        wrong.append(str(path.relative_to(root)))
        if "--check" not in sys.argv:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
    if "--check" in sys.argv and wrong:
        sys.exit(f"{', '.join(wrong)}: not what {folder} says; run python3 {script}")
