//===- DescribeSite.cpp - What the compiler knows of one operation --------===//

#include "rooftile/Dialect/Blas/Blas.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Verify/Engine/Instrument.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::verify;

std::string rooftile::verify::locationText(Location location) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  if (auto file = location->findInstanceOf<FileLineColLoc>())
    stream << file.getFilename().getValue() << ':' << file.getLine() << ':' << file.getColumn();
  else
    stream << location;
  return text;
}

static Element elementOf(Value matrix) { return elementOf(getElementTypeOrSelf(matrix)); }

static FailureOr<Site> describe(blas::GemmOp op) {
  Site site;
  site.location = locationText(op.getLoc());
  site.element = elementOf(op.getC());
  site.elementA = elementOf(op.getA()), site.elementB = elementOf(op.getB());
  site.sum = elementOf(op.getAccumulatorType());
  site.transposedA = blas::isTransposed(op.getOpA());
  site.transposedB = blas::isTransposed(op.getOpB());
  site.conjugatedA = blas::isConjugated(op.getOpA());
  site.conjugatedB = blas::isConjugated(op.getOpB());
  site.emulated = op.getMath() == blas::MathMode::Emulated;
  site.compensated = op.getCompensated();
  site.partial = op.getPartial(), site.padded = op.getPadded();
  Value matrices[] = {op.getA(), op.getB(), op.getC()};
  for (auto [index, matrix] : llvm::enumerate(matrices))
    site.byPointers[index] = bool(blas::getPointers(cast<ShapedType>(matrix.getType())));
  site.epilogue = readEpilogue(op);
  return site;
}

static FailureOr<Site> describe(blas::ReduceOp op) {
  if (op.hasEpilogue())
    return op->emitOpError("cannot be run: epilogues are verified behind a product, not behind "
                           "a sum of slices of its own");
  Site site;
  site.location = locationText(op.getLoc());
  site.element = elementOf(op.getC());
  site.elementA = site.elementB = site.sum = elementOf(op.getW());
  site.sums = true, site.compensated = op.getCompensated();
  return site;
}

static Site describe(blas::PackOp op) {
  Site site;
  site.location = locationText(op.getLoc());
  site.element = site.elementA = site.elementB = site.sum = elementOf(op.getW());
  site.transposedA = blas::isTransposed(op.getTranspose());
  site.sums = site.copies = true;
  return site;
}

static FailureOr<Site> describe(blas::TriangularOpInterface op) {
  Type type = getElementTypeOrSelf(op.getC());
  if (!type.isF32() && !type.isF64())
    return op->emitOpError("cannot be run: operand ")
           << op.getOutputName() << " is " << type << "; f32 and f64 have kernels so far";
  Site site;
  site.location = locationText(op.getLoc());
  site.element = site.elementA = site.elementB = site.sum = elementOf(type);
  site.transposedA = blas::isTransposed(op.getOpA());
  site.triangle = Triangle{isa<blas::TrsmOp>(op), op.getSide() == blas::Side::Right,
                           op.getUplo() == blas::Uplo::Lower, op.getDiag() == blas::Diag::Unit};
  return site;
}

FailureOr<Site> rooftile::verify::describeSite(mlir::Operation *op) {
  if (auto gemm = dyn_cast<blas::GemmOp>(op))
    return describe(gemm);
  if (auto reduce = dyn_cast<blas::ReduceOp>(op))
    return describe(reduce);
  if (auto pack = dyn_cast<blas::PackOp>(op))
    return describe(pack);
  return describe(cast<blas::TriangularOpInterface>(op));
}
