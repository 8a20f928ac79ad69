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
    import matplotlib.pyplot as pyplot
    return pyplot


def title(header, text=""):
    """Chip and date of a result file's header, and what the picture shows of it."""
    return f"{header.get('chip', '')}, {header.get('date', '')}{text}"


def beside_vendor(header):
    """What the symbols of a picture with both sides mean."""
    return f": filled ours, hollow {header.get('vendor', 'the vendor')}"


def save(figure, name, path):
    """Writes a figure under its name; SVG without the time of day."""
    figure.suptitle(name, fontsize=10)
    figure.tight_layout()
    figure.savefig(path, dpi=150, metadata={"Date": None} if path.endswith(".svg") else None)
