"""Keeps the tables of docs/Plan.md and docs/Targets.md equal to ODS and to the tables of keys.

plan_tables.py [--write] [--tblgen llvm-tblgen] [--mlir-include FOLDER] [SOURCE [DOCUMENT]]

DOCUMENT: another text of one of the two pages; without it both are compared.

A table stands between `<!-- table: Plan -->`, with the name of an attribute of dialect blas, and
`<!-- end -->`. Its first three columns (key, type, default) come from the .td files, those of Plan and
Path from the struct that holds them; the others are written by hand. Of Target (key, unit, range, default, meaning)
and of the bounds of Calibration (all columns) they come from TargetData.h and CalibrationData.h. Without --write, prints every row that differs, every parameter without a row,
every row without a text, and exits 1 on any; else how many parameters there are. With --write it puts the first columns in, in the order of the
.td files; a row whose key is gone gives its text to the new key in the same place.
"""

import argparse
import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

INPUT = "include/rooftile/Dialect/Blas/BlasAttributes.td"
DATA = ["include/rooftile/Dialect/Blas/PlanData.h", "include/rooftile/Dialect/Blas/BlocksData.h"]
STRUCT = re.compile(r"^struct (\w+)Data \{\n(.*?)^\};", re.MULTILINE | re.DOTALL)
MEMBER = re.compile(r"^  (?:const )?([\w:]+) (\*?\w+(?: = [^;,(]+)?(?:, \w+(?: = [^;,(]+)?)*);", re.MULTILINE)
ROW = re.compile(r'visit\(\s*DataKey\{"(\w+)",(?:\s*"[^"]*")+(, true)?\},\s*&P::(\w+)(,)?')
TABLE = re.compile(r"<!-- table: (?P<name>\w+) -->\n\n(?P<head>\|.*\n\|.*\n)(?P<rows>(?:\|.*\n)*)"
                   r"\n<!-- end -->")
GENERATED = {"Target": 5, "Calibration": 4}  # columns; else 3
TARGET, CALIBRATION = (f"include/rooftile/Dialect/Blas/{name}Data.h" for name in ("Target", "Calibration"))
CALL = re.compile(r'visit\(\s*(?:TargetKey|B)\{((?:[^{}])*?)\},\s*&\w::(\w+)\);', re.S)
DEFAULT = re.compile(r"\b(\w+) = (-?\w+)[,;]")
TABLES = {"Targets.md": ["Target", "Calibration"]}  # else those of ATTRIBUTES
ATTRIBUTES = ["Plan", "Path", "Tiling", "Blocks", "Contract", "Arg", "Extent", "Given", "Price", "Refusal"]


def records(source, tblgen, mlir_include):
    command = [tblgen, "--dump-json", "-I", source / "include", "-I", mlir_include, source / INPUT]
    result = subprocess.run(command, capture_output=True, text=True)
    if result.returncode != 0:
        sys.exit(f"{tblgen} failed:\n{result.stderr}")
    return json.loads(result.stdout)


def enum_of(defs, cpp_type):
    """The names of the cases by symbol, where `cpp_type` is an enum of ODS."""
    name = cpp_type.split("::")[-1]
    for key in defs["!instanceof"]["EnumInfo"]:
        if defs[key]["className"] == name:
            return {defs[case["def"]]["symbol"]: defs[case["def"]]["str"]
                    for case in defs[key]["enumerants"]}
    return None


def type_of(defs, cpp_type):
    cases = enum_of(defs, cpp_type)
    if cases:
        return ", ".join(f"`{case}`" for case in cases.values())
    listed = re.fullmatch(r"::llvm::ArrayRef<(.*)>", cpp_type)
    if listed:
        inner = type_of(defs, listed.group(1))
        return "integers" if inner == "integer" else f"list of {inner}"
    plain = {"int64_t": "integer", "bool": "`true`, `false`", "::llvm::StringRef": "name"}
    attribute = cpp_type.split("::")[-1].removesuffix("Attr")
    return plain.get(cpp_type, f"`#blas.{re.sub('(?<!^)(?=[A-Z])', '_', attribute).lower()}`")


def default_of(defs, cpp_type, default):
    if default in (None, ""):
        return "required"
    if default.endswith("()"):
        return "none"
    cases = enum_of(defs, cpp_type)
    text = cases[default.split("::")[-1]] if cases else default.strip('"')
    return f"`{text}`" if text else "none"


def keys_of_data(defs, text):
    """Key, type and default of each row of a table of keys, by the members of its struct."""
    members = {}
    for cpp_type, declared in MEMBER.findall(text):
        for one in declared.split(", "):
            name, _, default = one.partition(" = ")
            members[name.lstrip("*")] = cpp_type, default
    for key, required, member, several in ROW.findall(text):
        cpp_type, default = members[member]
        if cpp_type == "tile::Instruction":
            yield [f"`{key}`", "name", "`fma`"]
            continue
        of_path = cpp_type == "PathData"
        kind = "`#blas.path`" if of_path else "integers" if several else type_of(defs, cpp_type)
        yield [f"`{key}`", kind, "required" if required else default_of(defs, cpp_type, default)]


def strings_and_rest(arguments):
    """The strings of a row of a table of keys, adjacent ones joined, and what follows them."""
    strings, rest = [], arguments
    while match := re.match(r'\s*((?:"[^"]*"\s*)+),?', rest):
        strings.append("".join(re.findall(r'"([^"]*)"', match[1])))
        rest = rest[match.end():]
    return strings, [word.strip() for word in rest.split(",") if word.strip()]


def keys_of_target(text):
    """Key, unit, range, default and meaning of each figure."""
    defaults = dict(DEFAULT.findall(text[text.index("struct TargetData"):text.index("visitKeys(Visit")]))
    integers = set(re.findall(r"\b(\w+)(?= = )", " ".join(re.findall(r"int64_t ([^;]*);", text))))
    for arguments, member in CALL.findall(text):
        (key, unit, meaning), rest = strings_and_rest(arguments)
        required, least, most = [*rest, *["true", "1", ""][len(rest):]]
        limits = (f"{least} .. {most}" if most else f"{least} or more") if member in integers else ""
        default = defaults.get(member, "none") if required == "false" else "required"
        yield [f"`{key}`", unit, limits, default if default in ("required", "none") else f"`{default}`", meaning]


def keys_of_bounds(text):
    """Key, unit, meaning and source of each bound, with its default."""
    defaults = dict(DEFAULT.findall(text))
    for arguments, member in CALL.findall(text):
        (key, unit, meaning, origin), _ = strings_and_rest(arguments)
        yield [f"`{key}`" + (f" = {defaults[member]}" if member in defaults else ""), unit, meaning, origin]


def parameters(defs, name):
    """The generated cells of each row of a table."""
    if name in ("Target", "Calibration"):
        yield from {"Target": keys_of_target, "Calibration": keys_of_bounds}[name](defs["texts"][name])
        return
    if name in defs["data"]:
        yield from keys_of_data(defs, defs["data"][name])
        return
    for value, key in defs[f"Blas_{name}Attr"]["parameters"]["args"]:
        record = defs[value["def"]] if isinstance(value, dict) else {"cppType": value}
        cpp_type = record["cppType"]
        default = default_of(defs, cpp_type, record.get("defaultValue"))
        yield [f"`{key}`", type_of(defs, cpp_type), default]


def cells(row):
    return [cell.strip() for cell in row.strip().strip("|").split("|")]


def updated(stated, real, generated):
    """The rows as ODS has them, with the texts by hand of the same key, else of the same place."""
    by_key = {row[0]: row[generated:] for row in stated}
    known = {row[0] for row in real}
    width = max([len(row) for row in stated], default=generated) - generated
    same_length = len(stated) == len(real)
    for place, row in enumerate(real):
        moved = same_length and stated[place][0] not in known
        text = by_key.get(row[0]) or (stated[place][generated:] if moved else [""] * width)
        yield row + text


def differences(name, stated, real, generated):
    rows = {row[0]: row for row in stated}
    for row in real:
        own = rows.pop(row[0], None)
        if own is None:
            yield f"#blas.{name.lower()}: {row[0]} has no row"
        elif own[:generated] != row:
            yield f"#blas.{name.lower()}: the table says {own[:generated]}, ODS {row}"
        elif not all(own[generated + (generated == 3):]):
            yield f"#blas.{name.lower()}: {row[0]} has no meaning, or an empty cell behind it"
    for key in rows:
        yield f"#blas.{name.lower()}: {key} is no parameter"


def main():
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", nargs="?", type=Path, default=Path(__file__).parents[1])
    parser.add_argument("document", nargs="?", type=Path)
    parser.add_argument("--write", action="store_true")
    parser.add_argument("--tblgen", default="llvm-tblgen")
    parser.add_argument("--mlir-include", type=Path)
    options = parser.parse_args()
    tblgen = shutil.which(options.tblgen)
    if not tblgen:
        parser.error(f"{options.tblgen} is not in PATH")
    mlir_include = options.mlir_include or Path(tblgen).resolve().parents[1] / "include"
    pages = [options.document] if options.document else [options.source / "docs" / page
                                                         for page in ("Plan.md", "Targets.md")]
    defs = records(options.source, tblgen, mlir_include)
    defs["data"] = {name: body for file in DATA
                    for name, body in STRUCT.findall((options.source / file).read_text())}
    defs["texts"] = {name: (options.source / path).read_text()
                     for name, path in (("Target", TARGET), ("Calibration", CALIBRATION))}
    problems, count = [], 0
    for page in pages:
        text = page.read_text()
        missing = set(TABLES["Targets.md"] if "table: Target " in text else ATTRIBUTES)

        def table(match):
            nonlocal count
            name = match["name"]
            missing.discard(name)
            generated = GENERATED.get(name, 3)
            stated = [cells(row) for row in match["rows"].splitlines()]
            real = list(parameters(defs, name))
            count += len(real)
            problems.extend(differences(name, stated, real, generated))
            rows = "".join(f"| {' | '.join(row)} |\n" for row in updated(stated, real, generated))
            return (f"<!-- table: {name} -->\n\n{match['head']}{rows}\n<!-- end -->")

        text = TABLE.sub(table, text)
        if options.write:
            page.write_text(text)
        problems += [f"#blas.{name.lower()} has no table" for name in sorted(missing)]
    if options.write:
        return 0
    for problem in problems:
        print(problem)
    print(f"{count} parameters")
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main())
