//===- Products.cpp - Products of arrays ----------------------------------===//

#include "Products.h"
#include "Layout.h"

#include <array>
#include <map>

using namespace rooftile::python;
using namespace rooftile::compiler;
using rooftile::Executable;

//===----------------------------------------------------------------------===//
// Executables by what a call asks for
//===----------------------------------------------------------------------===//

namespace {
struct Kept {
  Operation operation;
  std::shared_ptr<const Executable> executable;
  int function = -1;
};
/// All of an operation, as numbers.
using Key = std::array<int64_t, 27>;
} // namespace

/// A program that needs more compiles some again, in the compiler's own cache.
static constexpr size_t kMostKept = 4096;

static Key keyOf(const Operation &operation, int device) {
  auto number = [](auto value) { return int64_t(value); };
  Key key{number(operation.routine),
          number(operation.opA),
          number(operation.opB),
          operation.m,
          operation.n,
          operation.k,
          number(operation.batch),
          operation.count,
          number(operation.alpha),
          number(operation.beta),
          number(operation.side) << 2 | number(operation.triangle) << 1 |
              number(operation.diagonal),
          device == kHost};
  size_t place = 12;
  for (const Matrix *matrix : {&operation.a, &operation.b, &operation.c})
    for (int64_t value : {number(matrix->element), number(matrix->order), matrix->leading,
                          matrix->stride, matrix->align})
      key[place++] = value;
  return key;
}

/// What `operation` was compiled to; compiled where this process has not. With the GIL held, which
/// guards the map.
static Kept keptFor(const Operation &operation, int device, const std::string &chip) {
  static auto &all = *new std::map<std::string, std::map<Key, Kept>>;
  Key key = keyOf(operation, device);
  std::map<Key, Kept> &ofChip = all[chip];
  auto found = ofChip.find(key);
  if (found == ofChip.end()) {
    if (std::string why = whyInvalid(operation); !why.empty())
      raiseValue(why);
    Compiled made = compileFor(device, chip, operation); // other threads may change the map
    if (ofChip.size() >= kMostKept)
      ofChip.clear();
    found = ofChip.insert_or_assign(key, Kept{operation, made.executable, made.function}).first;
  }
  return found->second;
}

//===----------------------------------------------------------------------===//
// Checks
//===----------------------------------------------------------------------===//

static std::string placeName(int device) {
  return device == kHost ? "on the CPU" : "on CUDA device " + std::to_string(device);
}

static void checkDevices(const Array &first, const Array &second) {
  if (first.device != second.device)
    raiseValue(first.name + " is " + placeName(first.device) + " and " + second.name + " is " +
               placeName(second.device));
}

static void checkTypes(const Array &first, const Array &second) {
  if (first.type != second.type)
    raiseType(first.name + " is " + nameOf(first.type) + " and " + second.name + " is " +
              nameOf(second.type));
}

static void checkWritable(const Array &out) {
  if (out.isReadOnly)
    raiseValue(out.name + " is read-only");
}

static void checkScalar(const char *name, std::complex<double> value, const Array &array) {
  if (value.imag() != 0 && array.type.kind != 'c')
    raiseType(std::string(name) + " is complex and " + array.name + " is " + nameOf(array.type));
}

/// Sizes of a product, and its matrices.
namespace {
struct Sizes {
  Stored a, b;
  int64_t m, n, k, count;
};
} // namespace

static Sizes sizesOf(const Array &a, const Array &b, const Request &request) {
  Sizes sizes{matrixOf(a), matrixOf(b), 0, 0, 0, 1};
  checkTypes(a, b);
  checkDevices(a, b);
  bool turnsA = isTransposed(request.opA), turnsB = isTransposed(request.opB);
  sizes.m = turnsA ? sizes.a.columns : sizes.a.rows;
  sizes.k = turnsA ? sizes.a.rows : sizes.a.columns;
  sizes.n = turnsB ? sizes.b.rows : sizes.b.columns;
  int64_t otherK = turnsB ? sizes.b.columns : sizes.b.rows;
  std::string both = describe(a, sizes.a) + " and " + describe(b, sizes.b);
  if (sizes.k != otherK)
    raiseValue(both + " (op " + char(request.opA) + char(request.opB) + "): K is " +
               std::to_string(sizes.k) + " and " + std::to_string(otherK));
  if (sizes.a.count != sizes.b.count && sizes.a.count != 1 && sizes.b.count != 1)
    raiseValue(both + ": batches of " + std::to_string(sizes.a.count) + " and " +
               std::to_string(sizes.b.count) + " matrices; expected as many, or one of them");
  sizes.count = sizes.a.count == 1 ? sizes.b.count : sizes.a.count;
  return sizes;
}

llvm::SmallVector<int64_t, 3> rooftile::python::shapeOf(const Array &a, const Array &b,
                                                        const Request &request) {
  Sizes sizes = sizesOf(a, b, request);
  if (a.rank() == 2 && b.rank() == 2)
    return {sizes.m, sizes.n};
  return {sizes.count, sizes.m, sizes.n};
}

/// Products of f16 and bf16 may be written as f32.
static void checkResult(const Array &a, const Array &c) {
  bool isWider = a.type.bits == 16 && c.type == Type{'f', 32};
  if (!isWider)
    checkTypes(a, c);
  checkDevices(a, c);
  checkWritable(c);
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static Scalar scalarOf(std::complex<double> value) {
  return value == 1.0 ? Scalar::One : value == 0.0 ? Scalar::Zero : Scalar::AtRunTime;
}

static void setScalar(double (&to)[2], std::complex<double> value) {
  to[0] = value.real(), to[1] = value.imag();
}

static void call(const Operation &operation, const CallArguments &arguments, const Request &request,
                 const Place &place) {
  Kept kept = keptFor(operation, place.device, request.chip);
  if (request.isPrepared)
    return;
  std::vector<uint64_t> registers;
  argumentsOf(operation, arguments, registers);
  runAt(place, *kept.executable, kept.function, registers);
}

void rooftile::python::multiply(const Array &a, const Array &b, const Array &c,
                                const Request &request, const Place &place) {
  Sizes sizes = sizesOf(a, b, request);
  Stored result = matrixOf(c);
  checkResult(a, c);
  if (c.shape != shapeOf(a, b, request))
    raiseValue(c.name + " has shape " + listOf(c.shape) + "; expected " +
               listOf(shapeOf(a, b, request)));
  checkSpread(c, result);
  checkDisjoint(c, a);
  checkDisjoint(c, b);
  checkScalar("alpha", request.alpha, c);
  checkScalar("beta", request.beta, c);
  if (c.isEmpty())
    return;
  Operation operation;
  operation.opA = request.opA, operation.opB = request.opB;
  operation.a = sizes.a.layout, operation.b = sizes.b.layout, operation.c = result.layout;
  operation.m = sizes.m, operation.n = sizes.n, operation.k = sizes.k;
  operation.batch = sizes.count > 1 ? Batch::Strided : Batch::None;
  operation.count = sizes.count;
  operation.alpha = scalarOf(request.alpha), operation.beta = scalarOf(request.beta);
  CallArguments arguments;
  arguments.count = sizes.count;
  arguments.a.address = a.address, arguments.b.address = b.address;
  arguments.c.address = c.address;
  setScalar(arguments.alpha, request.alpha);
  setScalar(arguments.beta, request.beta);
  if (sizes.k == 0 || request.alpha == 0.0) {
    // beta C: A and B are not read.
    operation.k = 0;
    operation.alpha = Scalar::One;
  }
  call(operation, arguments, request, place);
}

void rooftile::python::solveOrMultiply(const Array &a, const Array &c, const Request &request,
                                       const Place &place) {
  Stored triangle = matrixOf(a), result = matrixOf(c);
  if (a.type != Type{'f', 32} && a.type != Type{'f', 64})
    raiseType(a.name + " is " + nameOf(a.type) + "; triangular operations take f32 and f64");
  checkTypes(a, c);
  checkDevices(a, c);
  checkWritable(c);
  bool isLeft = request.side == Side::Left;
  int64_t order = isLeft ? result.rows : result.columns;
  if (triangle.rows != order || triangle.columns != order)
    raiseValue(describe(a, triangle) + " and " + describe(c, result) + ": on the " +
               (isLeft ? "left" : "right") + " a is to be " + std::to_string(order) + " x " +
               std::to_string(order));
  if (triangle.count != 1 && triangle.count != result.count)
    raiseValue(describe(a, triangle) + " and " + describe(c, result) + ": batches of " +
               std::to_string(triangle.count) + " and " + std::to_string(result.count) +
               " matrices");
  checkSpread(c, result);
  checkDisjoint(c, a);
  checkScalar("alpha", request.alpha, c);
  if (c.isEmpty())
    return;
  Operation operation;
  operation.routine = request.routine;
  operation.opA = request.opA;
  operation.side = request.side, operation.triangle = request.triangle;
  operation.diagonal = request.diagonal;
  operation.a = triangle.layout, operation.c = result.layout;
  operation.m = result.rows, operation.n = result.columns;
  operation.batch = result.count > 1 ? Batch::Strided : Batch::None;
  operation.count = result.count;
  operation.alpha = scalarOf(request.alpha);
  CallArguments arguments;
  arguments.count = result.count;
  arguments.a.address = a.address, arguments.c.address = c.address;
  setScalar(arguments.alpha, request.alpha);
  call(operation, arguments, request, place);
}
