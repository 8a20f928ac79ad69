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
  blas.gemm op_a<t> ins(%a, %a : memref<4x4xf64>, memref<4x4xf64>) outs(%c : memref<4x4xf64>)
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
    refuses(TypeError, "scaled takes 4 arguments, not 2", scaled, a, b)
    refuses(TypeError, "argument 0 of scaled: expected memref", scaled, 1.0, b, c, 2.0)
    refuses(TypeError, "argument 3 of scaled: expected f32", scaled, a, b, c, c)
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
    refuses(ValueError, "@f takes tensor<4xf32>", rooftile.compile,
            "func.func @f(%a: tensor<4xf32>) { return }")
    refuses(RuntimeError, "returns nothing", rooftile.compile,
            "func.func @f(%a: i64) -> i64 { return %a : i64 }")
    refuses(ValueError, "device is 'gpu'; expected 'cpu' or 'cuda'", rooftile.compile, TWO, "gpu")
    refuses(ValueError, "chip: .*h20o", rooftile.compile, TWO, "cpu", "h20o")
