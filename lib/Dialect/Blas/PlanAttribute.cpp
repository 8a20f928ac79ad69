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

//===----------------------------------------------------------------------===//
// What a plan and a path can be
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
// What #blas.tiling and #blas.blocks can be
//===----------------------------------------------------------------------===//

/// What a method asks of the blocks.
static LogicalResult verifyMethod(Emit emit, int64_t diagonal, Method method, int64_t base) {
  if (method != Method::Invert && base != 0)
    return emit() << "blocks: base = " << base
                  << " is for method = invert, but method = " << stringifyMethod(method);
  if (method != Method::Invert)
    return success();
  if (base < 1 || diagonal < base || diagonal % base != 0 || !llvm::isPowerOf2_64(diagonal / base))
    return emit() << "blocks: diagonal = " << diagonal << " is not base = " << base
                  << " times a power of 2";
  return success();
}

LogicalResult BlocksAttr::verify(Emit emit, int64_t diagonal, int64_t workgroup, Method method,
                                 int64_t base, int64_t matrices, Via a, Via b, int64_t lines,
                                 int64_t rows, int64_t threadLines) {
  if (diagonal < 0 || diagonal > (1 << 20))
    return emit() << "blocks: diagonal = " << diagonal << " is not in 0 .. 2^20";
  if (workgroup < 1 || workgroup > 1024)
    return emit() << "blocks: workgroup = " << workgroup << " is not in 1 .. 1024";
  if (matrices < 1 || matrices > workgroup)
    return emit() << "blocks: matrices = " << matrices
                  << " is not in 1 .. workgroup = " << workgroup;
  if (lines < 0 || lines > kMostSweptLines || (lines > 0 && !llvm::isPowerOf2_64(lines)))
    return emit() << "blocks: lines = " << lines << " is not 0 or a power of 2 up to "
                  << kMostSweptLines;
  if (rows < 0 || rows > kMostRows)
    return emit() << "blocks: rows = " << rows << " is not in 0 .. " << kMostRows;
  if (threadLines < 1 || threadLines > kMostThreadLines)
    return emit() << "blocks: threadLines = " << threadLines << " is not in 1 .. "
                  << kMostThreadLines;
  if (threadLines > 1 && matrices > 1)
    return emit() << "blocks: threadLines = " << threadLines << " takes matrices = 1, got "
                  << matrices;
  bool alone =
      matrices == 1 && a == Via::Register && b == Via::Register && rows == 0 && threadLines == 1;
  if (lines > 0 && (!alone || workgroup % kSweepRows != 0 || method == Method::Product ||
                    method == Method::Mask))
    return emit() << "blocks: lines = " << lines << " takes matrices = 1, a = b = register, "
                  << "rows = 0, threadLines = 1, method = substitute or invert, and a workgroup "
                  << "that is a multiple of " << kSweepRows;
  return verifyMethod(emit, diagonal, method, base);
}

LogicalResult TilingAttr::verify(Emit emit, ArrayRef<int64_t> tile, int64_t threads, int64_t vector,
                                 int64_t groups, PathAttr path) {
  auto positive = [](int64_t size) { return size > 0 && size <= (1 << 20); };
  if (tile.size() != 2 || !llvm::all_of(tile, positive))
    return emit() << "tiling: tile takes 2 sizes (M, N) in 1 .. 2^20";
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
