"""Errors of the cost model, by which librooftile_cublas.so decides when to believe it.

model_times.py RESULT.csv... OUT.csv: the gemm, trsm and trmm cases of results of gemm-bench,
column-major, with the time that was measured, the one that was predicted and that of cuBLAS.
docs/Cublas.md describes the use of the file.
"""
import re
import sys

from result_file import read

LETTERS = {"f32": "s", "f64": "d", "c64": "c", "c128": "z"}
# A shorter time of cuBLAS in a result is that of the host, which cublas_times.py leaves out.
LEAST_US = 15
LEFT_OUT = re.compile("share=|dynamic|anyOrder")  # no call of cuBLAS is one of these


OPS = re.compile("[nt][nt]|tr[sm]m-[lr][lu][ntc][nu]|(symm|hemm)-[lr][lu]"
                 "|(sy|he)r2?k-[lu][ntc]")
SIDES, TRIANGLES = {"l": "r", "r": "l"}, {"l": "u", "u": "l"}
RANK_UPDATES = ("syrk", "herk", "syr2k", "her2k")


def by_columns(op):
    """Routine and operations: row-major C = A B is column-major C^T = B^T A^T."""
    if "-" not in op:
        return "gemm", op[::-1]
    routine, letters = op.split("-")
    if routine in RANK_UPDATES:
        triangle, transpose = letters
        across = "c" if routine.startswith("he") else "t"
        return routine, TRIANGLES[triangle] + ("n" if transpose != "n" else across)
    # A triangular routine has a transpose after these, and a diagonal.
    return routine, SIDES[letters[0]] + TRIANGLES[letters[1]] + letters[2:3]


def line(row, least_us):
    n, m, k = row["sizes"].split("x")
    routine, op = by_columns(row["op"])
    batch = re.search(r"batch=(\d+)", row["modifiers"])
    cublas = float(row["vendor_ms"] or 0) * 1e3
    form = "pointers" if "pointers" in row["modifiers"] else "strided" if batch else "one"
    return ",".join([routine, LETTERS[row["type"]], form, op, m, n, k,
                     batch.group(1) if batch else "1", f"{float(row['ours_ms']) * 1e3:.5g}",
                     f"{float(row['predicted_ms']) * 1e3:.5g}",
                     f"{cublas:.5g}" if cublas >= least_us else ""])


def is_meant(row):
    # Triangular calls that replace those of cuBLAS are exact.
    serves = not row["op"].startswith("tr") or "exact" in row["modifiers"].split()
    return (serves and row["type"] in LETTERS and OPS.fullmatch(row["op"])
            and row["ours_ms"] and row["predicted_ms"] and row["class"] != "columns"
            and not LEFT_OUT.search(row["modifiers"]))


def main():
    if len(sys.argv) < 3:
        sys.exit(__doc__)
    results = [read(name) for name in sys.argv[1:-1]]
    header = results[0][0]
    if any(other["chip"] != header["chip"] for other, _ in results):
        sys.exit("model_times.py: the results are of several chips")
    with open(sys.argv[-1], "w", encoding="utf-8") as out:
        for key in ("chip", "date", "compiler"):
            out.write(f"# {key}: {header[key]}\n")
        out.write("routine,type,form,op,m,n,k,batch,us,predicted_us,cublas_us\n")
        for header, rows in results:
            # Calls replayed as a graph cost the host nothing.
            least_us = 0.1 if "calls" in header else LEAST_US
            for row in filter(is_meant, rows):
                out.write(line(row, least_us) + "\n")


if __name__ == "__main__":
    main()
