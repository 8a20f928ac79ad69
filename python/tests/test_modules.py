"""compile()."""

import numpy as np
import pytest
import rooftile

SCALED = """
func.func @scaled(%a: memref<?x?xf32>, %b: memref<?x8xf32>,
                  %c: memref<?x8xf32, strided<[?, 1], offset: ?>>, %alpha: f32) {
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x8xf32>)
            outs(%c : memref<?x8xf32, strided<[?, 1], offset: ?>>) alpha(%alpha : f32)
  return
}
"""
TWO = """
func.func @first(%a: memref<4x4xf64>, %c: memref<4x4xf64>) {
  blas.gemm ins(%a, %a : memref<4x4xf64>, memref<4x4xf64>) outs(%c : memref<4x4xf64>)
  return
}
func.func @second(%a: memref<4x4xf64>, %c: memref<4x4xf64>) {
  blas.gemm opA<t> ins(%a, %a : memref<4x4xf64>, memref<4x4xf64>) outs(%c : memref<4x4xf64>)
  return
}
"""


def test_one_function(integers):
    module = rooftile.compile(SCALED)
    assert module.functions == ["scaled"]
    assert module.scaled.parameters[3] == "f32"
    a, b, whole = integers((5, 7)), integers((7, 8)), np.zeros((5, 20), "float32")
    module(a, b, whole[:, 3:11], 2.0)
    np.testing.assert_array_equal(whole[:, 3:11], 2 * (a @ b))
    assert not whole[:, :3].any() and not whole[:, 11:].any()


def test_two_functions(integers):
    module = rooftile.compile(TWO)
    a, c = integers((4, 4), "float64"), np.empty((4, 4))
    module.first(a, c)
    np.testing.assert_array_equal(c, a @ a)
    module["second"](a, c)
    np.testing.assert_array_equal(c, a.T @ a)
    with pytest.raises(TypeError, match="the module has functions first, second: name one"):
        module(a, c)
    with pytest.raises(AttributeError, match="no function third; there are first, second"):
        module.third


def refuses(kind, text, function, *arguments):
    with pytest.raises(kind, match=text):
        function(*arguments)


def test_arguments(integers):
    scaled = rooftile.compile(SCALED).scaled
    a, b, c = integers((5, 7)), integers((7, 8)), np.zeros((5, 8), "float32")
    refuses(TypeError, "scaled has 4 arguments, not 2", scaled, a, b)
    refuses(TypeError, "argument 0 of scaled: expected memref.*, not a number", scaled, 1.0, b, c,
            2.0)
    refuses(TypeError, "argument 3 of scaled: expected f32, not an array", scaled, a, b, c, c)
    refuses(TypeError, r"argument 1 of scaled: expected memref<\?x8xf32>, not f64", scaled, a,
            b.astype("float64"), c, 2.0)
    refuses(ValueError, r"argument 1 of scaled: .*, not the shape \(7, 7\)", scaled, a,
            b[:, :7].copy(), c, 2.0)
    refuses(ValueError, r"argument 0 of scaled: .*, not strides of \(1, 5\)", scaled,
            np.asfortranarray(a), b, c, 2.0)
    c.flags.writeable = False
    refuses(ValueError, "argument 2 of scaled is read-only", scaled, a, b, c, 2.0)


def test_text():
    refuses(ValueError, "module.*:1:13", rooftile.compile, "func.func @f(")
    refuses(ValueError, "the module has no public function", rooftile.compile, "module {}")
    refuses(ValueError, "@f has the argument tensor<4xf32>", rooftile.compile,
            "func.func @f(%a: tensor<4xf32>) { return }")
    refuses(ValueError, "@f returns something; expected results in memrefs", rooftile.compile,
            "func.func @f(%a: i64) -> i64 { return %a : i64 }")
    refuses(ValueError, "device is 'gpu'; expected 'cpu', 'cuda' or 'hip'", rooftile.compile, TWO,
            "gpu")
    refuses(ValueError, "chip: .*h20o", rooftile.compile, TWO, "cpu", "h20o")


NUMBERS = """
func.func @numbers(%n: index, %i: i32, %x: f32, %z: complex<f32>, %y: memref<4xf32>) {
  %m = arith.index_cast %n : index to i32
  %s = arith.addi %m, %i : i32
  %f = arith.sitofp %s : i32 to f32
  %v = arith.addf %f, %x : f32
  linalg.fill ins(%v : f32) outs(%y : memref<4xf32>)
  return
}
"""


def test_numbers():
    numbers, y = rooftile.compile(NUMBERS).numbers, np.empty(4, "float32")
    numbers(3, -5, 0.5, 4j, y)
    np.testing.assert_array_equal(y, [-1.5] * 4)
    numbers(np.int64(3), True, np.float32(0.5), 2, y)
    np.testing.assert_array_equal(y, [4.5] * 4)
    numbers(3, 2**32 - 1, 1, 0, y)  # signless: the same bits as -1
    np.testing.assert_array_equal(y, [3] * 4)


def test_numbers_that_lose_something():
    numbers, y = rooftile.compile(NUMBERS).numbers, np.empty(4, "float32")
    expected = "argument {} of numbers: expected {}, not {}".format
    refuses(TypeError, expected(0, "index", "1.7"), numbers, 1.7, 1, 1.0, 1j, y)
    refuses(TypeError, expected(0, "index", "nan"), numbers, float("nan"), 1, 1.0, 1j, y)
    refuses(TypeError, expected(1, "i32", ".*1.0"), numbers, 1, np.float64(1), 1.0, 1j, y)
    refuses(ValueError, "i32, not 1099511627776, which is out of its range", numbers, 1, 2**40, 1.0,
            1j, y)
    refuses(ValueError, "index, not .*, which is out of its range", numbers, 2**80, 1, 1.0, 1j, y)
    refuses(TypeError, r"argument 2 of numbers: expected f32, not \(3\+5j\)", numbers, 1, 1, 3 + 5j,
            1j, y)
    refuses(TypeError, "argument 2 of numbers: expected f32, not .*1j", numbers, 1, 1,
            np.complex64(1j), 1j, y)
    refuses(ValueError, r"f32, not 1e\+300, which is out of its range", numbers, 1, 1, 1e300, 1j, y)
    refuses(TypeError, "argument 2 of numbers is of type builtins.str", numbers, 1, 1, "1", 1j, y)
    refuses(TypeError, "argument 2 of numbers is of type builtins.NoneType", numbers, 1, 1, None,
            1j, y)


OPEN = """
func.func @product(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
  return
}
func.func @sums(%a: memref<?x4xf32>, %x: memref<?xf32>, %c: memref<?x?xf32>, %times: i32) {
  %c1 = arith.constant 1 : index
  %rows = memref.dim %c, %c1 : memref<?x?xf32>
  %b = memref.alloc(%rows) : memref<4x?xf32>
  %one = arith.constant 1.0 : f32
  linalg.fill ins(%one : f32) outs(%b : memref<4x?xf32>)
  linalg.matmul ins(%a, %b : memref<?x4xf32>, memref<4x?xf32>) outs(%c : memref<?x?xf32>)
  %zero = arith.constant 0 : i32
  %twice = arith.cmpi ne, %times, %zero : i32
  scf.if %twice {
    linalg.generic {indexing_maps = [affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i, j)>],
                    iterator_types = ["parallel", "parallel"]}
        ins(%x : memref<?xf32>) outs(%c : memref<?x?xf32>) {
    ^bb0(%e: f32, %f: f32):
      %s = arith.addf %e, %f : f32
      linalg.yield %s : f32
    }
  }
  return
}
"""


def ones(*shape):
    return np.ones(shape, "float32")


def test_sizes_that_contradict_each_other():
    product = rooftile.compile(OPEN).product
    memory = np.full(4096, 7, "float32")
    for a, b, c, what in (((8, 4), (4, 8), (1, 1), "argument 2 has size 1 along dimension 0, but "
                           "argument 0 has size 8 along dimension 0"),
                          ((8, 4), (4, 8), (8, 9), "argument 2 has size 9 along dimension 1, but "
                           "argument 1 has size 8 along dimension 1"),
                          ((8, 4), (3, 8), (8, 8), "argument 0 has size 4 along dimension 1, but "
                           "argument 1 has size 3 along dimension 0")):
        out = memory[64:64 + c[0] * c[1]].reshape(c)
        refuses(ValueError, what + ": sizes disagree", product, ones(*a), ones(*b), out)
        assert (memory == 7).all()
    out = np.zeros((8, 6), "float32")
    product(ones(8, 4), ones(4, 6), out)
    np.testing.assert_array_equal(out, np.full((8, 6), 4))


def test_sizes_of_what_runs():
    sums, c = rooftile.compile(OPEN).sums, np.zeros((8, 6), "float32")
    sums(ones(8, 4), ones(5), c, False)  # the addition does not run
    np.testing.assert_array_equal(c, np.full((8, 6), 4))
    refuses(ValueError, "argument 1 has size 5 along dimension 0", sums, ones(8, 4), ones(5), c,
            True)
    refuses(ValueError, "argument 0 has size 7 along dimension 0", sums, ones(7, 4), ones(6), c,
            False)
    sums(ones(8, 4), ones(6), c, True)


def test_none():
    for arguments in ((None,), (TWO, None), (TWO, "cpu", None)):
        refuses(TypeError, "is None; expected a str", rooftile.compile, *arguments)
    first = rooftile.compile(TWO).first
    refuses(TypeError, "argument 0 of first is of type builtins.NoneType", first, None, ones(4, 4))


def test_calls_of_private_functions(integers):
    f = rooftile.compile("""
func.func @f(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
  call @g(%a, %b, %c) : (memref<4x4xf32>, memref<4x4xf32>, memref<4x4xf32>) -> ()
  return
}
func.func private @g(%a: memref<4x4xf32>, %b: memref<4x4xf32>, %c: memref<4x4xf32>) {
  linalg.matmul ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}""")
    a, b, c = integers((4, 4)), integers((4, 4)), np.zeros((4, 4), "float32")
    f(a, b, c)
    np.testing.assert_array_equal(c, a @ b)
    refuses(RuntimeError, "calls f", rooftile.compile,
            "func.func @f(%a: i64) { call @f(%a) : (i64) -> ()\n return }")


def test_deep_nesting():
    deep = 50000
    text = "module {" * deep + "}" * deep
    refuses(ValueError, "module:1:2056: nested more than 256 deep", rooftile.compile, text)
