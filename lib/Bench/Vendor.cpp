//===- Vendor.cpp - cuBLAS, opened at run time ----------------------------===//
//
// Functions by name; their arguments are those of VendorArguments.h.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Bench/Vendor.h"
#include "VendorArguments.h"
#include "llvm/ADT/StringExtras.h"

#include <dlfcn.h>

using namespace rooftile;
using namespace rooftile::bench;

/// Workspace that the vendor may use, as its documentation advises for Hopper (32 MiB) and more.
static constexpr size_t kWorkspaceBytes = size_t(256) << 20;

/// cublasGemmAlgo_t.
static constexpr int kDefaultAlgorithm = -1;

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

/// "cublasSgemm_v2": the function of the shape's routine and type.
static std::string functionOf(const Shape &shape, const char *suffix) {
  return std::string("cublas") + llvm::toUpper(infoOf(shape.element()).letter) +
         shape.operation.info().name + suffix;
}

/// cublasSgemm and its relatives.
static int callPlain(void *library, void *handle, const char *name, const VendorCall &a) {
  using Gemm = int (*)(void *, int, int, int, int, int, const void *, uint64_t, int, uint64_t, int,
                       const void *, uint64_t, int);
  auto gemm = symbol<Gemm>(library, name);
  return gemm ? gemm(handle, a.transposeLeft, a.transposeRight, a.rows, a.columns, a.depth, a.alpha,
                     a.left, a.leadingLeft, a.right, a.leadingRight, a.beta, a.out, a.leadingOut)
              : -1;
}

static int callBatched(void *library, void *handle, const char *name, const VendorCall &a) {
  using Gemm = int (*)(void *, int, int, int, int, int, const void *, uint64_t, int, long long,
                       uint64_t, int, long long, const void *, uint64_t, int, long long, int);
  auto gemm = symbol<Gemm>(library, name);
  return gemm ? gemm(handle, a.transposeLeft, a.transposeRight, a.rows, a.columns, a.depth, a.alpha,
                     a.left, a.leadingLeft, a.strideLeft, a.right, a.leadingRight, a.strideRight,
                     a.beta, a.out, a.leadingOut, a.strideOut, a.batch)
              : -1;
}

/// cublasSgemmBatched and its relatives: arrays of pointers.
static int callByPointers(void *library, void *handle, const char *name, const VendorCall &a) {
  using Gemm = int (*)(void *, int, int, int, int, int, const void *, uint64_t, int, uint64_t, int,
                       const void *, uint64_t, int, int);
  auto gemm = symbol<Gemm>(library, name);
  return gemm ? gemm(handle, a.transposeLeft, a.transposeRight, a.rows, a.columns, a.depth, a.alpha,
                     a.left, a.leadingLeft, a.right, a.leadingRight, a.beta, a.out, a.leadingOut,
                     a.batch)
              : -1;
}

/// Elements of a type that have matrix units, accumulators in f32: by pointers.
static int callMixedByPointers(void *library, void *handle, int dataType, int computeType,
                               const VendorCall &a) {
  using Gemm = int (*)(void *, int, int, int, int, int, const void *, uint64_t, int, int, uint64_t,
                       int, int, const void *, uint64_t, int, int, int, int, int);
  auto gemm = symbol<Gemm>(library, "cublasGemmBatchedEx");
  return gemm ? gemm(handle, a.transposeLeft, a.transposeRight, a.rows, a.columns, a.depth, a.alpha,
                     a.left, dataType, a.leadingLeft, a.right, dataType, a.leadingRight, a.beta,
                     a.out, dataType, a.leadingOut, a.batch, computeType, kDefaultAlgorithm)
              : -1;
}

/// Those of a batch with a stride, or of one matrix.
static int callMixed(void *library, void *handle, int dataType, int computeType,
                     const VendorCall &a) {
  using Gemm = int (*)(void *, int, int, int, int, int, const void *, uint64_t, int, int, long long,
                       uint64_t, int, int, long long, const void *, uint64_t, int, int, long long,
                       int, int, int);
  auto gemm = symbol<Gemm>(library, "cublasGemmStridedBatchedEx");
  return gemm ? gemm(handle, a.transposeLeft, a.transposeRight, a.rows, a.columns, a.depth, a.alpha,
                     a.left, dataType, a.leadingLeft, a.strideLeft, a.right, dataType,
                     a.leadingRight, a.strideRight, a.beta, a.out, dataType, a.leadingOut,
                     a.strideOut, a.batch, computeType, kDefaultAlgorithm)
              : -1;
}

bool Vendor::gemm(const Shape &shape, const OperandSet &operands) const {
  VendorScalars scalars(shape);
  VendorCall arguments = vendorArguments(shape, operands, scalars);
  VendorTypes types = vendorTypes(shape);
  if (bytesOf(shape.element()) == 2 || types.isTf32())
    return (shape.byPointers() ? callMixedByPointers : callMixed)(library, handle, types.data,
                                                                  types.compute, arguments) == 0;
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
      : side(!shape.isRight()),
        uplo(shape.isUpper() == (shape.operation.a.order == operation::Order::ColumnMajor)),
        op(*opOf(inMemory(shape, 0, shape.operation.opA))), diag(shape.isUnit()), rows(shape.n()),
        columns(shape.m()), leading(leadingOf(shape, 0)), leadingC(leadingOf(shape, 2)),
        scalars(shape) {}

  int side, uplo, op, diag, rows, columns, leading, leadingC;
  VendorScalars scalars;
};
} // namespace

bool Vendor::triangular(const Shape &shape, const OperandSet &operands) const {
  using Multiply = int (*)(void *, int, int, int, int, int, int, const void *, uint64_t, int,
                           uint64_t, int, uint64_t, int);
  using Solve =
      int (*)(void *, int, int, int, int, int, int, const void *, uint64_t, int, uint64_t, int);
  TriangularArguments a(shape);
  std::string name = functionOf(shape, "_v2");
  if (shape.operation.routine == Routine::Trsm) {
    auto solve = symbol<Solve>(library, name.c_str());
    return solve && solve(handle, a.side, a.uplo, a.op, a.diag, a.rows, a.columns,
                          a.scalars.alpha(), operands[0], a.leading, operands[2], a.leadingC) == 0;
  }
  auto multiply = symbol<Multiply>(library, name.c_str());
  return multiply &&
         multiply(handle, a.side, a.uplo, a.op, a.diag, a.rows, a.columns, a.scalars.alpha(),
                  operands[0], a.leading, operands[1], a.leadingC, operands[2], a.leadingC) == 0;
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
  int uplo = !shape.isUpper(), op = a.op ? *opOf(operation::Op::N) : *opOf(across);
  std::string name = functionOf(shape, "_v2");
  if (!shape.operation.has(1)) {
    auto update = symbol<One>(library, name.c_str());
    return update && update(handle, uplo, op, a.rows, int(shape.k()), a.scalars.alpha(),
                            operands[0], a.leading, a.scalars.beta(), operands[2], a.leadingC) == 0;
  }
  auto update = symbol<Two>(library, name.c_str());
  return update &&
         update(handle, uplo, op, a.rows, int(shape.k()), a.scalars.alpha(), operands[0], a.leading,
                operands[1], leadingOf(shape, 1), a.scalars.beta(), operands[2], a.leadingC) == 0;
}

/// The transpose of a symmetric matrix is one, too, of the other triangle.
bool Vendor::symmetricProduct(const Shape &shape, const OperandSet &operands) const {
  using Multiply = int (*)(void *, int, int, int, int, const void *, uint64_t, int, uint64_t, int,
                           const void *, uint64_t, int);
  TriangularArguments a(shape);
  auto multiply = symbol<Multiply>(library, functionOf(shape, "_v2").c_str());
  return multiply && multiply(handle, a.side, a.uplo, a.rows, a.columns, a.scalars.alpha(),
                              operands[0], a.leading, operands[1], leadingOf(shape, 1),
                              a.scalars.beta(), operands[2], a.leadingC) == 0;
}

bool Vendor::solveBatch(const Shape &shape, const OperandSet &pointers) const {
  using Solve = int (*)(void *, int, int, int, int, int, int, const void *, uint64_t, int, uint64_t,
                        int, int);
  TriangularArguments a(shape);
  auto solve = symbol<Solve>(library, functionOf(shape, "Batched").c_str());
  return solve && solve(handle, a.side, a.uplo, a.op, a.diag, a.rows, a.columns, a.scalars.alpha(),
                        pointers[0], a.leading, pointers[2], a.leadingC, int(shape.batch())) == 0;
}

bool Vendor::call(const Shape &shape, const Operands &operands, size_t set) const {
  const operation::Operation &operation = shape.operation;
  if (!isCallable(shape))
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
