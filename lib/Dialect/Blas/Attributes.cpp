//===- Attributes.cpp - Target, plan and contract -------------------------===//
//
// Verifiers say what no plan or target can be; whether a plan fits one chip
// and one operation is a question for Planning (check).
//
//===----------------------------------------------------------------------===//

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rooftile::blas;

/// [128, 128, 16]
static ParseResult parseSizes(AsmParser &parser, SmallVector<int64_t> &sizes) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        [&] { return parser.parseInteger(sizes.emplace_back()); });
}

static void printSizes(AsmPrinter &printer, ArrayRef<int64_t> sizes) {
  printer << '[';
  llvm::interleaveComma(sizes, printer);
  printer << ']';
}

/// [?, 128, 16]
static ParseResult parseExtents(AsmParser &parser, SmallVector<int64_t> &sizes) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    int64_t &size = sizes.emplace_back(ShapedType::kDynamic);
    return succeeded(parser.parseOptionalQuestion()) ? success() : parser.parseInteger(size);
  });
}
static void printExtents(AsmPrinter &printer, ArrayRef<int64_t> sizes) {
  auto print = [&](int64_t size) {
    ShapedType::isDynamic(size) ? printer << "?" : printer << size;
  };
  printer << '[';
  llvm::interleaveComma(sizes, printer, print);
  printer << ']';
}

/// [<pointer a align 16>, <size a[0]>]
static ParseResult parseArgs(AsmParser &parser, SmallVector<ArgAttr> &args) {
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square, [&]() -> ParseResult {
    args.push_back(dyn_cast_or_null<ArgAttr>(ArgAttr::parse(parser, Type())));
    return success(args.back() != nullptr);
  });
}

static void printArgs(AsmPrinter &printer, ArrayRef<ArgAttr> args) {
  printer << '[';
  llvm::interleaveComma(args, printer, [&](ArgAttr arg) { arg.print(printer); });
  printer << ']';
}

#include "rooftile/Dialect/Blas/BlasEnums.cpp.inc"
#define GET_ATTRDEF_CLASSES
#include "rooftile/Dialect/Blas/BlasAttributes.cpp.inc"

void BlasDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "rooftile/Dialect/Blas/BlasAttributes.cpp.inc"
      >();
}

using Emit = function_ref<InFlightDiagnostic()>;

LogicalResult PathAttr::verify(Emit emit, Via via, Copy copy, int64_t vector, int64_t pad,
                               int64_t swizzle, int64_t lanes) {
  if (vector < 1 || vector > 16 || !llvm::isPowerOf2_64(vector))
    return emit() << "path: vector = " << vector << " is not 1, 2, 4, 8 or 16";
  if (pad < 0 || pad > 1024)
    return emit() << "path: pad = " << pad << " is not in 0 .. 1024";
  if (lanes < 0 || lanes > 1024)
    return emit() << "path: lanes = " << lanes << " is not in 0 .. 1024";
  if (swizzle < 0 || swizzle > 64 || (swizzle != 0 && !llvm::isPowerOf2_64(swizzle)))
    return emit() << "path: swizzle = " << swizzle << " is not 0 or a power of 2 up to 64";
  if (via == Via::Register && (pad != 0 || swizzle != 0 || lanes != 0 || copy != Copy::Register))
    return emit() << "path: pad, swizzle, lanes and copy belong to via = shared";
  return success();
}

/// Micro tiles divide the macro tile, runs divide micro tiles, lanes divide the workgroup.
static LogicalResult verifyTiling(Emit emit, ArrayRef<int64_t> macro, ArrayRef<int64_t> micro,
                                  ArrayRef<int64_t> lanes, int64_t vector) {
  static constexpr llvm::StringLiteral names = "MN";
  for (int dim : {0, 1}) {
    if (macro[dim] % micro[dim] != 0)
      return emit() << "plan: macro tile " << macro[dim] << " is not a multiple of micro tile "
                    << micro[dim] << " along " << names.slice(dim, dim + 1);
    if (micro[dim] % vector != 0)
      return emit() << "plan: micro tile " << micro[dim] << " is not a multiple of vector "
                    << vector << " along " << names.slice(dim, dim + 1);
    if ((macro[dim] / micro[dim]) % lanes[dim] != 0)
      return emit() << "plan: " << macro[dim] / micro[dim] << " threads along "
                    << names.slice(dim, dim + 1) << " are not a multiple of " << lanes[dim]
                    << " lanes";
  }
  return success();
}

LogicalResult PlanAttr::verify(Emit emit, ArrayRef<int64_t> macro, ArrayRef<int64_t> micro,
                               ArrayRef<int64_t> lanes, int64_t vector, Mma, PathAttr a, PathAttr b,
                               Via c, int64_t stages, int64_t ahead, Reduction reduction,
                               int64_t splits, Tail, int64_t raster, int64_t residency) {
  if (macro.size() != 3)
    return emit() << "plan: macro takes 3 sizes (M, N, K), got " << macro.size();
  if (micro.size() != 2)
    return emit() << "plan: micro takes 2 sizes (M, N), got " << micro.size();
  if (lanes.size() != 2)
    return emit() << "plan: lanes takes 2 sizes (M, N), got " << lanes.size();
  auto positive = [](int64_t size) { return size > 0 && size <= (1 << 20); };
  if (!llvm::all_of(macro, positive) || !llvm::all_of(micro, positive) ||
      !llvm::all_of(lanes, positive))
    return emit() << "plan: tile sizes must lie in 1 .. 2^20";
  if (vector < 1 || vector > 8 || !llvm::isPowerOf2_64(vector))
    return emit() << "plan: vector = " << vector << " is not 1, 2, 4 or 8";
  if (stages < 1 || stages > 16)
    return emit() << "plan: stages = " << stages << " is not in 1 .. 16";
  if (ahead < 0 || ahead > 1)
    return emit() << "plan: ahead = " << ahead << " is not 0 or 1";
  if (raster < 1 || raster > (1 << 20))
    return emit() << "plan: raster = " << raster << " is not in 1 .. 2^20";
  if (residency < 1 || residency > 64)
    return emit() << "plan: residency = " << residency << " is not in 1 .. 64";
  if (splits < 1 || splits > 65536)
    return emit() << "plan: splits = " << splits << " is not in 1 .. 65536";
  if (splits > 1 && reduction == Reduction::None)
    return emit() << "plan: splits = " << splits << " with reduction = none: "
                  << "partial sums must be combined";
  return verifyTiling(emit, macro, micro, lanes, vector);
}

LogicalResult BlocksAttr::verify(Emit emit, int64_t diagonal, int64_t workgroup) {
  if (diagonal < 0 || diagonal > (1 << 20))
    return emit() << "blocks: diagonal = " << diagonal << " is not in 0 .. 2^20";
  if (workgroup < 1 || workgroup > 1024)
    return emit() << "blocks: workgroup = " << workgroup << " is not in 1 .. 1024";
  return success();
}

LogicalResult TilingAttr::verify(Emit emit, ArrayRef<int64_t> tile, int64_t threads,
                                 int64_t vector) {
  auto positive = [](int64_t size) { return size > 0 && size <= (1 << 20); };
  if (tile.size() != 2 || !llvm::all_of(tile, positive))
    return emit() << "tiling: tile takes 2 sizes (M, N) in 1 .. 2^20";
  if (threads < 1 || threads > 1024)
    return emit() << "tiling: threads = " << threads << " is not in 1 .. 1024";
  if (vector < 1 || vector > 8 || !llvm::isPowerOf2_64(vector))
    return emit() << "tiling: vector = " << vector << " is not 1, 2, 4 or 8";
  if (tile[1] % vector != 0 || tile[0] * tile[1] / vector % threads != 0)
    return emit() << "tiling: a tile of " << tile[0] << "x" << tile[1] << " in accesses of "
                  << vector << " does not divide evenly among " << threads << " threads";
  return success();
}

int64_t PlanAttr::getThreads() const {
  return getMacro()[0] / getMicro()[0] * (getMacro()[1] / getMicro()[1]);
}

bool PlanAttr::exchangesC() const {
  return getC() == Via::Shared || getReduction() == Reduction::Cluster;
}

int64_t PlanAttr::getSharedBytes(int64_t bytesOfA, int64_t bytesOfB, int64_t bytesOfSum) const {
  // Each operand is kept K-major: K rows of M (or N) elements plus the padding;
  // a slot begins at a multiple of 16 bytes.
  auto bytes = [&](PathAttr path, int64_t extent, int64_t elementBytes) {
    int64_t slot = getMacro()[2] * (extent + path.getPad()) * elementBytes;
    return path.getVia() == Via::Shared ? llvm::alignTo(slot, 16) : 0;
  };
  int64_t exchanged = exchangesC() ? getMacro()[0] * getMacro()[1] : 0;
  return getStages() *
             (bytes(getA(), getMacro()[0], bytesOfA) + bytes(getB(), getMacro()[1], bytesOfB)) +
         llvm::alignTo(exchanged * bytesOfSum, 16);
}

LogicalResult ArgAttr::verify(Emit emit, ArgKind kind, Role role, int64_t dim, int64_t align) {
  bool scalar = role == Role::Alpha || role == Role::Beta;
  if (scalar != (kind == ArgKind::Scalar))
    return emit() << "argument: " << stringifyArgKind(kind) << " does not go with "
                  << stringifyRole(role) << "; alpha and beta are scalars, a, b and c are not";
  if (dim < 0 || (dim > 0 && kind != ArgKind::Size && kind != ArgKind::Stride))
    return emit() << "argument: dimension " << dim << " of a " << stringifyArgKind(kind);
  bool pointer = kind == ArgKind::Pointer || kind == ArgKind::Workspace;
  if (align != 0 && (!pointer || !llvm::isPowerOf2_64(align)))
    return emit() << "argument: align = " << align << " of a " << stringifyArgKind(kind)
                  << "; a pointer may have a power of 2";
  return success();
}

LogicalResult ContractAttr::verify(Emit emit, ArrayRef<ArgAttr> args, ArrayRef<int64_t> tile,
                                   ArrayRef<int64_t> output, int64_t workgroup, int64_t sharedBytes,
                                   int64_t residency, int64_t splits, int64_t cluster) {
  if (!output.empty() && output.size() != 2 && output.size() != 3)
    return emit() << "contract: output takes 2 sizes (M, N) or 3 (batch, M, N), got "
                  << output.size();
  if (splits < 1 || cluster < 1 || splits % cluster != 0)
    return emit() << "contract: splits = " << splits
                  << " is not a positive multiple of cluster = " << cluster;
  if (residency < 1)
    return emit() << "contract: residency = " << residency << " is not positive";
  if (tile.size() != 2 || llvm::any_of(tile, [](int64_t size) { return size <= 0; }))
    return emit() << "contract: tile takes 2 positive sizes (M, N)";
  if (workgroup <= 0)
    return emit() << "contract: workgroup = " << workgroup << " is not positive";
  if (sharedBytes < 0)
    return emit() << "contract: sharedBytes = " << sharedBytes << " is negative";
  llvm::SmallDenseSet<ArgAttr> seen;
  for (ArgAttr arg : args)
    if (!seen.insert(arg).second)
      return emit() << "contract: " << arg << " appears twice";
  return success();
}
