//===- Call.cpp - Arrays as a call of a routine ---------------------------===//

#include "Call.h"
#include "Layout.h"
#include "rooftile/Operation/Words.h"
#include "llvm/ADT/StringRef.h"

using namespace rooftile::python;
using namespace rooftile::operation;
using rooftile::compiler::CallArguments;
using rooftile::compiler::MatrixArgument;

//===----------------------------------------------------------------------===//
// Checks of arrays
//===----------------------------------------------------------------------===//

static void checkDevices(const Array &first, const Array &second) {
  if (first.device != second.device)
    raiseValue(first.name + " is on " + describe(first.device) + " and " + second.name + " is on " +
               describe(second.device));
}

static void checkTypes(const Array &first, const Array &second) {
  if (first.type != second.type)
    raiseType(first.name + " is " + nameOf(first.type) + " and " + second.name + " is " +
              nameOf(second.type));
}

static void checkRank(const Array &array) {
  if (array.rank() == 0)
    raiseValue(array.name + " has 0 dimensions; expected a vector (1), a matrix (2) or a batch of "
                            "matrices (3 or more)");
}

static void checkShape(const Array &array, const Dimensions &expected) {
  if (array.shape != expected)
    raiseValue(array.name + " has shape " + listOf(array.shape) + "; expected " + listOf(expected));
}

//===----------------------------------------------------------------------===//
// Sizes
//===----------------------------------------------------------------------===//

namespace {
/// Matrices of a call, and what their shapes give.
struct Sized {
  Operation operation; ///< The ops are those of the matrices that vectors stand for.
  std::array<Stored, 3> matrices;
  Dimensions batch;
  Missing missing = kNothing; ///< Dimension that the result lacks.
};
} // namespace

/// A vector has nothing that could be transposed.
static Op opOfVector(Op op) { return op == Op::T ? Op::N : op == Op::C ? Op::J : op; }

/// Dimension that an input lacks as a matrix: operands of a product may be vectors, and C in place.
static Missing missingOf(const Operands &operands, size_t index, const Request &request) {
  const RoutineInfo &info = request.operation.info();
  if (info.sizes == Sizes::MNK)
    return missingOf(*operands[index], index == 0 ? kRows : kColumns);
  if (index != 2 || !request.hasVector)
    return kNothing;
  return request.operation.side == Side::Left ? kColumns : kRows;
}

/// Indices of the operands that are read: the result only in place.
static llvm::SmallVector<size_t, 3> inputsOf(const Operation &operation) {
  llvm::SmallVector<size_t, 3> inputs;
  for (size_t index : {0, 1, 2})
    if (operation.has(int(index)) && (index != 2 || operation.info().inPlace))
      inputs.push_back(index);
  return inputs;
}

/// Raises as well where the routine has no kernels for matrices of that type.
static void readInputs(Sized &sized, const Operands &operands, const Request &request) {
  const RoutineInfo &info = request.operation.info();
  llvm::SmallVector<size_t, 3> inputs = inputsOf(sized.operation);
  for (size_t index : inputs) {
    if (!operands[index])
      raiseType(llvm::StringRef(nameOfOperand(info.routine, int(index))).lower() + " is missing");
    if (info.sizes == Sizes::MNK)
      checkRank(*operands[index]);
  }
  for (size_t index : inputs) {
    Missing missing = missingOf(operands, index, request);
    sized.matrices[index] = matrixOf(*operands[index], missing);
    sized.missing = sized.missing | missing;
  }
  const Array &first = *operands[inputs.front()];
  if (!hasKernels(info, sized.matrices[inputs.front()].layout.element))
    raiseType(first.name + " is " + nameOf(first.type) + "; " + info.name + " accepts " +
              elementsOf(info));
  for (size_t index : llvm::ArrayRef(inputs).drop_front()) {
    checkTypes(first, *operands[index]);
    checkDevices(first, *operands[index]);
  }
}

static void setProductSizes(Sized &sized, const Operands &operands, const Request &request) {
  Operation &operation = sized.operation;
  if (sized.missing & kRows)
    operation.opA = opOfVector(operation.opA);
  if (sized.missing & kColumns)
    operation.opB = opOfVector(operation.opB);
  const Stored &a = sized.matrices[0], &b = sized.matrices[1];
  bool turnsA = isTransposed(operation.opA), turnsB = isTransposed(operation.opB);
  operation.m = turnsA ? a.columns : a.rows;
  operation.k = turnsA ? a.rows : a.columns;
  operation.n = turnsB ? b.rows : b.columns;
  int64_t otherK = turnsB ? b.columns : b.rows;
  if (operation.k != otherK)
    raiseValue(describe(*operands.a) + " and " + describe(*operands.b) + " (op " +
               char(request.operation.opA) + char(request.operation.opB) + "): K is " +
               std::to_string(operation.k) + " and " + std::to_string(otherK));
}

/// A square A beside another matrix.
static void setSizesBeside(Sized &sized, const Operands &operands) {
  Operation &operation = sized.operation;
  size_t index = operation.info().inPlace ? 2 : 1;
  const Stored &a = sized.matrices[0], &other = sized.matrices[index];
  operation.m = other.rows, operation.n = other.columns;
  int64_t order = operation.order();
  if (a.rows != order || a.columns != order)
    raiseValue(describe(*operands.a) + " and " + describe(*operands[index]) + ": on the " +
               wordOf(operation.side) + " a is to be " + std::to_string(order) + " x " +
               std::to_string(order));
}

static void setUpdateSizes(Sized &sized, const Operands &operands) {
  Operation &operation = sized.operation;
  const Stored &a = sized.matrices[0], &b = sized.matrices[1];
  bool turns = isTransposed(operation.opA);
  operation.m = operation.n = turns ? a.columns : a.rows;
  operation.k = turns ? a.rows : a.columns;
  if (operands.b && (a.rows != b.rows || a.columns != b.columns))
    raiseValue(describe(*operands.a) + " and " + describe(*operands.b) +
               "; expected equal rows and columns");
}

static void setSquareSizes(Sized &sized, const Operands &operands) {
  const Stored &c = sized.matrices[2];
  sized.operation.m = sized.operation.n = c.rows;
  if (c.rows != c.columns)
    raiseValue(describe(*operands.c) + "; expected a square matrix");
}

static void setSizes(Sized &sized, const Operands &operands, const Request &request) {
  switch (request.operation.info().sizes) {
  case Sizes::MNK:
    return setProductSizes(sized, operands, request);
  case Sizes::MN:
    return setSizesBeside(sized, operands);
  case Sizes::NK:
    return setUpdateSizes(sized, operands);
  case Sizes::N:
    return setSquareSizes(sized, operands);
  }
}

static Sized sizesOf(const Operands &operands, const Request &request) {
  Sized sized{request.operation, {}, {}, kNothing};
  readInputs(sized, operands, request);
  setSizes(sized, operands, request);
  llvm::SmallVector<size_t, 3> inputs = inputsOf(sized.operation);
  size_t first = inputs.front(), last = inputs.back();
  sized.batch =
      batchOf(*operands[first], sized.matrices[first], *operands[last], sized.matrices[last]);
  return sized;
}

static Dimensions shapeOf(const Sized &sized) {
  Dimensions shape(sized.batch);
  if (!(sized.missing & kRows))
    shape.push_back(sized.operation.m);
  if (!(sized.missing & kColumns))
    shape.push_back(sized.operation.n);
  return shape;
}

Dimensions rooftile::python::shapeOf(const Operands &operands, const Request &request) {
  return ::shapeOf(sizesOf(operands, request));
}

//===----------------------------------------------------------------------===//
// Results
//===----------------------------------------------------------------------===//

/// Products of f16 and bf16 may be written as f32.
static void checkResult(const Operands &operands, Sized &sized) {
  const RoutineInfo &info = sized.operation.info();
  const Array &c = *operands.c;
  checkShape(c, ::shapeOf(sized));
  if (!info.inPlace) {
    const Array &a = *operands.a;
    sized.matrices[2] = matrixOf(c, sized.missing);
    bool isWider = info.hasMixedC && a.type.bits == 16 && c.type == Type{'f', 32};
    if (!isWider)
      checkTypes(a, c);
    checkDevices(a, c);
  }
  if (c.isReadOnly)
    raiseValue(c.name + " is read-only");
  checkSpread(c);
  for (const Array *input : {operands.a, operands.b})
    if (input)
      checkDisjoint(c, *input);
}

static void checkScalar(const char *name, std::complex<double> value, ScalarType type,
                        const Operands &operands, const RoutineInfo &info) {
  if (type == ScalarType::None || value.imag() == 0)
    return;
  const Array &c = *operands.c;
  if (c.type.kind != 'c')
    raiseType(std::string(name) + " is complex and " + c.name + " is " + nameOf(c.type));
  if (type == ScalarType::Real)
    raiseType(std::string(name) + " is complex; that of " + info.name + " is real");
}

static void checkActivation(Activation activation, const Array &c) {
  if (activation == Activation::None)
    return;
  if (c.type.kind == 'c')
    raiseType(c.name + " is " + nameOf(c.type) + "; activations are functions of real values");
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
static llvm::SmallVector<BiasShape> biasShapes(const Sized &sized) {
  Bias perColumn = Bias::PerColumn, perRow = Bias::PerRow;
  switch (sized.missing) {
  case kNothing:
    return {{perColumn, {sized.operation.n}},
            {perColumn, {1, sized.operation.n}},
            {perRow, {sized.operation.m, 1}}};
  case kRows:
    return {{perColumn, {sized.operation.n}}};
  case kColumns:
    return {{perRow, {sized.operation.m}}};
  default:
    return {{perColumn, {}}};
  }
}

static Bias placeOfBias(const Array &bias, const Sized &sized) {
  std::string expected;
  auto kindOf = [](Bias place) {
    return place == Bias::PerRow ? ", for each row" : ", for each column";
  };
  llvm::SmallVector<BiasShape> shapes = biasShapes(sized);
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
static Bias checkBias(const Array &bias, const Array &c, const Sized &sized) {
  Bias place = placeOfBias(bias, sized);
  checkTypes(bias, c);
  checkDevices(bias, c);
  checkVector(bias);
  return place;
}

//===----------------------------------------------------------------------===//
// Calls
//===----------------------------------------------------------------------===//

static void setScalar(double (&to)[2], std::complex<double> value) {
  to[0] = value.real(), to[1] = value.imag();
}

/// The scalars that the routine has.
static void setScalars(Call &call, const Request &request) {
  const RoutineInfo &info = call.operation.info();
  if (info.alpha != ScalarType::None) {
    call.operation.alpha = scalarOf(request.alpha.real(), request.alpha.imag());
    setScalar(call.arguments.alpha, request.alpha);
  }
  if (info.beta != ScalarType::None) {
    call.operation.beta = scalarOf(request.beta.real(), request.beta.imag());
    setScalar(call.arguments.beta, request.beta);
  }
}

/// Sets the matrices of a call, where they begin, and its launches.
static void setMatrices(Call &call, Sized &sized, const Operands &operands) {
  std::array<Stored *, 3> stored{};
  for (size_t index : {0, 1, 2})
    if (operands[index])
      stored[index] = &sized.matrices[index];
  BatchPlan plan = planBatch(sized.batch, stored);
  CallArguments &arguments = call.arguments;
  MatrixArgument *const given[] = {&arguments.a, &arguments.b, &arguments.c};
  for (size_t index : {0, 1, 2})
    if (operands[index]) {
      call.operation.operand(int(index)) = stored[index]->layout;
      given[index]->address = operands[index]->address;
    }
  call.operation.batch = plan.inside.size > 1 ? Batch::Strided : Batch::None;
  call.operation.count = arguments.count = plan.inside.size;
  call.launches = plan.outside;
}

/// Makes a call one of C = beta C, in which A and B are not read.
static void dropTerms(Call &call) {
  call.operation = withoutTerms(call.operation);
  call.arguments.a.address = call.arguments.b.address = call.arguments.c.address;
  for (BatchStep &step : call.launches)
    step.strides[0] = step.strides[1] = step.strides[2];
}

Call rooftile::python::callOf(const Operands &operands, const Request &request) {
  Sized sized = sizesOf(operands, request);
  const RoutineInfo &info = sized.operation.info();
  const Array &c = *operands.c;
  checkResult(operands, sized);
  checkScalar("alpha", request.alpha, info.alpha, operands, info);
  checkScalar("beta", request.beta, info.beta, operands, info);
  checkActivation(sized.operation.epilogue.activation, c);
  Call call;
  call.operation = sized.operation;
  call.isEmpty = c.isEmpty();
  setMatrices(call, sized, operands);
  setScalars(call, request);
  if (operands.bias) {
    call.operation.epilogue.bias = checkBias(*operands.bias, c, sized);
    checkDisjoint(c, *operands.bias);
    call.arguments.biasAddress = operands.bias->address;
  }
  if (call.operation.k == 0 || (!info.inPlace && request.alpha == 0.0))
    dropTerms(call);
  return call;
}
