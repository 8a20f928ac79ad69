"""What the scripts that draw results share: matplotlib, and how a picture is saved."""
import os
import sys


def load_pyplot():
    """matplotlib's pyplot without a display, or the end of the script that asks for it."""
    try:
        import matplotlib
    except ImportError:
        sys.exit(f"{os.path.basename(sys.argv[0])} needs matplotlib: apt install "
                 "python3-matplotlib, or pip")
    matplotlib.use("Agg")
    matplotlib.rcParams["svg.hashsalt"] = "rooftile"  # the same input, the same bytes
    import matplotlib.pyplot as pyplot
    return pyplot


def title(header, text=""):
    """Chip and date of a result file's header, and what the picture shows of it."""
    return f"{header.get('chip', '')}, {header.get('date', '')}{text}"


def beside_vendor(header):
    """What the symbols of a picture with both sides mean."""
    return f": filled ours, hollow {header.get('vendor', 'the vendor')}"


def panels(pyplot, names, size=(6, 4.5), columns=None):
    """A figure with a panel for each name, in rows of `columns` or in one row; and the panels."""
    columns = min(columns or len(names), len(names))
    lines = -(-len(names) // columns)
    figure, grid = pyplot.subplots(lines, columns, figsize=(size[0] * columns, size[1] * lines),
                                   squeeze=False)
    for axes, name in zip(grid.flat, names):
        axes.set_title(name, fontsize=10)
    for axes in grid.flat[len(names):]:
        axes.set_visible(False)
    return figure, grid.flat[:len(names)]


def draw_roof(axes, peak, rate, intensities):
    """The roofline of `peak` TFLOP/s and `rate` TB/s around kernels of some flops a byte."""
    knee = peak / rate
    ends = [min(min(intensities) / 2, knee / 4), knee, max(max(intensities), knee) * 2]
    axes.plot(ends, [min(peak, rate * x) for x in ends], color="black", linewidth=1)
    axes.annotate(f"{peak:.4g} TFLOP/s", (ends[2], peak), ha="right", va="bottom", fontsize=8)
    axes.annotate(f"{rate:.4g} TB/s", (ends[0], rate * ends[0]), ha="left", va="bottom", fontsize=8)


def save(figure, name, path):
    """Writes a figure under its name; SVG without the time of day."""
    figure.suptitle(name, fontsize=10)
    figure.tight_layout()
    figure.savefig(path, dpi=150, metadata={"Date": None} if path.endswith(".svg") else None)
