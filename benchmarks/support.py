"""Which operation runs in which type, and how far that was tried: from results and test lists."""
import re

# The operations of the table: name in the manifest, name on the page.
OPERATIONS = {"gemm": "gemm", "batches": "gemm, batched",
              "block-vectors": "gemm of block vectors (TSMTTSM, TSMM)", "trmm": "trmm",
              "trsm": "trsm", "syrk": "syrk, herk"}
TYPES = ("f32", "f64", "c64", "c128", "f16", "bf16")
BLOCK_VECTORS = ("tsmttsm", "tsmm", "widths", "columns")
RULES = ("*Measured*: in a result file of the chip, verified and timed. *Executed*: a list in "
         "test/Execution runs it on the host, every GPU thread a coroutine, or as a code object "
         "in an emulator of AMD GPUs; `make check` does so. *Compiled only*: gemm-opt writes code "
         "for the chip, and nobody has run it.")


def operation(row):
    """Key of a row of a result file."""
    if row["op"].startswith(("trmm", "trsm", "syrk", "herk")):
        return row["op"][:4].replace("herk", "syrk")
    if row["class"] in BLOCK_VECTORS:
        return "block-vectors"
    return "batches" if "batch=" in row["modifiers"] else "gemm"


def measured(rows):
    return {(operation(row), row["type"]) for row in rows
            if row["verified"] == "yes" and row["ours_ms"]}


def runs_on_cpu(path):
    test = path.with_suffix(".test")
    return test.exists() and f"{path.name} --device=cpu" in test.read_text()


def executed(root, is_run):
    """(operation, type) of the lists that are run; operands of one type alone."""
    found = set()
    for path in filter(is_run, sorted((root / "test" / "Execution").glob("*.cases"))):
        for line in path.read_text().splitlines():
            keys = dict(re.findall(r"(\w+)=(\S+)", line)) if not line.startswith("#") else {}
            for kind in set(keys.get("type", "f32").split(",")) & set(TYPES) if keys else ():
                routines = keys.get("routine", "gemm").split(",")
                found |= {(routine, kind) for routine in routines}
                if "gemm" in routines and set(keys.get("batch", "1").split(",")) - {"1"}:
                    found.add(("batches", kind))
                if path.stem == "tall-skinny":
                    found.add(("block-vectors", kind))
    return found


def names(pairs, wanted):
    return " ".join(kind for kind in TYPES if (wanted, kind) in pairs) or "-"


def table(root, results, compiled):
    """Markdown lines: types by operation, and by how far they were tried."""
    chips = [chip for chip in compiled["chips"] if chip not in {result.name for result in results}]
    columns = [(f"measured on {result.name}", measured(result.rows)) for result in results]
    columns.append(("executed on the CPU", executed(root, runs_on_cpu)))
    # test/Execution/AmdLists runs every list.
    emulated = {chip: root / "test" / "Execution" / "AmdLists" / f"{arch}.test"
                for chip, arch in compiled["emulated"].items()}
    emulated = [chip for chip, test in emulated.items() if test.exists()]
    chips = [chip for chip in chips if chip not in emulated]
    columns.append((f"executed in an emulator: {', '.join(emulated)}",
                    executed(root, lambda _: True)))
    columns.append((f"compiled only: {', '.join(chips)}",
                    {(of, kind) for of in OPERATIONS for kind in compiled[of]}))
    lines = ["| operation | " + " | ".join(title for title, _ in columns) + " |",
             "|---" * (len(columns) + 1) + "|"]
    for key, name in OPERATIONS.items():
        cells = [names(pairs, key) for _, pairs in columns]
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    return lines + ["", RULES]
