//===- Products.cpp - Products of arrays ----------------------------------===//

#include "Products.h"
#include "Layout.h"
#include "Lock.h"
#include "rooftile/Compiler/Bytes.h"
#include "rooftile/Operation/Words.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <mutex>
#include <unordered_map>

using namespace rooftile::python;
using namespace rooftile::compiler;
using namespace rooftile::operation;
using rooftile::Executable;

//===----------------------------------------------------------------------===//
// Words of a call
//===----------------------------------------------------------------------===//

Op rooftile::python::opOf(const std::string &text, const char *name) {
  char letter = text.size() == 1 ? llvm::toLower(text[0]) : '?';
  if (llvm::StringRef("ntcj").contains(letter))
    return Op(letter);
  raiseValue(std::string(name) + " is '" + text +
             "'; expected 'n', 't' (transposed), 'c' (adjoint) or 'j' (conjugated)");
}

Activation rooftile::python::activationOf(const std::string &text) {
  std::optional<Activation> known = choiceNamed<Activation>(text);
  if (text.empty() || (known && known != Activation::None))
    return known.value_or(Activation::None);
  raiseValue("activation is '" + text +
             "'; expected 'relu', 'gelu', 'gelu_tanh', 'sigmoid', 'silu' or 'tanh'");
}

/// True for the second of two words.
static bool isSecond(const std::string &text, const char *name, const char *first,
                     const char *second) {
  if (text == first || text == second)
    return text == second;
  raiseValue(std::string(name) + " is '" + text + "'; expected '" + first + "' or '" + second +
             "'");
}

void rooftile::python::setTriangular(Request &request, const std::string &routine,
                                     const std::string &side, const std::string &triangle,
                                     const std::string &diagonal) {
  llvm::StringRef name = routine;
  request.exact = name.consume_front("exact ");
  request.routine = isSecond(name.str(), "routine", "trmm", "trsm") ? Routine::Trsm : Routine::Trmm;
  request.side = isSecond(side, "side", "left", "right") ? Side::Right : Side::Left;
  request.triangle =
      isSecond(triangle, "triangle", "lower", "upper") ? Triangle::Upper : Triangle::Lower;
  request.diagonal =
      isSecond(diagonal, "diagonal", "nonunit", "unit") ? Diagonal::Unit : Diagonal::NonUnit;
}

//===----------------------------------------------------------------------===//
// Executables by what a call asks for
//===----------------------------------------------------------------------===//

namespace {
struct Kept {
  std::shared_ptr<const Executable> executable;
  int function = -1;
};
/// What an operation is compiled for.
struct Target {
  bool isHost;
  std::string chip;
  bool operator<(const Target &other) const {
    return std::tie(isHost, chip) < std::tie(other.isHost, other.chip);
  }
};
} // namespace

/// A program that needs more asks the compiler again, which has some of them.
static constexpr size_t kMostKept = 4096;

namespace {
/// What this process has compiled, by target. Threads of XLA look here without the GIL; nothing is
/// waited for while the mutex is held.
class Shelf {
public:
  /// Without an executable where there is none.
  Kept find(const Operation &operation, const Target &target) {
    std::lock_guard<std::mutex> lock(mutex);
    ByOperation &ofTarget = all[target];
    auto found = ofTarget.find(operation);
    return found == ofTarget.end() ? Kept{} : found->second;
  }
  void add(const Operation &operation, const Target &target, const Kept &kept) {
    std::lock_guard<std::mutex> lock(mutex);
    size_t own = kept.executable ? kept.executable->bytes() : 0;
    if (++count > kMostKept || bytes + own > mostBytes) {
      all.clear();
      count = 1, bytes = 0;
    }
    bytes += own;
    all[target].insert_or_assign(operation, kept);
  }

private:
  using ByOperation = std::unordered_map<Operation, Kept, OperationHash>;

  std::mutex mutex;
  const size_t mostBytes = mostKeptBytes();
  size_t count = 0, bytes = 0; ///< Of all that was added.
  std::map<Target, ByOperation> all;
};
} // namespace

static Shelf &shelf() {
  static auto &instance = *new Shelf;
  return instance;
}

/// With the GIL held.
static Kept compileKept(const Operation &operation, int device, const std::string &chip) {
  if (Wrong wrong = whatIsWrong(operation))
    raiseValue(wrong.message);
  Compiled made = compileFor(device, chip, operation);
  Kept kept{made.executable, made.function};
  shelf().add(operation, {device == kHost, chip}, kept);
  return kept;
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

/// ProductSizes of a product, and its matrices.
namespace {
struct ProductSizes {
  Stored a, b;
  Op opA, opB; ///< Of the matrices that vectors stand for.
  int64_t m, n, k;
  Dimensions batch;
  Missing missing = kNothing; ///< What the result has no dimension for.
};
} // namespace

/// A vector has nothing that could be transposed.
static Op opOfVector(Op op) { return op == Op::T ? Op::N : op == Op::C ? Op::J : op; }

static void checkRank(const Array &array) {
  if (array.rank() == 0)
    raiseValue(array.name + " has 0 dimensions; expected a vector (1), a matrix (2) or a batch of "
                            "matrices (3 or more)");
}

static ProductSizes sizesOf(const Array &a, const Array &b, const Request &request) {
  checkRank(a), checkRank(b);
  Missing ofA = missingOf(a, kRows), ofB = missingOf(b, kColumns);
  ProductSizes sizes{matrixOf(a, ofA), matrixOf(b, ofB), request.opA, request.opB, 0, 0, 0, {},
                     ofA | ofB};
  checkTypes(a, b);
  checkDevices(a, b);
  if (ofA)
    sizes.opA = opOfVector(sizes.opA);
  if (ofB)
    sizes.opB = opOfVector(sizes.opB);
  bool turnsA = isTransposed(sizes.opA), turnsB = isTransposed(sizes.opB);
  sizes.m = turnsA ? sizes.a.columns : sizes.a.rows;
  sizes.k = turnsA ? sizes.a.rows : sizes.a.columns;
  sizes.n = turnsB ? sizes.b.rows : sizes.b.columns;
  int64_t otherK = turnsB ? sizes.b.columns : sizes.b.rows;
  if (sizes.k != otherK)
    raiseValue(describe(a) + " and " + describe(b) + " (op " + char(request.opA) +
               char(request.opB) + "): K is " + std::to_string(sizes.k) + " and " +
               std::to_string(otherK));
  sizes.batch = batchOf(a, sizes.a, b, sizes.b);
  return sizes;
}

static Dimensions shapeOf(const ProductSizes &sizes) {
  Dimensions shape(sizes.batch);
  if (!(sizes.missing & kRows))
    shape.push_back(sizes.m);
  if (!(sizes.missing & kColumns))
    shape.push_back(sizes.n);
  return shape;
}

Dimensions rooftile::python::shapeOf(const Array &a, const Array &b, const Request &request) {
  return ::shapeOf(sizesOf(a, b, request));
}

static void checkShape(const Array &array, const Dimensions &expected) {
  if (array.shape != expected)
    raiseValue(array.name + " has shape " + listOf(array.shape) + "; expected " + listOf(expected));
}

/// Products of f16 and bf16 may be written as f32.
static void checkResult(const Array &a, const Array &c) {
  bool isWider = a.type.bits == 16 && c.type == Type{'f', 32};
  if (!isWider)
    checkTypes(a, c);
  checkDevices(a, c);
  checkWritable(c);
}

static void checkActivation(Activation activation, const Array &c) {
  if (activation == Activation::None)
    return;
  if (c.type.kind == 'c')
    raiseType(c.name + " is " + nameOf(c.type) + "; activations are functions of real numbers");
  if (c.type == Type{'f', 64} && activation != Activation::Relu)
    raiseType(c.name + " is f64; the only activation of f64 is relu, not " + wordOf(activation));
}

namespace {
/// Where a bias of a shape is added.
struct BiasShape {
  Bias place;
  Dimensions shape;
};
} // namespace

/// The shapes that a bias may have: the last dimensions of the result.
static llvm::SmallVector<BiasShape> biasShapes(const ProductSizes &sizes) {
  Bias perColumn = Bias::PerColumn, perRow = Bias::PerRow;
  switch (sizes.missing) {
  case kNothing:
    return {{perColumn, {sizes.n}}, {perColumn, {1, sizes.n}}, {perRow, {sizes.m, 1}}};
  case kRows:
    return {{perColumn, {sizes.n}}};
  case kColumns:
    return {{perRow, {sizes.m}}};
  default:
    return {{perColumn, {}}};
  }
}

static Bias placeOfBias(const Array &bias, const ProductSizes &sizes) {
  std::string expected;
  auto kindOf = [](Bias place) {
    return place == Bias::PerRow ? ", for each row" : ", for each column";
  };
  llvm::SmallVector<BiasShape> shapes = biasShapes(sizes);
  for (size_t i = 0; i < shapes.size(); ++i) {
    if (bias.shape == shapes[i].shape)
      return shapes[i].place;
    bool isLastOfKind = i + 1 == shapes.size() || shapes[i + 1].place != shapes[i].place;
    bool isAfterKind = i > 0 && shapes[i - 1].place != shapes[i].place;
    expected += i == 0 ? "" : isAfterKind ? ", or " : " or ";
    expected += listOf(shapes[i].shape) + (isLastOfKind ? kindOf(shapes[i].place) : "");
  }
  raiseValue(bias.name + " has shape " + listOf(bias.shape) + "; expected " + expected);
}

/// Where the bias is added, which is one contiguous vector of the type of C.
static Bias checkBias(const Array &bias, const Array &c, const ProductSizes &sizes) {
  Bias place = placeOfBias(bias, sizes);
  checkTypes(bias, c);
  checkDevices(bias, c);
  checkVector(bias);
  return place;
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

/// The registers of each launch of a call, in order.
static void forEachLaunch(const Call &call, Launch launch) {
  std::vector<uint64_t> registers;
  forEachPlace(call.launches, [&](const std::array<int64_t, 3> &offsets) {
    CallArguments arguments = call.arguments;
    arguments.a.address += offsets[0], arguments.b.address += offsets[1];
    arguments.c.address += offsets[2];
    argumentsOf(call.operation, arguments, registers);
    return launch(registers);
  });
}

void rooftile::python::perform(const Call &call, const Request &request, const Place &place) {
  if (call.isEmpty)
    return;
  Kept kept = shelf().find(call.operation, {place.device == kHost, request.chip});
  if (!kept.executable)
    kept = compileKept(call.operation, place.device, request.chip);
  if (request.isPrepared)
    loadAt(place, *kept.executable);
  else
    runAt(place, *kept.executable, kept.function,
          [&](Launch launch) { forEachLaunch(call, launch); });
}

std::string rooftile::python::reportOf(const Call &call, const Request &request, int device) {
  if (call.isEmpty)
    return "{\"chip\":\"\",\"operations\":[]}";
  return planFor(device, request.chip, call.operation);
}

std::string rooftile::python::performWithoutLock(const Call &call, const Request &request,
                                                 const Place &place) {
  if (call.isEmpty)
    return "";
  Kept kept = shelf().find(call.operation, {place.device == kHost, request.chip});
  if (!kept.executable) {
    Locked locked;
    try {
      kept = compileKept(call.operation, place.device, request.chip);
    } catch (std::exception &error) {
      return error.what();
    }
  }
  return runWithoutLock(place, *kept.executable, kept.function,
                        [&](Launch launch) { forEachLaunch(call, launch); });
}

/// Sets the matrices of a call, where they begin, and its launches.
static void setOperands(Call &call, const Dimensions &batch, std::array<Stored *, 3> operands,
                        std::array<const Array *, 3> arrays) {
  BatchPlan plan = planBatch(batch, operands);
  Operation &operation = call.operation;
  CallArguments &arguments = call.arguments;
  Matrix *const matrices[] = {&operation.a, &operation.b, &operation.c};
  MatrixArgument *const given[] = {&arguments.a, &arguments.b, &arguments.c};
  for (size_t i = 0; i < operands.size(); ++i)
    if (operands[i])
      *matrices[i] = operands[i]->layout, given[i]->address = arrays[i]->address;
  operation.batch = plan.inside.size > 1 ? Batch::Strided : Batch::None;
  operation.count = arguments.count = plan.inside.size;
  call.launches = plan.outside;
}

Call rooftile::python::productOf(const Array &a, const Array &b, const Array &c, const Array *bias,
                                 const Request &request) {
  ProductSizes sizes = sizesOf(a, b, request);
  checkShape(c, ::shapeOf(sizes));
  Stored result = matrixOf(c, sizes.missing);
  checkResult(a, c);
  checkSpread(c);
  checkDisjoint(c, a);
  checkDisjoint(c, b);
  checkScalar("alpha", request.alpha, c);
  checkScalar("beta", request.beta, c);
  checkActivation(request.activation, c);
  Call call;
  call.isEmpty = c.isEmpty();
  Operation &operation = call.operation;
  operation.opA = sizes.opA, operation.opB = sizes.opB;
  operation.m = sizes.m, operation.n = sizes.n, operation.k = sizes.k;
  operation.alpha = scalarOf(request.alpha), operation.beta = scalarOf(request.beta);
  setOperands(call, sizes.batch, {&sizes.a, &sizes.b, &result}, {&a, &b, &c});
  setScalar(call.arguments.alpha, request.alpha);
  setScalar(call.arguments.beta, request.beta);
  operation.epilogue.activation = request.activation;
  if (bias) {
    operation.epilogue.bias = checkBias(*bias, c, sizes);
    checkDisjoint(c, *bias);
    call.arguments.biasAddress = bias->address;
  }
  if (sizes.k == 0 || request.alpha == 0.0) {
    // beta C: A and B are not read.
    operation.k = 0;
    operation.alpha = Scalar::One;
  }
  return call;
}

//===----------------------------------------------------------------------===//
// Triangular operations
//===----------------------------------------------------------------------===//

namespace {
/// A triangular operation: its matrices, and the shape of the result.
struct Triangular {
  Stored a, b;
  Dimensions batch, shape;
};
} // namespace

/// Of a `b` that is the operand, or the result.
static Triangular triangularOn(const Array &a, const Array &b, const Request &request) {
  bool isLeft = request.side == Side::Left;
  Missing missing = !request.hasVector ? kNothing : isLeft ? kColumns : kRows;
  Triangular sizes{matrixOf(a), matrixOf(b, missing), {}, {}};
  if (request.routine == Routine::Trsm && a.type.bits == 16)
    raiseType(a.name + " is " + nameOf(a.type) + "; trsm takes f32, f64, c64 and c128");
  checkTypes(a, b);
  checkDevices(a, b);
  int64_t order = isLeft ? sizes.b.rows : sizes.b.columns;
  if (sizes.a.rows != order || sizes.a.columns != order)
    raiseValue(describe(a) + " and " + describe(b) + ": on the " + (isLeft ? "left" : "right") +
               " a is to be " + std::to_string(order) + " x " + std::to_string(order));
  sizes.batch = batchOf(a, sizes.a, b, sizes.b);
  sizes.shape = sizes.batch;
  if (missing != kRows)
    sizes.shape.push_back(sizes.b.rows);
  if (missing != kColumns)
    sizes.shape.push_back(sizes.b.columns);
  return sizes;
}

Dimensions rooftile::python::triangularShapeOf(const Array &a, const Array &b,
                                               const Request &request) {
  Request of = request;
  of.hasVector = b.rank() == 1;
  return triangularOn(a, b, of).shape;
}

Call rooftile::python::triangularOf(const Array &a, const Array &c, const Request &request) {
  Triangular sizes = triangularOn(a, c, request);
  checkShape(c, sizes.shape);
  checkWritable(c);
  checkSpread(c);
  checkDisjoint(c, a);
  checkScalar("alpha", request.alpha, c);
  Call call;
  call.isEmpty = c.isEmpty();
  Operation &operation = call.operation;
  operation.routine = request.routine;
  operation.opA = request.opA;
  operation.side = request.side, operation.triangle = request.triangle;
  operation.diagonal = request.diagonal;
  operation.dependence = request.exact ? Dependence::Exact : Dependence::Any;
  operation.m = sizes.b.rows, operation.n = sizes.b.columns;
  operation.alpha = scalarOf(request.alpha);
  setOperands(call, sizes.batch, {&sizes.a, nullptr, &sizes.b}, {&a, nullptr, &c});
  setScalar(call.arguments.alpha, request.alpha);
  return call;
}
