"""How far the cost model is off, for librooftile_cublas.so to know when to believe it.

model_times.py RESULT.csv OUT.csv: the gemm cases of a result of gemm-bench, column-major, with the
time that was measured, the one that was predicted and that of cuBLAS. docs/Cublas.md says what
becomes of the file.
"""
import re
import sys

from result_file import read

LETTERS = {"f32": "s", "f64": "d", "c64": "c", "c128": "z"}
# A shorter time of cuBLAS in a result is that of the host, which cublas_times.py leaves out.
LEAST_US = 15
LEFT_OUT = re.compile("share=|dynamic|any_order")  # no call of cuBLAS is one of these


def line(row):
    """Row-major C = A B is column-major C^T = B^T A^T."""
    n, m, k = row["sizes"].split("x")
    batch = re.search(r"batch=(\d+)", row["modifiers"])
    cublas = float(row["vendor_ms"] or 0) * 1e3
    form = "pointers" if "pointers" in row["modifiers"] else "strided" if batch else "one"
    return ",".join([LETTERS[row["type"]], form, row["op"][::-1], m, n, k,
                     batch.group(1) if batch else "1", f"{float(row['ours_ms']) * 1e3:.5g}",
                     f"{float(row['predicted_ms']) * 1e3:.5g}",
                     f"{cublas:.5g}" if cublas >= LEAST_US else ""])


def is_meant(row):
    return (row["type"] in LETTERS and re.fullmatch("[nt][nt]", row["op"])
            and row["ours_ms"] and row["predicted_ms"] and row["class"] != "columns"
            and not LEFT_OUT.search(row["modifiers"]))


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__)
    header, rows = read(sys.argv[1])
    with open(sys.argv[2], "w", encoding="utf-8") as out:
        for key in ("chip", "date", "compiler"):
            out.write(f"# {key}: {header[key]}\n")
        out.write("type,form,op,m,n,k,batch,us,predicted_us,cublas_us\n")
        for row in filter(is_meant, rows):
            out.write(line(row) + "\n")


if __name__ == "__main__":
    main()
