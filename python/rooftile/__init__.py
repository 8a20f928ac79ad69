"""BLAS level-3 operations, compiled for the GPU (or the CPU) at hand.

    import rooftile
    c = rooftile.gemm(a, b)                      # on NumPy, PyTorch, CuPy or JAX arrays
    print(rooftile.plan(4096, 4096, 4096, "f16", chip="h200").text)

Operands are taken where they lie, results are of the framework of the operands. docs/Python.md of
the project has more.
"""

from ._cluster import tune_on_cluster
from ._export import ExportedLibrary, dispatch
from ._modules import CompiledFunction, CompiledModule, compile
from ._plans import Plan, chips, plan, use_plans
from ._products import gemm, matmul, solve_triangular, trmm, trsm
from ._stateful import Gemm
from ._symmetric import hemm, her2k, herk, symm, syr2k, syrk, trtri
from ._tune import Tuned, TuningReport, autotune

__version__ = "0.1.0"

__all__ = ["CompiledFunction", "CompiledModule", "ExportedLibrary", "Gemm", "Plan", "Tuned",
           "TuningReport", "autotune", "chips", "compile", "dispatch", "gemm", "hemm", "her2k",
           "herk", "matmul", "plan", "solve_triangular", "symm", "syr2k", "syrk", "trmm", "trsm",
           "trtri", "tune_on_cluster", "use_plans"]
