//===- PlanAttribute.cpp - Text and verifiers of plans --------------------===//
//
// The text of #blas.plan and #blas.path comes from the table of keys (PlanData), what no plan can
// be from the table of rules (PlanRules). Whether a plan fits one chip and one operation is a
// question for planning.
//
//===----------------------------------------------------------------------===//

#include "StructReader.h"
#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Blas/BlockStage.h"
#include "rooftile/Dialect/Blas/PlanRules.h"
#include "rooftile/Dialect/Tile/Instructions.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::blas;

using Emit = function_ref<InFlightDiagnostic()>;

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// <via = shared, vector = 4>, or the whole attribute; of the plan's key `owner`, empty for none.
static ParseResult readPath(AsmParser &parser, StringRef owner, PathData &path) {
  if (OptionalParseResult whole = readWhole<PathAttr>(parser, path); whole.has_value())
    return *whole;
  std::string name = owner.empty() ? "path" : ("path '" + owner + "' of the plan").str();
  return StructReader<PathData>(parser, "path", name, pathKeys()).read(path);
}

ParseResult blas::readValue(KeyContext in, PathData &path) {
  return readPath(in.parser, in.key.name, path);
}

ParseResult blas::readValue(KeyContext in, const tile::Instruction *&instruction) {
  SMLoc place = in.parser.getCurrentLocation();
  StringRef name;
  if (in.parser.parseKeyword(&name))
    return failure();
  instruction = tile::findInstruction(name);
  if (!instruction && name != "fma")
    return in.parser.emitError(place)
           << "plan: mma = " << name << " does not exist; there are fma, "
           << tile::instructionNames();
  return success();
}

Attribute PathAttr::parse(AsmParser &parser, Type) {
  SMLoc place = parser.getCurrentLocation();
  PathData path;
  if (readPath(parser, "", path))
    return {};
  return parser.getChecked<PathAttr>(place, parser.getContext(), path);
}

void PathAttr::print(AsmPrinter &printer) const { printer << textOf(getData()); }

Attribute PlanAttr::parse(AsmParser &parser, Type) {
  SMLoc place = parser.getCurrentLocation();
  PlanData plan;
  if (StructReader<PlanData>(parser, "plan", "plan", planKeys()).read(plan))
    return {};
  return parser.getChecked<PlanAttr>(place, parser.getContext(), plan);
}

void PlanAttr::print(AsmPrinter &printer) const { printer << textOf(getData()); }

Attribute BlocksAttr::parse(AsmParser &parser, Type) {
  SMLoc place = parser.getCurrentLocation();
  BlocksData blocks;
  if (StructReader<BlocksData>(parser, "blocks", "blocks", blocksKeys()).read(blocks))
    return {};
  return parser.getChecked<BlocksAttr>(place, parser.getContext(), blocks);
}

void BlocksAttr::print(AsmPrinter &printer) const { printer << textOf(getData()); }

//===----------------------------------------------------------------------===//
// Verifiers of plans and paths
//===----------------------------------------------------------------------===//

LogicalResult PathAttr::verify(Emit emit, PathData path) {
  if (std::optional<Violation> violation = checkAlone(path))
    return emit() << describe(*violation);
  return success();
}

LogicalResult PlanAttr::verify(Emit emit, PlanData plan) {
  if (std::optional<Violation> violation = checkAlone(plan))
    return emit() << describe(*violation);
  return success();
}

//===----------------------------------------------------------------------===//
// Verifiers of #blas.tiling and #blas.blocks
//===----------------------------------------------------------------------===//

/// Checks the blocks of a method.
static LogicalResult verifyMethod(Emit emit, const BlocksData &blocks) {
  int64_t diagonal = blocks.diagonal, base = blocks.base;
  if (blocks.method != Method::Invert && base != 0)
    return emit() << "blocks: base = " << base
                  << " is for method = invert, but method = " << stringifyMethod(blocks.method);
  if (blocks.method != Method::Invert)
    return success();
  if (base < 1 || diagonal < base || diagonal % base != 0 || !llvm::isPowerOf2_64(diagonal / base))
    return emit() << "blocks: diagonal = " << diagonal << " is not base = " << base
                  << " times a power of 2";
  return success();
}

/// Checks the vectors that all threads of a workgroup solve together.
static LogicalResult verifySweep(Emit emit, const BlocksData &blocks) {
  if (blocks.a == Via::Scalar || blocks.b == Via::Scalar)
    return emit() << "blocks: a and b are shared or register, not scalar";
  int64_t vectors = blocks.workgroupVectors;
  if (vectors < 0 || vectors > kMostSweptVectors || (vectors > 0 && !llvm::isPowerOf2_64(vectors)))
    return emit() << "blocks: workgroupVectors = " << vectors << " is not 0 or a power of 2 up to "
                  << kMostSweptVectors;
  bool alone = blocks.matrices == 1 && blocks.a == Via::Register && blocks.b == Via::Register &&
               blocks.rows == 0 && blocks.threadVectors == 1;
  bool solves = blocks.method == Method::Substitute || blocks.method == Method::Invert;
  if (vectors > 0 && (!alone || !solves || blocks.workgroup % kSweepRows != 0))
    return emit() << "blocks: workgroupVectors = " << vectors
                  << " needs matrices = 1, a = b = register, rows = 0, threadVectors = 1, "
                  << "method = substitute or invert, and a workgroup that is a multiple of "
                  << kSweepRows;
  return success();
}

LogicalResult BlocksAttr::verify(Emit emit, BlocksData blocks) {
  if (blocks.diagonal < 0 || blocks.diagonal > (1 << 20))
    return emit() << "blocks: diagonal = " << blocks.diagonal << " is not in 0 .. 2^20";
  if (blocks.workgroup < 1 || blocks.workgroup > 1024)
    return emit() << "blocks: workgroup = " << blocks.workgroup << " is not in 1 .. 1024";
  if (blocks.matrices < 1 || blocks.matrices > blocks.workgroup)
    return emit() << "blocks: matrices = " << blocks.matrices
                  << " is not in 1 .. workgroup = " << blocks.workgroup;
  if (blocks.rows < 0 || blocks.rows > kMostRows)
    return emit() << "blocks: rows = " << blocks.rows << " is not in 0 .. " << kMostRows;
  if (blocks.threadVectors < 1 || blocks.threadVectors > kMostThreadVectors)
    return emit() << "blocks: threadVectors = " << blocks.threadVectors << " is not in 1 .. "
                  << kMostThreadVectors;
  if (blocks.threadVectors > 1 && blocks.matrices > 1)
    return emit() << "blocks: threadVectors = " << blocks.threadVectors
                  << " needs matrices = 1, got " << blocks.matrices;
  return failure(failed(verifySweep(emit, blocks)) || failed(verifyMethod(emit, blocks)));
}

LogicalResult TilingAttr::verify(Emit emit, ArrayRef<int64_t> tile, int64_t threads, int64_t vector,
                                 int64_t groups, PathAttr path) {
  auto positive = [](int64_t size) { return size > 0 && size <= (1 << 20); };
  if (tile.size() != 2 || !llvm::all_of(tile, positive))
    return emit() << "tiling: tile needs 2 sizes (M, N) in 1 .. 2^20";
  if (threads < 1 || threads > 1024)
    return emit() << "tiling: threads = " << threads << " is not in 1 .. 1024";
  if (vector < 1 || vector > 8 || !llvm::isPowerOf2_64(vector))
    return emit() << "tiling: vector = " << vector << " is not 1, 2, 4 or 8";
  if (groups < 1 || threads % groups != 0)
    return emit() << "tiling: " << threads << " threads do not divide among " << groups
                  << " groups";
  if (groups > 1 && tile[0] != 1)
    return emit() << "tiling: groups share out the slices of a tile of one row, not of " << tile[0];
  int64_t ofGroup = threads / groups;
  if (tile[1] % vector != 0 || tile[0] * tile[1] / vector % ofGroup != 0)
    return emit() << "tiling: a tile of " << tile[0] << "x" << tile[1] << " in accesses of "
                  << vector << " does not divide evenly among " << ofGroup << " threads";
  if (path && (path->copy != Copy::Register || path->pack || path->major != Major::MN ||
               path->layout != ComplexLayout::Interleaved))
    return emit() << "tiling: a path with copy = async, pack, major or layout belongs to a product";
  return success();
}

LogicalResult PartsAttr::verify(Emit emit, ArrayRef<int64_t> order, int64_t chunk) {
  if (order.empty() || order.size() > 9)
    return emit() << "parts: order has " << order.size() << " numbers, expected 1 to 9";
  for (int64_t part : order)
    if (part < 0 || part > 2)
      return emit() << "parts: order has part " << part << ", but f32 has parts 0, 1 and 2";
  if (chunk < 1 || chunk > (1 << 20))
    return emit() << "parts: chunk = " << chunk << " is not in 1 .. 2^20";
  return success();
}
