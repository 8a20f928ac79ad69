"""Configuration of lit for the tests of this folder.

Tools are found by name: those of the build (gemm-opt, gemm-run), then LLVM's (FileCheck, not,
mlir-opt, split-file). Substitutions: %python, %source (the project), %build,
%bare (a command without the toolkits of CUDA and ROCm), %not.
Features, for REQUIRES: `ptxas`, `nvdisasm` (and %nvdisasm), `cuda-device`, `clang-format`, `ld.lld`, `device-libs` (AMD's),
`scipy`, `numpy` (and %numpy_python, an interpreter that has it),
`runtime-library` (other programs can load it: not where it is instrumented),
`blas-testers` (and %blas_testers, the folder of Debian's libblas-test),
`plugin` (and %plugin, the options with which MLIR's mlir-opt loads it), `python-package` (and
%package_python, the interpreter that the package is built for and that has numpy and pytest),
`jaxlib` (and %jaxlib_include, the headers of that in this interpreter), `dlpack-header` (and
%dlpack_include, the folder of PyTorch that has dlpack.h).
"""

import ctypes
import glob
import os
import shutil
import subprocess

import lit.formats

config.name = "rooftile"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Unit", "Inputs", "gtest"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.rooftile_build, "test")


def has_module(python, name):
    """Whether the interpreter has a module: Debian's own does, with python3-scipy and the like."""
    return subprocess.run([python, "-c", f"import {name}"],
                          stderr=subprocess.DEVNULL).returncode == 0


if not has_module(config.python, "scipy") and has_module("/usr/bin/python3", "scipy"):
    config.python = "/usr/bin/python3"

tools = [os.path.join(config.rooftile_build, "bin"), config.llvm_tools]
config.environment["PYTHON"] = config.python
config.environment["PATH"] = os.pathsep.join(tools + [config.environment["PATH"]])
config.substitutions += [
    ("%python", config.python),
    ("%source", config.rooftile_source),
    ("%build", config.rooftile_build),
    ("%cmake", config.cmake),
    ("%bare", "env -u CUDA_HOME -u CUDA_PATH -u ROCM_ROOT -u ROCM_HOME CUDA_ROOT=/nowhere "
              "ROCM_PATH=/nowhere PATH=" + os.path.join(config.rooftile_build, "bin")),
    ("%not", os.path.join(config.llvm_tools, "not")),
    ("%cxx", config.cxx),
    ("%cc", config.cc),
    ("%mlir_dir", config.mlir_dir),
    ("%launcher", f"-DCMAKE_CXX_COMPILER_LAUNCHER={config.ccache}" if config.ccache else ""),
]


def find_ptxas():
    """ptxas by PATH, by the toolkit's usual variables, or where CUDA is installed by default."""
    roots = [os.environ.get(name) for name in ("CUDA_ROOT", "CUDA_HOME", "CUDA_PATH")]
    folders = [os.path.join(root, "bin") for root in roots + ["/usr/local/cuda"] if root]
    found = [shutil.which("ptxas")] + [shutil.which("ptxas", path=folder) for folder in folders]
    return next((path for path in found if path), None)


def has_cuda_device():
    """Whether the driver is present and has a GPU."""
    try:
        driver = ctypes.CDLL("libcuda.so.1")
    except OSError:
        return False
    count = ctypes.c_int(0)
    return driver.cuInit(0) == 0 and driver.cuDeviceGetCount(
        ctypes.byref(count)) == 0 and count.value > 0


def has_device_libraries():
    """Whether AMD's device libraries are where blas-to-rocdl looks for them."""
    roots = [os.environ.get(name) for name in ("ROCM_PATH", "ROCM_ROOT", "ROCM_HOME")]
    roots += ["/opt/rocm", "/usr/lib/x86_64-linux-gnu", "/usr/lib/aarch64-linux-gnu",
              "/usr/lib64", "/usr/lib"]
    return any(os.path.exists(os.path.join(root, "amdgcn/bitcode/ocml.bc"))
               for root in roots if root)


def folder_of(python, module):
    """The folder of a module, without importing it, which is slow for JAX and PyTorch."""
    code = f"import importlib.util; print(importlib.util.find_spec('{module}').origin)"
    found = subprocess.run([python, "-c", code], capture_output=True, text=True)
    return os.path.dirname(found.stdout.strip()) or "/nowhere"


def find_clang_format():
    """clang-format of the LLVM in use: other versions format otherwise."""
    beside = shutil.which("clang-format", path=config.llvm_tools)
    return beside or shutil.which("clang-format-22")


def find_nvdisasm():
    """NVIDIA's disassembler by PATH, of the toolkit of ptxas, or its package in the build's interpreter."""
    pattern = os.path.join(config.rooftile_build, "venv/lib/python*/site-packages/nvidia/*/bin/nvdisasm")
    beside = [os.path.join(os.path.dirname(find_ptxas() or ""), "nvdisasm")]
    found = [shutil.which("nvdisasm")] + [path for path in beside + glob.glob(pattern)
                                          if os.access(path, os.X_OK)]
    return next((path for path in found if path), None)


nvdisasm = find_nvdisasm()
if nvdisasm:
    config.available_features.add("nvdisasm")
    config.substitutions.append(("%nvdisasm", nvdisasm))

ptxas = find_ptxas()
if ptxas:
    config.available_features.add("ptxas")
    config.environment["CUDA_ROOT"] = os.path.dirname(os.path.dirname(ptxas))
    config.environment["PATH"] += os.pathsep + os.path.dirname(ptxas)
if has_cuda_device():
    config.available_features.add("cuda-device")
    if "CUDA_VISIBLE_DEVICES" in os.environ:
        config.environment["CUDA_VISIBLE_DEVICES"] = os.environ["CUDA_VISIBLE_DEVICES"]
if shutil.which("ld.lld", path=config.environment["PATH"]):
    config.available_features.add("ld.lld")
if has_device_libraries():
    config.available_features.add("device-libs")
if has_module(config.python, "scipy"):
    config.available_features.add("scipy")
for interpreter in (config.package_python, config.python, "/usr/bin/python3"):
    if interpreter and has_module(interpreter, "numpy"):
        config.available_features.add("numpy")
        config.substitutions.append(("%numpy_python", interpreter))
        break
clang_format = find_clang_format()
if clang_format:
    config.available_features.add("clang-format")
    config.substitutions.append(("%clang_format", clang_format))
if not config.sanitize:
    config.available_features.add("runtime-library")
plugin = os.path.join(config.rooftile_build, "lib", "RooftilePlugin.so")
if os.path.exists(plugin):
    config.available_features.add("plugin")
    config.substitutions.append(
        ("%plugin", f"--load-dialect-plugin={plugin} --load-pass-plugin={plugin}"))
package = os.path.join(config.rooftile_build, "python", "rooftile")
if (config.package_python and glob.glob(os.path.join(package, "_core*.so"))
        and has_module(config.package_python, "numpy, pytest")):
    config.available_features.add("python-package")
    config.substitutions.append(("%package_python", config.package_python))
    jaxlib_include = os.path.join(folder_of(config.package_python, "jaxlib"), "include")
    if os.path.isdir(jaxlib_include):
        config.available_features.add("jaxlib")
        config.substitutions.append(("%jaxlib_include", jaxlib_include))
    dlpack_include = os.path.join(folder_of(config.package_python, "torch"), "include", "ATen")
    if os.path.isfile(os.path.join(dlpack_include, "dlpack.h")):
        config.available_features.add("dlpack-header")
        config.substitutions.append(("%dlpack_include", dlpack_include))
blas_testers = glob.glob("/usr/lib/*/blas/xblat3s")
if blas_testers and not config.sanitize:
    config.available_features.add("blas-testers")
    config.substitutions.append(("%blas_testers", os.path.dirname(blas_testers[0])))
if lit_config.params.get("huge"):
    config.available_features.add("huge")  # tests that need tens of gigabytes
