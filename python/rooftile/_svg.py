"""Pictures as SVG text: the same data give the same bytes, with no library but Python's own.

The package draws rooflines with it, the scripts of the project all their pictures. Text and
background follow the reader's light or dark scheme; lines and bars keep one colour that is readable
on both. Coordinates are pixels from the upper left corner.
"""
import html
import math

# One colour for each element type.
COLORS = {"f32": "#2f81f7", "f64": "#d9730d", "c64": "#2da44e", "c128": "#bf4bb3",
          "f16": "#1b9aaa", "bf16": "#a0724a"}
# For as many series of one panel.
PALETTE = [*COLORS.values(), "#cf4a4a", "#8f8f1f", "#7d6bd9", "#3d8b84", "#c2568a", "#7a8594"]
STYLE = """<style>
  rect.page { fill: #ffffff } rect.band { fill: #f6f8fa }
  text { fill: #1f2328; font: 11px sans-serif } text.code { font-family: monospace }
  .title { font-weight: bold; font-size: 12px }
  .grid { stroke: #d0d7de } .axis { stroke: #57606a } .soft { fill: #57606a }
  @media (prefers-color-scheme: dark) {
    rect.page { fill: #0d1117 } rect.band { fill: #161b22 } text { fill: #e6edf3 }
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

    def curve(self, points, color, dotted=False):
        places = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dots = ' stroke-dasharray="2 3"' if dotted else ""
        self.parts.append(f'<polyline fill="none" stroke="{color}" stroke-width="1.6"{dots} '
                          f'stroke-linejoin="round" points="{places}"/>')

    def bar(self, left, right, y, height, color):
        self.parts.append(f'<rect x="{left:.1f}" y="{y:.1f}" width="{max(right - left, 0.5):.1f}" '
                          f'height="{height:.1f}" fill="{color}"/>')

    def box(self, corner, size, color, kind="page"):
        """A frame with round corners, filled as the page or as a band on it."""
        self.parts.append(f'<rect class="{kind}" x="{corner[0]}" y="{corner[1]}" '
                          f'width="{size[0]}" height="{size[1]}" rx="5" stroke="{color}"/>')

    def mark(self, x, y, color, hollow=False, radius=3.5):
        fill = "none" if hollow else color
        self.parts.append(f'<circle cx="{x:.1f}" cy="{y:.1f}" r="{radius}" fill="{fill}" '
                          f'stroke="{color}"/>')

    def __str__(self):
        width, height = self.size
        head = (f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
                f'width="{width}" height="{height}" role="img">')
        title = f"<title>{html.escape(self.title)}</title>"
        page = f'<rect class="page" width="{width}" height="{height}"/>'
        return "\n".join([head, title, STYLE, page] + self.parts + ["</svg>"]) + "\n"

    def _repr_svg_(self):  # a notebook asks for it
        return str(self)


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
    """Positions in the same order, at least so far from each other: for labels at ends of lines."""
    order = sorted(range(len(places)), key=lambda index: places[index])
    moved = list(places)
    for before, after in zip(order, order[1:]):
        moved[after] = max(moved[after], moved[before] + distance)
    shift = max(moved, default=0) - max(places, default=0)
    return [place - shift / 2 for place in moved]


def ticks(low, high, logarithmic):
    """Round values between two ends."""
    if logarithmic:
        decades = range(math.floor(math.log10(low)), math.ceil(math.log10(high)) + 1)
        steps = (1,) if len(decades) > 4 else (1, 2, 5)
        values = [step * 10.0 ** decade for decade in decades for step in steps]
    else:
        decade = 10.0 ** math.floor(math.log10(high - low))
        step = next(size * decade for size in (0.1, 0.2, 0.5, 1)
                    if (high - low) / (size * decade) <= 8)
        values = [step * index for index in range(math.ceil(low / step), int(high / step) + 1)]
    return [value for value in values if low <= value <= high]


class Axes:
    """A panel of a picture in a frame (left, top, right, bottom), for values from low to high."""

    def __init__(self, picture, frame, across, up, logarithmic=False):
        left, top, right, bottom = self.frame = frame
        self.picture, self.logarithmic, self.entries = picture, logarithmic, 0
        self.across = Scale(across, (left, right), logarithmic)
        self.up = Scale(up, (bottom, top), logarithmic)

    def name(self, title, across="", up=""):
        left, top, right, bottom = self.frame
        self.picture.text(left, top - 22, title, kind="title")
        self.picture.text((left + right) / 2, bottom + 29, across, "middle", "soft")
        self.picture.text(left, top - 8, up, kind="soft")

    def grid_across(self, names=None):
        """Lines at round values, or at those of `names`, with these below them."""
        _, top, _, bottom = self.frame
        values = ticks(*self.across.values, self.logarithmic)
        for value, name in (names or {value: f"{value:g}" for value in values}).items():
            x = self.across(value)
            self.picture.line((x, top), (x, bottom))
            self.picture.text(x, bottom + 14, name, "middle", "soft")

    def grid_up(self):
        left, _, right, _ = self.frame
        for value in ticks(*self.up.values, self.logarithmic):
            self.picture.line((left, self.up(value)), (right, self.up(value)))
            self.picture.text(left - 5, self.up(value) + 4, f"{value:g}", "end", "soft")

    def places(self, points):
        return [(self.across(x), self.up(y)) for x, y in points]

    def marks(self, points, color, hollow=False):
        for x, y in self.places(points):
            self.picture.mark(x, y, color, hollow)

    def entry(self, name):
        """Where the next line of the legend, right of the frame, has its symbol."""
        x, y = self.frame[2] + 14, self.frame[1] + 8 + 15 * self.entries
        self.picture.text(x + 10, y + 4, name)
        self.entries += 1
        return x, y


class Roofline(Axes):
    """TFLOP/s over flops a byte of DRAM. `ceilings`: TFLOP/s and TB/s of the chip, None: unknown.

    The axes hold `points`, which are for the caller to draw.
    """

    def __init__(self, picture, frame, ceilings, points):
        xs, ys = ([point[axis] for point in points] for axis in (0, 1))
        if ceilings:
            knee = ceilings[0] / ceilings[1]
            xs = [*xs, knee / 2, knee]
            ys = [*ys, ceilings[0], min(xs) * ceilings[1] / 2]
        super().__init__(picture, frame, (min(xs) / 2, max(xs) * 2), (min(ys) / 2, max(ys) * 2),
                         logarithmic=True)
        self.grid_across()
        self.grid_up()
        if ceilings:
            self.draw_roof(*ceilings)

    def draw_roof(self, peak, rate):
        low, high = self.across.values
        ends = self.places([(low, rate * low), (peak / rate, peak), (high, peak)])
        for start, end in zip(ends, ends[1:]):
            self.picture.line(start, end, "axis", 1.6)
        self.picture.text(ends[2][0] - 4, ends[2][1] - 5, f"{peak:.4g} TFLOP/s", "end")
        self.picture.text(ends[0][0] + 8, ends[0][1] + 12, f"{rate:.4g} TB/s")
