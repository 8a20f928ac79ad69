"""Writes modules of one random product each, parted by lines "// -----".

Any index order and rank, sums of several loops, windows, sides of 1. Each size of each operand is
static or dynamic in its type, whatever the other operands have; C is an argument, or allocated with sizes that
are numbers or those of an argument, and zeros or not. On tensors or memrefs, contiguous or strided; of
tensors the result may be read by an elementwise operation, a reshape or a transposition.

  random_products.py COUNT SEED
"""

import random
import sys

SIZES = [1, 1, 2, 3, 4, 5, 8]
NAMED = [
    ("matmul", "m k", "k n", "m n"),
    ("matvec", "m k", "k", "m"),
    ("vecmat", "k", "k n", "n"),
    ("dot", "k", "k", ""),
    ("batch_matmul", "b m k", "b k n", "b m n"),
    ("batch_matvec", "b m k", "b k", "b m"),
    ("batch_vecmat", "b k", "b k n", "b n"),
    ("batch_reduce_matmul", "b m k", "b k n", "m n"),
    ("mmt4d", "m k m1 k1", "n k n1 k1", "m n m1 n1"),
    ("conv_1d", "m+k", "k", "m"),
    ("conv_1d_nwc_wcf", "b m+k c", "k c n", "b m n"),
    ("conv_2d", "m+k m1+k1", "k k1", "m m1"),
    ("conv_2d_nhwc_hwcf", "b m+k m1+k1 c", "k k1 c n", "b m m1 n"),
    ("conv_2d_nchw_fchw", "b c m+k m1+k1", "n c k k1", "b n m m1"),
    ("conv_3d_ncdhw_fcdhw", "b c m+k m1+k1 m2+k2", "n c k k1 k2", "b n m m1 m2"),
]


def contraction(rng):
    """A generic operation: loops of rows, columns, batches and sums in any order."""
    loops = {kind: [f"{kind}{i}" for i in range(rng.randint(0, 2))] for kind in "mnbk"}
    operands = [loops["b"] + loops["m"] + loops["k"], loops["b"] + loops["n"] + loops["k"],
                loops["b"] + loops["m"] + loops["n"]]
    for operand in operands:
        rng.shuffle(operand)
    return operands


class Operand:
    """A tensor or memref: its sizes, which of them are dynamic in the type, and strides."""

    def __init__(self, rng, loops, size, kind, strided):
        self.loops, self.kind = loops, kind
        self.sizes = [sum(size[loop] for loop in index.split("+")) - index.count("+") for index in loops]
        self.open = [rng.random() < 0.4 for _ in loops]
        self.layout = ""
        if kind == "memref" and strided and loops and rng.random() < 0.25:
            self.layout = ", strided<[" + "?, " * (len(loops) - 1) + "1]>"

    def type(self, dims=None):
        dims = range(len(self.sizes)) if dims is None else dims
        shape = "".join("?x" if self.open[dim] else f"{self.sizes[dim]}x" for dim in dims)
        return f"{self.kind}<{shape}f32{self.layout}>"


class Function:
    """The lines of a function, as they are written."""

    def __init__(self, rng, number):
        self.rng, self.number = rng, number
        self.kind = rng.choice(["tensor", "tensor", "memref"])
        self.is_named = rng.random() < 0.5
        if self.is_named:
            self.name, *texts = rng.choice(NAMED)
            loops = [text.split() for text in texts]
        else:
            self.name, loops = "generic", contraction(rng)
        self.order = sorted({loop for operand in loops for index in operand for loop in index.split("+")})
        rng.shuffle(self.order)
        self.size = {loop: rng.choice(SIZES) for loop in self.order}
        self.where = rng.choice(["argument", "argument", "numbers", "sizes"])
        self.a, self.b = (Operand(rng, operand, self.size, self.kind, True) for operand in loops[:2])
        self.c = Operand(rng, loops[2], self.size, self.kind, self.where == "argument")
        self.lines = []

    def allocate(self):
        """C of its own: dynamic sizes are constants, or those of A and B where these have them."""
        numbers = []
        for dim, loop in enumerate(self.c.loops):
            if not self.c.open[dim]:
                continue
            numbers.append(f"%s{dim}")
            value, origin = next(((value, operand) for value, operand in (("%a", self.a), ("%b", self.b))
                                  if loop in operand.loops), (None, None))
            if self.where == "numbers" or origin is None:
                self.lines.append(f"%s{dim} = arith.constant {self.c.sizes[dim]} : index")
                continue
            self.lines += [f"%i{dim} = arith.constant {origin.loops.index(loop)} : index",
                           f"%s{dim} = {self.kind}.dim {value}, %i{dim} : {origin.type()}"]
        made = "tensor.empty" if self.kind == "tensor" else "memref.alloc"
        self.lines.append(f"%c = {made}({', '.join(numbers)}) : {self.c.type()}")

    def fill(self):
        """One value everywhere in C, mostly 0."""
        self.lines.append(f"%v = arith.constant {self.rng.choice(['0.0', '0.0', '1.0'])} : f32")
        result = f" -> {self.c.type()}" if self.kind == "tensor" else ""
        left = "%f = " if result else ""
        self.lines.append(f"{left}linalg.fill ins(%v : f32) outs(%c : {self.c.type()}){result}")
        return "%f" if result else "%c"

    def multiply(self, into):
        """The product."""
        result = f" -> {self.c.type()}" if self.kind == "tensor" else ""
        left = "%r = " if result else ""
        operands = f"ins(%a, %b : {self.a.type()}, {self.b.type()}) outs({into} : {self.c.type()})"
        if self.is_named:
            self.lines.append(f"{left}linalg.{self.name} {operands}{result}")
            return
        maps = ", ".join(f"affine_map<({', '.join(self.order)}) -> ({', '.join(operand.loops)})>"
                         for operand in (self.a, self.b, self.c))
        kinds = ", ".join('"reduction"' if loop[0] == "k" else '"parallel"' for loop in self.order)
        self.lines += [f"{left}linalg.generic {{indexing_maps = [{maps}], iterator_types = [{kinds}]}} {operands} {{",
                       "^bb0(%x: f32, %y: f32, %z: f32):", "%p = arith.mulf %x, %y : f32",
                       "%s = arith.addf %z, %p : f32", "linalg.yield %s : f32", f"}}{result}"]

    def read(self):
        """Readers of the result, a tensor: the last value and its type."""
        kind, rank, own = self.rng.choice(["nothing", "negate", "collapse", "transpose"]), len(self.c.sizes), self.c.type()
        if kind == "negate":
            self.lines.append(f"%n = arith.negf %r : {own}")
            return "%n", own
        if kind == "collapse" and rank > 1:
            known = not any(self.c.open[:2])
            first = str(self.c.sizes[0] * self.c.sizes[1]) if known else "?"
            rest = "".join("?x" if self.c.open[dim] else f"{self.c.sizes[dim]}x" for dim in range(2, rank))
            groups = ", ".join(["[0, 1]"] + [f"[{dim}]" for dim in range(2, rank)])
            self.lines.append(f"%n = tensor.collapse_shape %r [{groups}] : {own} into tensor<{first}x{rest}f32>")
            return "%n", f"tensor<{first}x{rest}f32>"
        if kind == "transpose" and rank > 1 and self.where == "argument":
            order = list(range(rank))
            self.rng.shuffle(order)
            sizes = []
            for to, dim in enumerate(order):
                if self.c.open[dim]:
                    self.lines += [f"%j{to} = arith.constant {dim} : index", f"%t{to} = tensor.dim %c, %j{to} : {own}"]
                    sizes.append(f"%t{to}")
            to = self.c.type(order)
            self.lines += [f"%e = tensor.empty({', '.join(sizes)}) : {to}",
                           f"%n = linalg.transpose ins(%r : {own}) outs(%e : {to}) permutation = {order}"]
            return "%n", to
        return "%r", own

    def write(self):
        """The whole function."""
        arguments = []
        for value, operand in (("%a", self.a), ("%b", self.b), ("%c", self.c)):
            if value == "%c" and self.where != "argument":
                continue
            sizes = ", ".join(str(size) for size in operand.sizes)
            noted = f" {{rooftile.sizes = array<i64: {sizes}>}}" if sizes else ""
            arguments.append(f"{value}: {operand.type()}{noted}")
        into = "%c"
        if self.where != "argument":
            self.allocate()
        if self.where != "argument" or self.rng.random() < 0.5:
            into = self.fill()
        self.multiply(into)
        value, kind = self.read() if self.kind == "tensor" else ("%c" if self.where != "argument" else "", self.c.type())
        self.lines.append(f"return {value} : {kind}" if value else "return")
        signature = f" -> {kind}" if value else ""
        body = "\n  ".join(self.lines)
        return f"func.func @product_{self.number}({', '.join(arguments)}){signature} {{\n  {body}\n}}\n"


def main():
    """Writes COUNT modules."""
    count, seed = int(sys.argv[1]), int(sys.argv[2])
    rng = random.Random(seed)
    print("// -----\n".join(Function(rng, number).write() for number in range(count)), end="")


if __name__ == "__main__":
    main()
