//===- Vendor.cpp - cuBLAS, opened at run time ----------------------------===//
//
// cuBLAS is column-major: row-major C = op(A) op(B) is C^T = op(B)^T op(A)^T
// there. Source of names and enumerators: the cuBLAS reference.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Bench/Vendor.h"

#include <dlfcn.h>

using namespace rooftile;
using namespace rooftile::bench;

/// Workspace that the vendor may use, as its documentation advises for Hopper (32 MiB) and more.
static constexpr size_t kWorkspaceBytes = size_t(256) << 20;

/// cublasComputeType_t and cublasGemmAlgo_t.
static constexpr int kCompute32F = 68, kDefaultAlgorithm = -1;

template <typename Function> static Function symbol(void *library, const char *name) {
  return reinterpret_cast<Function>(dlsym(library, name));
}

bool Vendor::open(const CudaDriver &driver, std::string &why) {
  for (const char *name : {"libcublas.so.13", "libcublas.so.12", "libcublas.so"})
    if (!library)
      library = dlopen(name, RTLD_NOW);
  if (!library) {
    why = "libcublas.so.13, .12 or .so cannot be opened";
    return false;
  }
  auto create = symbol<int (*)(void **)>(library, "cublasCreate_v2");
  if (!create || create(&handle) != 0) {
    why = "cublasCreate fails";
    handle = nullptr;
    return false;
  }
  if (driver.memAlloc(&workspace, kWorkspaceBytes) != 0)
    workspace = 0;
  useStream(nullptr);
  return true;
}

std::string Vendor::version() const {
  if (!handle)
    return "absent";
  int version = 0;
  symbol<int (*)(void *, int *)>(library, "cublasGetVersion_v2")(handle, &version);
  return std::to_string(version / 10000) + "." + std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}

void Vendor::useStream(void *stream) const {
  if (!handle)
    return;
  if (auto setStream = symbol<int (*)(void *, void *)>(library, "cublasSetStream_v2"))
    setStream(handle, stream);
  // A new stream takes the workspace away.
  auto setWorkspace = symbol<int (*)(void *, void *, size_t)>(library, "cublasSetWorkspace_v2");
  if (setWorkspace && workspace)
    setWorkspace(handle, reinterpret_cast<void *>(workspace), kWorkspaceBytes);
}

namespace {
/// The arguments of every gemm of the library, as it wants them.
struct Arguments {
  int transposeLeft, transposeRight, rows, columns, depth;
  const void *one, *zero;
  uint64_t left, right, out;
  int leadingLeft, leadingRight, leadingOut;
  long long strideLeft, strideRight, strideOut;
  int batch;
};
} // namespace

static Arguments argumentsOf(const Shape &shape, const OperandSet &operands) {
  // Read as complex numbers, aligned as such: 16 bytes for cuDoubleComplex.
  alignas(16) static const float singles[] = {1, 0, 0, 0};
  alignas(16) static const double doubles[] = {1, 0, 0, 0};
  bool isDouble = bytesOf(realOf(shape.element)) == 8;
  const void *one = isDouble ? static_cast<const void *>(doubles) : singles;
  const void *zero = isDouble ? static_cast<const void *>(doubles + 2) : singles + 2;
  int leadingA = shape.transposeA ? shape.m : shape.k;
  int leadingB = shape.transposeB ? shape.k : shape.n, leadingC = shape.n;
  return {shape.transposeB,
          shape.transposeA,
          int(shape.n),
          int(shape.m),
          int(shape.k),
          one,
          zero,
          operands[1],
          operands[0],
          operands[2],
          leadingB,
          leadingA,
          leadingC,
          shape.stepB(),
          shape.stepA(),
          shape.elementsC(),
          int(shape.batch)};
}

/// cublasSgemm and its relatives.
static int callPlain(void *library, void *handle, const char *name, const Arguments &a) {
  using Gemm = int (*)(void *, int, int, int, int, int, const void *, uint64_t, int, uint64_t, int,
                       const void *, uint64_t, int);
  auto gemm = symbol<Gemm>(library, name);
  return gemm ? gemm(handle, a.transposeLeft, a.transposeRight, a.rows, a.columns, a.depth, a.one,
                     a.left, a.leadingLeft, a.right, a.leadingRight, a.zero, a.out, a.leadingOut)
              : -1;
}

static int callBatched(void *library, void *handle, const char *name, const Arguments &a) {
  using Gemm = int (*)(void *, int, int, int, int, int, const void *, uint64_t, int, long long,
                       uint64_t, int, long long, const void *, uint64_t, int, long long, int);
  auto gemm = symbol<Gemm>(library, name);
  return gemm ? gemm(handle, a.transposeLeft, a.transposeRight, a.rows, a.columns, a.depth, a.one,
                     a.left, a.leadingLeft, a.strideLeft, a.right, a.leadingRight, a.strideRight,
                     a.zero, a.out, a.leadingOut, a.strideOut, a.batch)
              : -1;
}

/// cublasSgemmBatched and its relatives: arrays of pointers.
static int callByPointers(void *library, void *handle, const char *name, const Arguments &a) {
  using Gemm = int (*)(void *, int, int, int, int, int, const void *, uint64_t, int, uint64_t, int,
                       const void *, uint64_t, int, int);
  auto gemm = symbol<Gemm>(library, name);
  return gemm ? gemm(handle, a.transposeLeft, a.transposeRight, a.rows, a.columns, a.depth, a.one,
                     a.left, a.leadingLeft, a.right, a.leadingRight, a.zero, a.out, a.leadingOut,
                     a.batch)
              : -1;
}

/// 16-bit elements by pointers, sums in f32.
static int callMixedByPointers(void *library, void *handle, int dataType, const Arguments &a) {
  using Gemm = int (*)(void *, int, int, int, int, int, const void *, uint64_t, int, int, uint64_t,
                       int, int, const void *, uint64_t, int, int, int, int, int);
  auto gemm = symbol<Gemm>(library, "cublasGemmBatchedEx");
  return gemm ? gemm(handle, a.transposeLeft, a.transposeRight, a.rows, a.columns, a.depth, a.one,
                     a.left, dataType, a.leadingLeft, a.right, dataType, a.leadingRight, a.zero,
                     a.out, dataType, a.leadingOut, a.batch, kCompute32F, kDefaultAlgorithm)
              : -1;
}

/// 16-bit elements, sums in f32.
static int callMixed(void *library, void *handle, int dataType, const Arguments &a) {
  using Gemm = int (*)(void *, int, int, int, int, int, const void *, uint64_t, int, int, long long,
                       uint64_t, int, int, long long, const void *, uint64_t, int, int, long long,
                       int, int, int);
  auto gemm = symbol<Gemm>(library, "cublasGemmStridedBatchedEx");
  return gemm ? gemm(handle, a.transposeLeft, a.transposeRight, a.rows, a.columns, a.depth, a.one,
                     a.left, dataType, a.leadingLeft, a.strideLeft, a.right, dataType,
                     a.leadingRight, a.strideRight, a.zero, a.out, dataType, a.leadingOut,
                     a.strideOut, a.batch, kCompute32F, kDefaultAlgorithm)
              : -1;
}

bool Vendor::gemm(const Shape &shape, const OperandSet &operands) const {
  constexpr int kReal16F = 2, kReal16BF = 14; // cudaDataType
  Arguments arguments = argumentsOf(shape, operands);
  llvm::StringRef type = nameOf(shape.element);
  if (bytesOf(shape.element) == 2)
    return (shape.byPointers ? callMixedByPointers : callMixed)(
               library, handle, type == "f16" ? kReal16F : kReal16BF, arguments) == 0;
  const char letter = type == "f32" ? 'S' : type == "f64" ? 'D' : type == "c64" ? 'C' : 'Z';
  std::string name = std::string("cublas") + letter + "gemm";
  if (shape.byPointers)
    return callByPointers(library, handle, (name + "Batched").c_str(), arguments) == 0;
  if (shape.batch > 1)
    return callBatched(library, handle, (name + "StridedBatched").c_str(), arguments) == 0;
  return callPlain(library, handle, (name + "_v2").c_str(), arguments) == 0;
}

namespace {
/// Row-major A, B, C are A^T, B^T, C^T there: the other side, the other triangle, the same op.
struct TriangularArguments {
  explicit TriangularArguments(const Shape &shape)
      : side(!shape.right), uplo(!shape.upper), op(shape.conjugateA ? 2 : shape.transposeA),
        diag(shape.unit), rows(shape.n), columns(shape.m), order(shape.k),
        letter(bytesOf(realOf(shape.element)) == 4
                   ? (componentsOf(shape.element) == 2 ? 'C' : 'S')
                   : (componentsOf(shape.element) == 2 ? 'Z' : 'D')) {}
  std::string name(const char *routine) const { return std::string("cublas") + letter + routine; }

  int side, uplo, op, diag, rows, columns, order;
  char letter;
};
} // namespace

bool Vendor::triangular(const Shape &shape, const OperandSet &operands) const {
  using Multiply = int (*)(void *, int, int, int, int, int, int, const void *, uint64_t, int,
                           uint64_t, int, uint64_t, int);
  using Solve =
      int (*)(void *, int, int, int, int, int, int, const void *, uint64_t, int, uint64_t, int);
  const void *one = argumentsOf(shape, operands).one;
  TriangularArguments a(shape);
  std::string name = a.name(shape.inPlace() ? "trsm_v2" : "trmm_v2");
  if (shape.inPlace()) {
    auto solve = symbol<Solve>(library, name.c_str());
    return solve && solve(handle, a.side, a.uplo, a.op, a.diag, a.rows, a.columns, one, operands[0],
                          a.order, operands[2], a.rows) == 0;
  }
  auto multiply = symbol<Multiply>(library, name.c_str());
  return multiply && multiply(handle, a.side, a.uplo, a.op, a.diag, a.rows, a.columns, one,
                              operands[0], a.order, operands[1], a.rows, operands[2], a.rows) == 0;
}

/// Row-major C = op(A) op(A)^H is C^T = op'(A^T) op'(A^T)^H there, the other triangle, of op' the
/// other way round.
bool Vendor::rankUpdate(const Shape &shape, const OperandSet &operands) const {
  using Update =
      int (*)(void *, int, int, int, int, const void *, uint64_t, int, const void *, uint64_t, int);
  constexpr int kTransposed = 1, kAdjoint = 2; // cublasOperation_t
  TriangularArguments triangle(shape);
  Arguments arguments = argumentsOf(shape, operands);
  bool hermitian = shape.routine == Routine::Herk;
  int op = shape.transposeA ? 0 : hermitian ? kAdjoint : kTransposed;
  auto update = symbol<Update>(library, triangle.name(hermitian ? "herk_v2" : "syrk_v2").c_str());
  return update && update(handle, triangle.uplo, op, int(shape.m), int(shape.k), arguments.one,
                          operands[0], int(shape.transposeA ? shape.m : shape.k), arguments.zero,
                          operands[2], int(shape.m)) == 0;
}

bool Vendor::solveBatch(const Shape &shape, const OperandSet &pointers) const {
  using Solve = int (*)(void *, int, int, int, int, int, int, const void *, uint64_t, int, uint64_t,
                        int, int);
  TriangularArguments a(shape);
  auto solve = symbol<Solve>(library, a.name("trsmBatched").c_str());
  return solve &&
         solve(handle, a.side, a.uplo, a.op, a.diag, a.rows, a.columns, argumentsOf(shape, {}).one,
               pointers[0], a.order, pointers[2], a.rows, int(shape.batch)) == 0;
}

bool Vendor::call(const Shape &shape, const Operands &operands, size_t set) const {
  if (shape.isRankUpdate())
    return bytesOf(shape.element) > 2 && shape.batch == 1 && rankUpdate(shape, operands.sets[set]);
  if (!shape.isTriangular())
    return gemm(shape, shape.byPointers ? operands.pointers[set] : operands.sets[set]);
  if (bytesOf(shape.element) == 2)
    return false;
  if (shape.batch == 1)
    return triangular(shape, operands.sets[set]);
  return shape.inPlace() && solveBatch(shape, operands.pointers[set]);
}
