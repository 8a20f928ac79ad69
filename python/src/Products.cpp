//===- Products.cpp - Products of arrays ----------------------------------===//

#include "Products.h"
#include "Layout.h"
#include "Lock.h"
#include "rooftile/Compiler/Operands.h"
#include "llvm/ADT/StringRef.h"

#include <array>
#include <map>
#include <mutex>

using namespace rooftile::python;
using namespace rooftile::compiler;
using rooftile::Executable;

//===----------------------------------------------------------------------===//
// Words of a call
//===----------------------------------------------------------------------===//

Op rooftile::python::opOf(const std::string &text, const char *name) {
  if (text.size() == 1 && llvm::StringRef("ntcj").contains(text[0]))
    return Op(text[0]);
  raiseValue(std::string(name) + " is '" + text +
             "'; expected 'n', 't' (transposed), 'c' (adjoint) or 'j' (conjugated)");
}

namespace {
struct NamedActivation {
  const char *name;
  Activation activation;
};
} // namespace

static constexpr NamedActivation kActivations[] = {
    {"", Activation::None},           {"relu", Activation::Relu},
    {"gelu", Activation::Gelu},       {"gelu_tanh", Activation::GeluTanh},
    {"sigmoid", Activation::Sigmoid}, {"silu", Activation::Silu},
    {"tanh", Activation::Tanh}};

Activation rooftile::python::activationOf(const std::string &text) {
  for (const NamedActivation &known : kActivations)
    if (text == known.name)
      return known.activation;
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
  Operation operation;
  std::shared_ptr<const Executable> executable;
  int function = -1;
};
/// All of an operation, as numbers.
using Key = std::array<int64_t, 28>;
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
          number(operation.exact) << 3 | number(operation.side) << 2 |
              number(operation.triangle) << 1 | number(operation.diagonal),
          number(operation.epilogue.bias) << 4 | number(operation.epilogue.activation),
          device == kHost};
  size_t place = 13;
  for (const Matrix *matrix : {&operation.a, &operation.b, &operation.c})
    for (int64_t value : {number(matrix->element), number(matrix->order), matrix->leading,
                          matrix->stride, matrix->align})
      key[place++] = value;
  return key;
}

namespace {
/// What this process has compiled, by chip. Threads of XLA look here without the GIL; nothing is
/// waited for while the mutex is held.
class Shelf {
public:
  /// Without an executable where there is none.
  Kept find(const Key &key, const std::string &chip) {
    std::lock_guard<std::mutex> lock(mutex);
    std::map<Key, Kept> &ofChip = all[chip];
    auto found = ofChip.find(key);
    return found == ofChip.end() ? Kept{} : found->second;
  }
  void add(const Key &key, const std::string &chip, const Kept &kept) {
    std::lock_guard<std::mutex> lock(mutex);
    std::map<Key, Kept> &ofChip = all[chip];
    if (ofChip.size() >= kMostKept)
      ofChip.clear();
    ofChip.insert_or_assign(key, kept);
  }

private:
  std::mutex mutex;
  std::map<std::string, std::map<Key, Kept>> all;
};
} // namespace

static Shelf &shelf() {
  static auto &instance = *new Shelf;
  return instance;
}

/// With the GIL held.
static Kept compileKept(const Key &key, const Operation &operation, int device,
                        const std::string &chip) {
  if (std::string why = whyInvalid(operation); !why.empty())
    raiseValue(why);
  Compiled made = compileFor(device, chip, operation);
  Kept kept{operation, made.executable, made.function};
  shelf().add(key, chip, kept);
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

static void checkActivation(Activation activation, const Array &c) {
  if (activation == Activation::None)
    return;
  if (c.type.kind == 'c')
    raiseType(c.name + " is " + nameOf(c.type) + "; activations are functions of real numbers");
  if (c.type == Type{'f', 64} && activation != Activation::Relu)
    raiseType(c.name + " is f64; the only activation of f64 is relu, not " +
              kActivations[int(activation)].name);
}

/// Rows and columns are those of the product.
static Bias placeOfBias(const Array &bias, int64_t rows, int64_t columns) {
  auto is = [&](std::initializer_list<int64_t> shape) { return llvm::equal(bias.shape, shape); };
  if (is({columns}) || is({1, columns}))
    return Bias::PerColumn;
  if (is({rows, 1}))
    return Bias::PerRow;
  raiseValue(bias.name + " has shape " + listOf(bias.shape) + "; expected " + listOf({columns}) +
             " or " + listOf({1, columns}) + ", for each column, or " + listOf({rows, 1}) +
             ", for each row");
}

/// Where the bias is added, which is one contiguous vector of the type of C.
static Bias checkBias(const Array &bias, const Array &c, const Stored &result, const Sizes &sizes) {
  Bias place = placeOfBias(bias, sizes.m, sizes.n);
  checkTypes(bias, c);
  checkDevices(bias, c);
  for (int i = 0; i < bias.rank(); ++i)
    if (bias.shape[i] > 1 && bias.strides[i] != 1)
      raiseValue(bias.name + ": a stride of " + std::to_string(bias.strides[i]) +
                 " elements; expected a contiguous vector (make a copy)");
  if (int64_t align = alignmentOf(bias.address); align < bias.type.bytes())
    raiseValue(textOfAlignment(bias.name, bias.address, align, result.layout.element));
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

void rooftile::python::perform(const Call &call, const Request &request, const Place &place) {
  if (call.isEmpty)
    return;
  Key key = keyOf(call.operation, place.device);
  Kept kept = shelf().find(key, request.chip);
  if (!kept.executable)
    kept = compileKept(key, call.operation, place.device, request.chip);
  if (request.isPrepared) {
    loadAt(place, *kept.executable);
    return;
  }
  std::vector<uint64_t> registers;
  argumentsOf(call.operation, call.arguments, registers);
  runAt(place, *kept.executable, kept.function, registers);
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
  Key key = keyOf(call.operation, place.device);
  Kept kept = shelf().find(key, request.chip);
  if (!kept.executable) {
    Locked locked;
    try {
      kept = compileKept(key, call.operation, place.device, request.chip);
    } catch (std::exception &error) {
      return error.what();
    }
  }
  std::vector<uint64_t> registers;
  argumentsOf(call.operation, call.arguments, registers);
  return runWithoutLock(place, *kept.executable, kept.function, registers);
}

Call rooftile::python::productOf(const Array &a, const Array &b, const Array &c, const Array *bias,
                                 const Request &request) {
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
  checkActivation(request.activation, c);
  Call call;
  call.isEmpty = c.isEmpty();
  Operation &operation = call.operation;
  operation.opA = request.opA, operation.opB = request.opB;
  operation.a = sizes.a.layout, operation.b = sizes.b.layout, operation.c = result.layout;
  operation.m = sizes.m, operation.n = sizes.n, operation.k = sizes.k;
  operation.batch = sizes.count > 1 ? Batch::Strided : Batch::None;
  operation.count = sizes.count;
  operation.alpha = scalarOf(request.alpha), operation.beta = scalarOf(request.beta);
  CallArguments &arguments = call.arguments;
  arguments.count = sizes.count;
  arguments.a.address = a.address, arguments.b.address = b.address;
  arguments.c.address = c.address;
  setScalar(arguments.alpha, request.alpha);
  setScalar(arguments.beta, request.beta);
  operation.epilogue.activation = request.activation;
  if (bias) {
    operation.epilogue.bias = checkBias(*bias, c, result, sizes);
    checkDisjoint(c, *bias);
    arguments.biasAddress = bias->address;
  }
  if (sizes.k == 0 || request.alpha == 0.0) {
    // beta C: A and B are not read.
    operation.k = 0;
    operation.alpha = Scalar::One;
  }
  return call;
}

Call rooftile::python::triangularOf(const Array &a, const Array &c, const Request &request) {
  Stored triangle = matrixOf(a), result = matrixOf(c);
  if (request.routine == Routine::Trsm && a.type.bits == 16)
    raiseType(a.name + " is " + nameOf(a.type) + "; trsm takes f32, f64, c64 and c128");
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
  Call call;
  call.isEmpty = c.isEmpty();
  Operation &operation = call.operation;
  operation.routine = request.routine;
  operation.opA = request.opA;
  operation.side = request.side, operation.triangle = request.triangle;
  operation.diagonal = request.diagonal;
  operation.exact = request.exact;
  operation.a = triangle.layout, operation.c = result.layout;
  operation.m = result.rows, operation.n = result.columns;
  operation.batch = result.count > 1 ? Batch::Strided : Batch::None;
  operation.count = result.count;
  operation.alpha = scalarOf(request.alpha);
  CallArguments &arguments = call.arguments;
  arguments.count = result.count;
  arguments.a.address = a.address, arguments.c.address = c.address;
  setScalar(arguments.alpha, request.alpha);
  return call;
}
