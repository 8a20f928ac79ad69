"""Pictures as SVG text: the same data give the same bytes, with no library but Python's own.

Text and background follow the reader's light or dark scheme; lines and bars keep one colour that is
readable on both. Coordinates are pixels from the upper left corner.
"""
import html
import math

# One colour for each element type.
COLORS = {"f32": "#2f81f7", "f64": "#d9730d", "c64": "#2da44e", "c128": "#bf4bb3",
          "f16": "#1b9aaa", "bf16": "#a0724a"}
STYLE = """<style>
  rect.page { fill: #ffffff }
  text { fill: #1f2328; font: 11px sans-serif }
  .title { font-weight: bold; font-size: 12px }
  .grid { stroke: #d0d7de } .axis { stroke: #57606a } .soft { fill: #57606a }
  @media (prefers-color-scheme: dark) {
    rect.page { fill: #0d1117 } text { fill: #e6edf3 }
    .grid { stroke: #30363d } .axis { stroke: #8b949e } .soft { fill: #9198a1 }
  }
</style>"""


class Picture:
    def __init__(self, width, height, title):
        self.size = (width, height)
        self.title = title
        self.parts = []

    def text(self, x, y, words, anchor="start", kind="", color=""):
        name = f' class="{kind}"' if kind else ""
        style = f' style="fill: {color}"' if color else ""
        self.parts.append(f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"{name}{style}>'
                          f"{html.escape(words)}</text>")

    def line(self, start, end, kind="grid", width=1):
        self.parts.append(f'<line class="{kind}" stroke-width="{width}" x1="{start[0]:.1f}" '
                          f'y1="{start[1]:.1f}" x2="{end[0]:.1f}" y2="{end[1]:.1f}"/>')

    def curve(self, points, color):
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        self.parts.append(f'<polyline fill="none" stroke="{color}" stroke-width="1.6" '
                          f'stroke-linejoin="round" points="{places}"/>')

    def bar(self, left, right, y, height, color):
        self.parts.append(f'<rect x="{left:.1f}" y="{y:.1f}" width="{max(right - left, 0.5):.1f}" '
                          f'height="{height:.1f}" fill="{color}"/>')

    def __str__(self):
        width, height = self.size
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
                f'width="{width}" height="{height}" role="img">')
        title = f"<title>{html.escape(self.title)}</title>"
        page = f'<rect class="page" width="{width}" height="{height}"/>'
        return "\n".join([head, title, STYLE, page] + self.parts + ["</svg>"]) + "\n"


class Scale:
    """Values of an axis as pixels between two ends, by ratio where it is logarithmic."""

    def __init__(self, values, pixels, logarithmic=False):
        self.of = math.log if logarithmic else float
        self.low, self.high = (self.of(value) for value in values)
        self.values, self.pixels = values, pixels

    def __call__(self, value):
        value = min(max(value, self.values[0]), self.values[1])
        share = (self.of(value) - self.low) / (self.high - self.low)
        return self.pixels[0] + share * (self.pixels[1] - self.pixels[0])


def apart(places, distance):
    """Places in the same order, at least so far from each other: for labels at ends of lines."""
    order = sorted(range(len(places)), key=lambda index: places[index])
    moved = list(places)
    for before, after in zip(order, order[1:]):
        moved[after] = max(moved[after], moved[before] + distance)
    shift = max(moved, default=0) - max(places, default=0)
    return [place - shift / 2 for place in moved]
