//===- Call.cpp - A call of BLAS level 3, whatever interface it came by ---===//

#include "Call.h"

using namespace rooftile::interpose;

int64_t rooftile::interpose::bytesOf(Type type) {
  constexpr int64_t kBytes[] = {4, 8, 8, 16};
  return kBytes[int(type)];
}

template <typename Real> static bool equals(const void *scalar, bool isPair, Real value) {
  const Real *parts = static_cast<const Real *>(scalar);
  return parts[0] == value && (!isPair || parts[1] == 0);
}

static bool equals(Type type, const void *scalar, float value) {
  bool isPair = isComplex(type);
  return type == Type::F32 || type == Type::C64 ? equals<float>(scalar, isPair, value)
                                                : equals<double>(scalar, isPair, value);
}

bool rooftile::interpose::isZero(Type type, const void *scalar) { return equals(type, scalar, 0); }
bool rooftile::interpose::isOne(Type type, const void *scalar) { return equals(type, scalar, 1); }

int64_t rooftile::interpose::rowsOfA(const Call &call) {
  if (isTriangular(call))
    return call.side == 'L' ? call.m : call.n;
  return call.opA == 'N' ? call.m : call.k;
}

int64_t rooftile::interpose::rowsOfB(const Call &call) { return call.opB == 'N' ? call.k : call.n; }

double rooftile::interpose::flopsOf(const Call &call) {
  double multiplyAdds = double(call.m) * double(call.n) *
                        (isTriangular(call) ? double(rowsOfA(call)) / 2 : double(call.k));
  return multiplyAdds * (isComplex(call.type) ? 8 : 2);
}

double rooftile::interpose::bytesRead(const Call &call) {
  double a = double(call.m) * double(call.k), b = double(call.k) * double(call.n);
  double c = double(call.m) * double(call.n);
  if (isTriangular(call))
    a = double(rowsOfA(call)) * double(rowsOfA(call)) / 2, b = 0;
  else if (isZero(call.type, call.beta))
    c = 0;
  return (a + b + c) * double(bytesOf(call.type));
}

double rooftile::interpose::bytesWritten(const Call &call) {
  return double(call.m) * double(call.n) * double(bytesOf(call.type));
}

Call rooftile::interpose::partOf(const Call &call, const Tile &tile) {
  int64_t bytes = bytesOf(call.type);
  Call part = call;
  part.m = tile.rows, part.n = tile.columns;
  part.c.address += (tile.row + tile.column * call.c.leading) * bytes;
  if (isTriangular(call))
    return part;
  part.a.address += tile.row * (call.opA == 'N' ? 1 : call.a.leading) * bytes;
  part.b.address += tile.column * (call.opB == 'N' ? call.b.leading : 1) * bytes;
  return part;
}

std::string rooftile::interpose::nameOf(const Call &call) {
  constexpr const char *kNames[] = {"gemm", "trmm", "trsm"};
  return std::string(1, "sdcz"[int(call.type)]) + kNames[int(call.routine)];
}

std::string rooftile::interpose::describe(const Call &call) {
  std::string letters = isTriangular(call) ? std::string{call.side, call.uplo, call.opA, call.diag}
                                           : std::string{call.opA, call.opB};
  std::string sizes = std::to_string(call.m) + "x" + std::to_string(call.n);
  if (!isTriangular(call))
    sizes += "x" + std::to_string(call.k);
  return nameOf(call) + " " + letters + " " + sizes;
}
