"""The style of the project, as rules that a machine can read.

check.py [ROOT] [--rule NAME]: prints `path:line: what is wrong and what is expected`, exits 1 on any.
Rules: sizes, functions, layering, layers, circles, vendors, drivers, passes, chips, names, text,
comments, identifiers, links.
"""

import argparse
import builtins
import re
import sys
from pathlib import Path

MAX_LINES = 500
MAX_TABLEGEN_LINES = 400  # Definitions carry their documentation.
MAX_FUNCTION_LINES = 60
MAX_COLUMNS = 100
MAX_CHANGE = 160  # Characters of a line of the changelog.
FORBIDDEN_NAMES = r"(Util|Helper|Common|Misc|Manager)"

# A file includes its own library and those to its left.
LIBRARIES = ["Runtime", "Emulator", "Operation", "Dialect", "Thread", "Target", "Planning",
             "Transforms", "Conversion", "Pipelines", "InitAll", "Compiler", "CAPI", "Interpose", "Export", "Verify",
             "Bench", "Tuning", "tools"]
# Folders of a library: a file includes those to the left of its own, and its own. Files of Runtime
# outside of folders come before these; its drivers do not see each other.
LAYERS = {"Planning": ["Problem", "Space", "Feasibility", "Cost", "Search"],
          "Runtime": ["Device", "Cpu", "Cuda", "Hip", "HostCode", "Executable"],
          "Verify": ["Operands", "Reference", "Model", "Engine", "Functions", "Cases", "Operations",
                     "Runs"]}
SEPARATE = {"Cpu", "Cuda", "Hip"}
# The only files of Transforms that may decide, and so see Planning and Target.
DECIDERS = {"TileSelect", "BlasAttachTarget", "SelectPlans"}
VENDOR_INCLUDE = re.compile(r"mlir/\S*(NVVM|ROCDL|NVGPU|AMDGPU)")
VENDOR_LIBRARIES = {"Conversion", "Pipelines", "InitAll"}
# Verbs that begin the summary of a pass.
IMPERATIVES = set("Carry Choose Compile Compute Copy Cut Expand Finish Free Give Insert Keep Leave "
                  "Let Lower Make Name Pass Pipeline Plan Put Raise Replace Report Run Split Spread "
                  "Turn Unroll".split())
# A driver's library, its headers and its functions, as text or name.
DRIVER_NAME = re.compile(r"\bCU[a-z]\w+|\b(cu(?!BLAS)|hip)[A-Z]\w*|lib(cuda|cudart|amdhip64)\b"
                         r"|\brooftile/Runtime/(Cuda|Hip)/|\b(Cuda|Hip)(Library|Driver)\b")
DRIVER_FOLDERS = {"Cuda", "Hip"}
# Names the streams of both in the headers that it writes.
NAMES_DRIVERS = {"lib/Export/Interface.cpp", "lib/Emulator/Hip/Runtime.cpp"}
FOLDERS = ("include", "lib", "tools", "benchmarks", "python")
# Files of others, and names that stand for a user's, in comments.
FOREIGN_FILES = re.compile(r"^([A-Z]+\.\w+|dlpack/|include/dlpack/|xla/|(main|in)\.mlir|cuda\w*\.h|hip/|mlir/|llvm/)")
FILE_NAME = re.compile(r"(?<![\w/*.<>{}$-])((?:[\w.-]+/)*[\w-]+\.(?:cpp|h|td|inc|py|md|test|mlir|cases|sh))\b(?!\.\w)")
# Identifiers in comments: in backticks, called, or with a capital within.
IDENTIFIER = re.compile(r"`((?:\w+::)*[A-Za-z_]\w*)(?:\(\))?`"
                        r"|(?<![\w.:%@#!/<\"-])((?:\w+::)*[A-Za-z_]\w*)\(\)"
                        r"|(?<![\w.:%@#!/<\"-])((?:\w+::)*[A-Za-z]\w*[a-z][A-Z]\w*)\b(?![/.-]\w)")
# Those of others: of CUDA, HIP and C BLAS by their beginning, of projects whose name comes before
# ("LLVM's TempFile"), projects and algorithms themselves.
FOREIGN_NAMES = re.compile(r"cu(da|blas)?[A-Z]|CU[a-z]|hip[A-Z]|gcn[A-Z]|Cblas[A-Z]|AutoGEMM"
                           r"|clBLAS|OpenBLAS|MurmurHash|SplitMix|TwoSum")
PROJECT_BEFORE = re.compile(r"\b(LLVM|MLIR|CUDA|HIP|XLA|IREE)\b(?:'s)?(?: \w+)?,? $")


def files(root, *suffixes):
    for folder in FOLDERS:
        for path in sorted((root / folder).rglob("*")):
            if path.suffix in suffixes and path.is_file():
                yield path


def library_of(parts):
    """The library of a path below include/rooftile, lib or rooftile/ of an include."""
    if parts[:2] == ("Transforms", "Thread"):  # lies there, and is a library of its own
        return "Thread"
    name = Path(parts[0]).stem
    return {"rooftile": "CAPI"}.get(name, name)


def library_of_file(root, path):
    parts = path.relative_to(root).parts
    if parts[0] in ("tools", "benchmarks", "python"):
        return "tools"
    return library_of(parts[2:] if parts[0] == "include" else parts[1:])


def sizes(root):
    for path in files(root, ".h", ".cpp", ".td", ".inc", ".py"):
        count = len(path.read_text().splitlines())
        limit = MAX_TABLEGEN_LINES if path.suffix == ".td" else MAX_LINES
        if count > limit:
            yield path, 1, f"{count} lines; at most {limit}: one thing per file"


def blank(text):
    """The text with comments, strings and preprocessor lines blanked, line breaks kept."""
    token = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])\''
                       r"|//[^\n]*|/\*.*?\*/|^[ \t]*#(?:\\\n|[^\n])*", re.S | re.M)
    return token.sub(lambda match: re.sub(r"[^\n]", " ", match.group()), text)


def opens_function(head):
    """Whether the text before a brace at namespace or class level begins a function."""
    if re.search(r"\b(namespace|class|struct|union|enum)\b[^()]*$", head) or "(" not in head:
        return False
    before_parameters = re.sub(r"operator\s*[^\s\w(]+|template\s*<[^>]*>", "", head).split("(")[0]
    return "=" not in before_parameters


def functions(root):
    for path in files(root, ".h", ".cpp"):
        text = blank(path.read_text())
        scopes, head_start = [], 0  # Each scope: the line of its function, or None.
        for position, character in enumerate(text):
            if character == "{":
                inside = any(scope is not None for scope in scopes)
                is_function = not inside and opens_function(text[head_start:position])
                scopes.append(text.count("\n", 0, position) + 1 if is_function else None)
            elif character == "}" and scopes:
                start = scopes.pop()
                length = text.count("\n", 0, position) - start if start else 0
                if length > MAX_FUNCTION_LINES:
                    yield path, start, (f"a function of {length} lines; "
                                        f"at most {MAX_FUNCTION_LINES}")
            if character in "{};":
                head_start = position + 1


def includes(path):
    for number, line in enumerate(path.read_text().splitlines(), 1):
        match = re.match(r'\s*#?\s*include\s+["<]([^">]+)[">]', line)
        if match:
            yield number, match.group(1)


def layering(root):
    for path in files(root, ".h", ".cpp", ".td"):
        own = library_of_file(root, path)
        if own not in LIBRARIES:
            yield path, 1, f"'{own}' is no library of the project: {' < '.join(LIBRARIES)}"
            continue
        for number, name in includes(path):
            parts = Path(name).parts
            other = library_of(parts[1:]) if parts[0] == "rooftile" and len(parts) > 1 else own
            if other not in LIBRARIES or LIBRARIES.index(other) > LIBRARIES.index(own):
                yield path, number, f"{own} includes {other}, which is to its right"
            elif (own == "Transforms" and other in ("Planning", "Target")
                  and path.stem not in DECIDERS):
                yield path, number, f"only {sorted(DECIDERS)} decide: {other} is not for others"
            elif own == "Conversion" and other == "Planning":
                yield path, number, "Conversion includes Planning: plans are attributes there"
            elif other == "Transforms" and path.parent.name == "TileToLane":
                yield path, number, "TileToLane includes Transforms: of it Transforms/Thread alone"


def layer_of(library, parts):
    """The layer of a library that a path, or an include, is in."""
    layers = LAYERS[library]
    place = parts.index(library) + 1 if library in parts else len(parts)
    name = Path(parts[place]).stem if place < len(parts) else None
    return name if name in layers else None


def folder_of(root, path):
    """The folder of a file of lib, or of include/rooftile, below it."""
    parts = path.relative_to(root).parts
    return "/".join(parts[1 if parts[0] == "lib" else 2:-1]) if parts[0] in ("lib", "include") else None


def folder_of_include(root, path, name):
    """The folder of a header of the project: below rooftile, beside the file, or below its library."""
    if name.startswith("rooftile/"):
        return "/".join(Path(name).parts[1:-1])
    library = root / "lib" / path.relative_to(root).parts[1]
    for start in (path.parent, library):
        found = (start / name).resolve()
        if found.exists() and found.is_relative_to(root.resolve()):
            return folder_of(root.resolve(), found)
    return None


def layers(root):
    for path in files(root, ".h", ".cpp"):
        library = library_of_file(root, path)
        if library not in LAYERS:
            continue
        order, own = LAYERS[library], layer_of(library, path.relative_to(root).parts)
        if not own and library in ("Planning", "Verify"):
            yield path, 1, f"is in no layer of {library}: {' < '.join(order)}"
            continue
        for number, name in includes(path):
            folder = folder_of_include(root, path, name) or ""
            other = layer_of(library, (*folder.split("/"), Path(name).name))
            rank = order.index(own) if own else -1
            if other and order.index(other) > rank:
                yield path, number, f"{own or library} includes {other}, which is to its right"
            elif other and other != own and {other, own} <= SEPARATE:
                yield path, number, f"{own} includes {other}: drivers do not see each other"


def circles(root):
    """No two folders of a library include each other. Lists of passes include those of folders."""
    uses = {}
    for path in files(root, ".h", ".cpp"):
        own = folder_of(root, path)
        for number, name in includes(path) if own else []:
            other = folder_of_include(root, path, name)
            if other and other != own:
                uses.setdefault((own, other), (path, number, name))
    for (own, other), (path, number, name) in sorted(uses.items()):
        if (other, own) in uses:
            yield path, number, f"{own} includes {name}, and {other} includes files of {own}"


def vendors(root):
    for path in files(root, ".h", ".cpp", ".td"):
        library = "InitAll" if path.stem == "InitAll" else library_of_file(root, path)
        for number, name in includes(path):
            if VENDOR_INCLUDE.search(name) and library not in VENDOR_LIBRARIES:
                yield path, number, f"vendor include in {library}: only in Conversion and Pipelines"


def without_comments(text):
    """The text with comments blanked, line breaks and strings kept."""
    token = re.compile(r'R"(\w*)\(.*?\)\1"|"(?:\\.|[^"\\\n])*"|//[^\n]*|/\*.*?\*/', re.S)
    return token.sub(lambda match: match.group() if match.group()[0] in 'R"'
                     else re.sub(r"[^\n]", " ", match.group()), text)


def drivers(root):
    """Nobody but its own folder of Runtime names a vendor's driver: others ask Device/Driver.h."""
    for path in files(root, ".h", ".cpp"):
        parts = path.relative_to(root).parts
        if (parts[0] == "benchmarks" or "/".join(parts) in NAMES_DRIVERS
                or ("Runtime" in parts and DRIVER_FOLDERS & set(parts))):
            continue
        for number, line in enumerate(without_comments(path.read_text()).splitlines(), 1):
            for match in DRIVER_NAME.finditer(line):
                if match.group() not in ("cudaDriver", "hipDriver"):
                    yield path, number, f"'{match.group()}': ask Runtime/Device/Driver.h"


def passes(root):
    for path in files(root, ".td"):
        text = path.read_text()
        library = path.relative_to(root / "include/rooftile").parts[0]
        for match in re.finditer(r'^def (\w+) *: *Pass<"([^"]+)".*?^}', text, re.S | re.M):
            name, flag, body = match.group(1), match.group(2), match.group(0)
            line = text.count("\n", 0, match.start()) + 1
            if "let description" not in body or "```" not in body:
                yield path, line, f"--{flag} has no description with IR before and after"
            summary = re.search(r'let summary = "((\w*)[^"]*)"', body)
            if not summary or summary[2] not in IMPERATIVES:
                yield path, line, f"--{flag} has no summary that begins with a verb: Lower, Insert, ..."
            sources = list((root / "lib" / library).rglob(f"{name}.cpp"))
            if not sources:
                yield path, line, f"--{flag} has no file {name}.cpp in lib/{library}"
            folder = sources[0].parent.relative_to(root / "lib") if sources else library
            test = Path("test") / folder / f"{flag}.mlir"
            if not (root / test).exists():
                yield path, line, f"--{flag} has no test {test}"


def chips(root):
    """Every figure of a chip names its source in a comment on its line."""
    for path in sorted((root / "lib/Target/Chips").glob("*")):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            figure, _, source = line.partition("//")
            if re.search(r"\w+ *= *\d", figure) and len(re.findall(r"[A-Za-z]", source)) < 8:
                yield path, number, f"no source for '{figure.strip()}'"


def names(root):
    declaration = re.compile(r"^\s*(?:class|struct|namespace|enum(?: class)?)\s+"
                             r"(\w*" + FORBIDDEN_NAMES + r"\w*)\s*(?:final\s*)?[:{]")
    for path in files(root, ".h", ".cpp", ".td", ".inc", ".py"):
        if re.search(FORBIDDEN_NAMES, path.relative_to(root).as_posix()):
            yield path, 1, "a file is named for what it holds, not Util, Helper, Common, ..."
        for number, line in enumerate(path.read_text().splitlines(), 1):
            if match := declaration.match(line):
                yield path, number, f"'{match.group(1)}': name it for what it is"


def text(root):
    for path in files(root, ".h", ".cpp", ".td", ".inc", ".py"):
        content = path.read_text()
        if content and not content.endswith("\n"):
            yield path, content.count("\n") + 1, "no line break at the end"
        for number, line in enumerate(content.splitlines(), 1):
            if len(line) > MAX_COLUMNS:
                yield path, number, f"{len(line)} columns; at most {MAX_COLUMNS}"
            if line != line.rstrip() or "\t" in line:
                yield path, number, "a tab, or white space at the end"
            if re.search(r"\b(TODO|FIXME|XXX)\b(?!\(#\d+\))", line):
                yield path, number, "a TODO names its issue: TODO(#12)"
    changelog = root / "CHANGELOG.md"
    for number, line in enumerate(changelog.read_text().splitlines() if changelog.exists() else [], 1):
        if len(line) > MAX_CHANGE:
            yield changelog, number, f"{len(line)} characters; at most {MAX_CHANGE}: a change in one line"


def comment_of(path, line):
    """The comment of a line of C++ or Python, and its column."""
    string, mark = r'"(?:\\.|[^"\\])*"', "#" if path.suffix == ".py" else "//"
    other = r"[^\"'#]|'(?:\\.|[^'\\])*'" if mark == "#" else '[^"/]|/(?!/)'
    match = re.match(rf"(?:{other}|{string})*{mark}(.*)", line)
    return (match[1], match.start(1)) if match else ("", len(line))


def comments(root):
    """Files that comments name exist."""
    there = {path.relative_to(root).as_posix() for folder in (*FOLDERS, "test", "docs", "scripts",
             "examples", "cmake") for path in (root / folder).rglob("*") if path.is_file()}
    names = {path.rsplit("/", 1)[-1] for path in there}
    for path in files(root, ".h", ".cpp", ".td", ".inc"):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for name in FILE_NAME.findall(comment_of(path, line)[0]):
                known = (name in names if "/" not in name else
                         any(path == name or path.endswith("/" + name) for path in there))
                if not known and not FOREIGN_FILES.match(name):
                    yield path, number, f"a comment names {name}, which is not there"


def code_names(root):
    """Identifiers of the code, and those of them that are called or declared as functions."""
    found, called = set(), set()
    for folder in (*FOLDERS, "test", "scripts", "cmake"):
        for path in (root / folder).rglob("*"):
            if path.suffix in (".h", ".cpp", ".c", ".td", ".inc", ".py", ".map", ".txt"):
                for line in path.read_text().splitlines():
                    code = line[:comment_of(path, line)[1]]
                    found.update(re.findall(r"[A-Za-z_]\w*", code))
                    called.update(re.findall(r"([A-Za-z_]\w*)\s*[(<]", code))
    return found, called


def identifiers(root):
    """Functions and types that comments name are in the code, or of a project that is known."""
    found, called = code_names(root)
    for path in files(root, ".h", ".cpp", ".td", ".inc", ".py"):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            comment = comment_of(path, line)[0]
            for match in IDENTIFIER.finditer(comment):
                name = match[1] or match[2] or match[3]
                last = name.rpartition("::")[2]
                known = last in (called if match.group().strip("`").endswith("()") else found)
                foreign = (FOREIGN_NAMES.match(name) or hasattr(builtins, name)
                           or PROJECT_BEFORE.search(comment[:match.start()]))
                if not known and not foreign:
                    yield path, number, f"a comment names {name}, which the code does not have"


def anchor_of(heading):
    """The anchor that GitHub makes of a heading."""
    plain = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading.strip())
    return re.sub(r"[^\w\- ]", "", plain.lower()).replace(" ", "-")


def links(root):
    """Links between the documents lead somewhere, to a heading where they name one."""
    for path in sorted([*root.glob("*.md"), *(root / "docs").rglob("*.md")]):
        for number, line in enumerate(path.read_text().splitlines(), 1):
            for target in re.findall(r"\]\(([^)#\s]+)[^)]*\)|src=\"([^\"]+)\"", line):
                target = target[0] or target[1]
                if "://" not in target and not (path.parent / target).exists():
                    yield path, number, f"link to {target}, which is not there"
            for target, anchor in re.findall(r"\]\(([^)#\s]*)#([^)\s]+)\)", line):
                page = path.parent / target if target else path
                if page.suffix != ".md" or not page.is_file():
                    continue
                headings = re.findall(r"^#+ (.*)$", page.read_text(), re.M)
                if anchor not in map(anchor_of, headings):
                    yield path, number, f"link to {page.name}#{anchor}, which has no such heading"


RULES = [sizes, functions, layering, layers, circles, vendors, drivers, passes, chips, names, text,
         comments, identifiers, links]


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("root", nargs="?", type=Path, default=Path(__file__).parents[2])
    parser.add_argument("--rule", choices=[rule.__name__ for rule in RULES])
    options = parser.parse_args()
    problems = [(path.relative_to(options.root), line, message)
                for rule in RULES if options.rule in (None, rule.__name__)
                for path, line, message in rule(options.root)]
    for path, line, message in problems:
        print(f"{path}:{line}: {message}")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
