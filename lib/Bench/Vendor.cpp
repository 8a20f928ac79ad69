//===- Vendor.cpp - cuBLAS, opened at run time ----------------------------===//
//
// cuBLAS is column-major: row-major C = op(A) op(B) is C^T = op(B)^T op(A)^T
// there. Source of names and enumerators: the cuBLAS reference.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Bench/Vendor.h"
#include "llvm/ADT/StringExtras.h"

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

bool Vendor::open(const Driver &driver, std::string &why) {
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
  workspace = driver.allocate(kWorkspaceBytes);
  rooftileClearError(); // without one it has its own
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
  // A new stream resets the workspace.
  auto setWorkspace = symbol<int (*)(void *, void *, size_t)>(library, "cublasSetWorkspace_v2");
  if (setWorkspace && workspace)
    setWorkspace(handle, workspace, kWorkspaceBytes);
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

/// cublasOperation_t; none for conjugation alone, which it does not have.
static std::optional<int> opOf(operation::Op op) {
  switch (op) {
  case operation::Op::N:
    return 0;
  case operation::Op::T:
    return 1;
  case operation::Op::C:
    return 2;
  case operation::Op::J:
    break;
  }
  return std::nullopt;
}

/// 1 (`index` 0) or 0 (1) in the type of the scalars. Read as complex values, aligned as such: 16
/// bytes for cuDoubleComplex.
static const void *scalarOf(const Shape &shape, int index) {
  alignas(16) static const float singles[] = {1, 0, 0, 0};
  alignas(16) static const double doubles[] = {1, 0, 0, 0};
  bool isDouble = bytesOf(realOf(shape.element())) == 8;
  return isDouble ? static_cast<const void *>(doubles + 2 * index) : singles + 2 * index;
}

static int leadingOf(const Shape &shape, int operand) {
  return int(shape.operation.operand(operand).leading);
}

static Arguments argumentsOf(const Shape &shape, const OperandSet &operands) {
  const operation::Operation &operation = shape.operation;
  return {*opOf(operation.opB), *opOf(operation.opA), int(shape.n()),      int(shape.m()),
          int(shape.k()),       scalarOf(shape, 0),   scalarOf(shape, 1),  operands[1],
          operands[0],          operands[2],          leadingOf(shape, 1), leadingOf(shape, 0),
          leadingOf(shape, 2),  shape.step(1),        shape.step(0),       shape.elements(2),
          int(shape.batch())};
}

/// "cublasSgemm_v2": the function of the shape's routine and type.
static std::string functionOf(const Shape &shape, const char *suffix) {
  return std::string("cublas") + llvm::toUpper(infoOf(shape.element()).letter) +
         shape.operation.info().name + suffix;
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

/// 16-bit elements by pointers, accumulators in f32.
static int callMixedByPointers(void *library, void *handle, int dataType, const Arguments &a) {
  using Gemm = int (*)(void *, int, int, int, int, int, const void *, uint64_t, int, int, uint64_t,
                       int, int, const void *, uint64_t, int, int, int, int, int);
  auto gemm = symbol<Gemm>(library, "cublasGemmBatchedEx");
  return gemm ? gemm(handle, a.transposeLeft, a.transposeRight, a.rows, a.columns, a.depth, a.one,
                     a.left, dataType, a.leadingLeft, a.right, dataType, a.leadingRight, a.zero,
                     a.out, dataType, a.leadingOut, a.batch, kCompute32F, kDefaultAlgorithm)
              : -1;
}

/// 16-bit elements, accumulators in f32.
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
  if (bytesOf(shape.element()) == 2)
    return (shape.byPointers() ? callMixedByPointers : callMixed)(
               library, handle, shape.element() == Element::F16 ? kReal16F : kReal16BF,
               arguments) == 0;
  if (shape.byPointers())
    return callByPointers(library, handle, functionOf(shape, "Batched").c_str(), arguments) == 0;
  if (shape.batch() > 1)
    return callBatched(library, handle, functionOf(shape, "StridedBatched").c_str(), arguments) ==
           0;
  return callPlain(library, handle, functionOf(shape, "_v2").c_str(), arguments) == 0;
}

namespace {
/// Row-major A, B, C are A^T, B^T, C^T there: the other side, the other triangle, the same op.
struct TriangularArguments {
  explicit TriangularArguments(const Shape &shape)
      : side(!shape.isRight()), uplo(!shape.isUpper()), op(*opOf(shape.operation.opA)),
        diag(shape.isUnit()), rows(shape.n()), columns(shape.m()), order(shape.k()),
        one(scalarOf(shape, 0)), zero(scalarOf(shape, 1)) {}

  int side, uplo, op, diag, rows, columns, order;
  const void *one, *zero;
};
} // namespace

bool Vendor::triangular(const Shape &shape, const OperandSet &operands) const {
  using Multiply = int (*)(void *, int, int, int, int, int, int, const void *, uint64_t, int,
                           uint64_t, int, uint64_t, int);
  using Solve =
      int (*)(void *, int, int, int, int, int, int, const void *, uint64_t, int, uint64_t, int);
  TriangularArguments a(shape);
  std::string name = functionOf(shape, "_v2");
  if (shape.inPlace()) {
    auto solve = symbol<Solve>(library, name.c_str());
    return solve && solve(handle, a.side, a.uplo, a.op, a.diag, a.rows, a.columns, a.one,
                          operands[0], a.order, operands[2], a.rows) == 0;
  }
  auto multiply = symbol<Multiply>(library, name.c_str());
  return multiply && multiply(handle, a.side, a.uplo, a.op, a.diag, a.rows, a.columns, a.one,
                              operands[0], a.order, operands[1], a.rows, operands[2], a.rows) == 0;
}

/// Row-major C = op(A) op(B)^H + op(B) op(A)^H is C^T = op'(A^T)^* op'(B^T)^H + .. there, the other
/// triangle, of op' the other way round; with one matrix as with two.
bool Vendor::rankUpdate(const Shape &shape, const OperandSet &operands) const {
  using One =
      int (*)(void *, int, int, int, int, const void *, uint64_t, int, const void *, uint64_t, int);
  using Two = int (*)(void *, int, int, int, int, const void *, uint64_t, int, uint64_t, int,
                      const void *, uint64_t, int);
  TriangularArguments a(shape);
  bool isHermitian = shape.operation.info().c == operation::Structure::Hermitian;
  operation::Op across = isHermitian ? operation::Op::C : operation::Op::T;
  int op = a.op ? *opOf(operation::Op::N) : *opOf(across), leading = leadingOf(shape, 0);
  std::string name = functionOf(shape, "_v2");
  if (!shape.operation.has(1)) {
    auto update = symbol<One>(library, name.c_str());
    return update && update(handle, a.uplo, op, a.rows, int(shape.k()), a.one, operands[0], leading,
                            a.zero, operands[2], a.rows) == 0;
  }
  auto update = symbol<Two>(library, name.c_str());
  return update && update(handle, a.uplo, op, a.rows, int(shape.k()), a.one, operands[0], leading,
                          operands[1], leadingOf(shape, 1), a.zero, operands[2], a.rows) == 0;
}

/// The transpose of a symmetric or Hermitian matrix is one, too, of the other triangle.
bool Vendor::symmetricProduct(const Shape &shape, const OperandSet &operands) const {
  using Multiply = int (*)(void *, int, int, int, int, const void *, uint64_t, int, uint64_t, int,
                           const void *, uint64_t, int);
  TriangularArguments a(shape);
  auto multiply = symbol<Multiply>(library, functionOf(shape, "_v2").c_str());
  return multiply && multiply(handle, a.side, a.uplo, a.rows, a.columns, a.one, operands[0],
                              a.order, operands[1], a.rows, a.zero, operands[2], a.rows) == 0;
}

bool Vendor::solveBatch(const Shape &shape, const OperandSet &pointers) const {
  using Solve = int (*)(void *, int, int, int, int, int, int, const void *, uint64_t, int, uint64_t,
                        int, int);
  TriangularArguments a(shape);
  auto solve = symbol<Solve>(library, functionOf(shape, "Batched").c_str());
  return solve && solve(handle, a.side, a.uplo, a.op, a.diag, a.rows, a.columns, a.one, pointers[0],
                        a.order, pointers[2], a.rows, int(shape.batch())) == 0;
}

bool Vendor::call(const Shape &shape, const Operands &operands, size_t set) const {
  const operation::Operation &operation = shape.operation;
  if (!opOf(operation.opA) || !opOf(operation.opB))
    return false;
  if (operation.routine == Routine::Gemm)
    return gemm(shape, shape.byPointers() ? operands.pointers[set] : operands.sets[set]);
  if (!infoOf(shape.element()).letter || !operation.has(0))
    return false; // 16 bits, and an inverse
  if (shape.batch() > 1)
    return operation.routine == Routine::Trsm && solveBatch(shape, operands.pointers[set]);
  if (operation.isTriangular())
    return triangular(shape, operands.sets[set]);
  return operation.info().hasSide ? symmetricProduct(shape, operands.sets[set])
                                  : rankUpdate(shape, operands.sets[set]);
}
