//===- TriangleMask.cpp - Tiles of a matrix that is a triangle ------------===//

#include "TriangleMask.h"

using namespace mlir;
using namespace rooftile;
using blas::Structure;

TriangleMask::TriangleMask(OpBuilder &builder, Location loc, tile::MatrixType type,
                           Structure structure)
    : triangle(blas::isLower(structure) ? tile::Triangle::Lower : tile::Triangle::Upper) {
  auto fill = [&](double number) -> Value {
    Value element = blas::createScalar(builder, loc, type.getElementType(), number);
    return tile::FillOp::create(builder, loc, type, element);
  };
  if (structure == Structure::UnitLower || structure == Structure::UnitUpper)
    ones = fill(1);
  zeros = fill(0);
}

Value TriangleMask::apply(OpBuilder &builder, Location loc, Value tile, Value row,
                          Value column) const {
  auto choose = [&](bool strict, Value inside, Value outside) -> Value {
    return tile::ChooseOp::create(builder, loc, triangle, strict, inside, outside, row, column);
  };
  if (!ones)
    return choose(/*strict=*/false, tile, zeros);
  return choose(/*strict=*/true, tile, choose(/*strict=*/false, ones, zeros));
}
