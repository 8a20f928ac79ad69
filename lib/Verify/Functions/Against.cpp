//===- Against.cpp - Whole functions beside upstream's loops --------------===//

#include "rooftile/Verify/Functions/Against.h"
#include "Engine/Frame.h"
#include "Loops.h"
#include "Operands/Array.h"
#include "Operands/Draw.h"
#include "Rounding.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Runtime/Cpu/Cpu.h"
#include "rooftile/Runtime/Runtime.h"
#include "rooftile/Verify/Functions/ArgumentSizes.h"
#include "rooftile/Verify/Operands/Memory.h"

#include "mlir/IR/OwningOpRef.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Support/ToolUtilities.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/SourceMgr.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::verify;

//===----------------------------------------------------------------------===//
// Arguments of both ways
//===----------------------------------------------------------------------===//

static constexpr const char *kRange = "rooftile.range";
static constexpr double kLargestInteger = 2;

namespace {
/// The values of one argument, which the same seed always gives again.
///
/// Floats are -2, -1, 1 or 2 in the phase of integers, else uniform in [-1, 1). Integers of up to
/// 32 bits are in -8 .. 7, those of 64 bits and index, which front ends index with, in 0 .. 3.
/// `rooftile.range` of the argument is another one: array<i64: lowest, highest>, both included, or
/// array<f64: low, high>.
class ArgumentData {
public:
  ArgumentData(mlir::func::FuncOp function, unsigned index, bool integers, uint64_t seed);

  Scalar next(mlir::Type element);

  /// The largest magnitude if all floats are integers; infinite otherwise.
  double integerBound(mlir::Type element) const;

private:
  double part(mlir::Type real);

  std::optional<std::pair<double, double>> range;
  bool rangeOfIntegers = false, integers;
  Draw draw;
};
} // namespace

/// An error at the function where `rooftile.range` of an argument is no range of values.
static LogicalResult checkRanges(func::FuncOp function) {
  for (unsigned i = 0; i < function.getNumArguments(); ++i) {
    Attribute attribute = function.getArgAttr(i, kRange);
    auto integers = dyn_cast_or_null<DenseI64ArrayAttr>(attribute);
    auto reals = dyn_cast_or_null<DenseF64ArrayAttr>(attribute);
    bool right = !attribute || (integers && integers.size() == 2 && integers[0] <= integers[1]) ||
                 (reals && reals.size() == 2 && reals[0] <= reals[1]);
    if (!right)
      return function.emitOpError("argument ") << i << ": " << kRange << " is " << attribute
                                               << ", expected the like of array<i64: 0, 9>";
  }
  return success();
}

ArgumentData::ArgumentData(func::FuncOp function, unsigned index, bool integers, uint64_t seed)
    : integers(integers), draw(seed * 1000 + index) {
  if (auto whole = function.getArgAttrOfType<DenseI64ArrayAttr>(index, kRange)) {
    range = {double(whole[0]), double(whole[1])};
    rangeOfIntegers = true;
  } else if (auto reals = function.getArgAttrOfType<DenseF64ArrayAttr>(index, kRange)) {
    range = {reals[0], reals[1]};
  }
}

/// low .. high, both included.
static double drawInteger(Draw &draw, double low, double high) {
  return low + double(draw.below(uint64_t(high - low) + 1));
}

double ArgumentData::part(Type real) {
  if (isa<FloatType>(real)) {
    if (range && rangeOfIntegers)
      return drawInteger(draw, range->first, range->second);
    if (integers && !range) {
      double magnitude = drawInteger(draw, 1, kLargestInteger);
      return draw.chance(50) ? magnitude : -magnitude;
    }
    double low = range ? range->first : -1, high = range ? range->second : 1;
    return low + (high - low) * double(draw.below(uint64_t(1) << 53)) * 0x1p-53;
  }
  if (range)
    return drawInteger(draw, range->first, range->second);
  if (real.isInteger(1))
    return drawInteger(draw, 0, 1);
  return real.isIndex() || real.getIntOrFloatBitWidth() > 32 ? drawInteger(draw, 0, 3)
                                                             : drawInteger(draw, -8, 7);
}

Scalar ArgumentData::next(Type element) {
  Type real = realTypeOf(element);
  double first = part(real);
  return {first, rooftile::componentsOf(element) == 2 ? part(real) : 0};
}

double ArgumentData::integerBound(Type element) const {
  if (!isa<FloatType>(realTypeOf(element)))
    return 0;
  if (!range)
    return integers ? kLargestInteger : std::numeric_limits<double>::infinity();
  return rangeOfIntegers ? std::max(std::fabs(range->first), std::fabs(range->second))
                         : std::numeric_limits<double>::infinity();
}

//===----------------------------------------------------------------------===//
// Findings
//===----------------------------------------------------------------------===//

namespace {
/// Findings of one function.
struct Verdict {
  std::string function;
  std::string failure = ""; ///< empty when right
  bool equal = true;        ///< every element of everything
  double fraction = 0;      ///< the largest distance / bound
  std::string worst = "";   ///< where, of what is not equal

  /// Adds the distance of one array: nothing may be further off than `bound`.
  void add(const std::string &name, const std::string &phase, const Distance &apart, double bound);
  /// Keeps the first reason.
  void fail(const std::string &reason);
};
} // namespace

void Verdict::fail(const std::string &reason) {
  if (failure.empty())
    failure = reason;
}

void Verdict::add(const std::string &name, const std::string &phase, const Distance &apart,
                  double bound) {
  if (apart.useless)
    fail(name + " of the loops is nothing but NaN with " + phase + ": such data shows nothing");
  if (apart.equal)
    return;
  double share = bound > 0 ? apart.worst / bound : std::numeric_limits<double>::infinity();
  std::string where = name + apart.place + " with " + phase;
  if (share > fraction || equal)
    worst = where;
  fraction = std::max(fraction, share);
  equal = false;
  if (apart.worst <= bound)
    return;
  fail(where + (bound > 0 ? llvm::formatv(", {0:f3} times the bound of {1:e3}", share, bound).str()
                          : std::string(", where nothing is rounded")));
}

static void printObject(const Verdict &verdict) {
  bool finite = std::isfinite(verdict.fraction);
  llvm::json::Object object{{"function", verdict.function},
                            {"pass", verdict.failure.empty()},
                            {"equal", verdict.equal},
                            {"bound_ratio", finite ? llvm::json::Value(verdict.fraction) : nullptr},
                            {"worst", verdict.worst},
                            {"failure", verdict.failure}};
  llvm::outs() << llvm::json::Value(std::move(object)) << '\n';
}

/// One line, or one JSON object.
static void print(const Verdict &verdict, bool json) {
  if (json) {
    printObject(verdict);
  } else if (!verdict.failure.empty()) {
    llvm::outs() << "FAIL " << verdict.function << "  " << verdict.failure << '\n';
  } else if (verdict.equal) {
    llvm::outs() << "PASS " << verdict.function << "  equal\n";
  } else {
    llvm::outs() << "PASS " << verdict.function
                 << llvm::formatv("  {0:f3} of the bound: ", verdict.fraction) << verdict.worst
                 << '\n';
  }
  llvm::outs().flush();
}

//===----------------------------------------------------------------------===//
// Both ways
//===----------------------------------------------------------------------===//

namespace {
/// One way of a function: a program that is called on a device.
struct Way {
  Program &program;
  const Signature &signature;
  DeviceKind device;
};

/// Output of a call: results, then the memref arguments that the caller can see.
struct Left {
  std::vector<std::string> names;
  std::vector<Array> arrays;
  double inputScale = 0; ///< the largest magnitude of a float argument
};
} // namespace

static llvm::Error failure(const llvm::Twine &message) { return llvm::createStringError(message); }

/// Complaint of the runtime or of a guard zone about a call.
static llvm::Error complaint(const Frame &frame) {
  std::string error = rooftileLastError();
  rooftileClearError();
  if (!error.empty())
    return failure(error);
  for (auto [index, buffer] : llvm::enumerate(frame.watched()))
    if (std::string broken = buffer->brokenGuard(); !broken.empty())
      return failure("memref argument " + llvm::Twine(index) + " was written " + broken);
  return llvm::Error::success();
}

/// The array that a result is.
static Array readResult(DeviceKind device, Type type, const char *place) {
  if (auto memref = dyn_cast<MemRefType>(type))
    return readArray(device, memref, reinterpret_cast<const int64_t *>(place));
  return {type, {}, {place, place + storedBytes(type)}};
}

/// Fills the arguments of a frame and returns the scale of the floats among them.
static llvm::Error fillFrame(Frame &frame, const Way &way, Call &call, func::FuncOp original,
                             bool integers, uint64_t seed, double &scale) {
  for (auto [index, type] : llvm::enumerate(way.signature.arguments)) {
    Argument &argument = call.arguments[index];
    ArgumentData data(original, index, integers, seed);
    if (!isa<MemRefType>(type) && std::isnan(way.signature.values[index]))
      argument.value = data.next(type);
    if (!frame.add(type, argument))
      return complaint(frame);
    if (auto memref = dyn_cast<MemRefType>(type)) {
      const int64_t *descriptor = frame.descriptorOf(index);
      writeArray(way.device, memref, descriptor,
                 [&] { return data.next(memref.getElementType()); });
      scale = std::max(scale, largestIn(readArray(way.device, memref, descriptor)));
    } else if (!type.isIntOrIndex()) {
      scale = std::max(scale, magnitudeOf(argument.value));
    }
  }
  return llvm::Error::success();
}

/// Calls a function once.
static llvm::Expected<Left> callOnce(const Way &way, Call call, func::FuncOp original,
                                     bool integers, uint64_t seed) {
  Left left;
  Frame frame(way.device, seed);
  if (llvm::Error error = fillFrame(frame, way, call, original, integers, seed, left.inputScale))
    return error;
  auto callee = calleeOf(way.program, way.signature.name);
  if (!callee)
    return callee.takeError();
  auto read = [&](ArrayRef<const char *> places) {
    synchronize(way.device);
    for (auto [index, type] : llvm::enumerate(way.signature.results)) {
      left.names.push_back("result " + std::to_string(index));
      left.arrays.push_back(readResult(way.device, type, places[index]));
    }
  };
  if (std::string error = frame.call(*callee, way.signature.results, read); !error.empty())
    return failure(error);
  synchronize(way.device);
  // A tensor is a value: what its memory holds after the call is nobody's business.
  for (auto [index, type] : llvm::enumerate(original.getArgumentTypes()))
    if (isa<MemRefType>(type)) {
      left.names.push_back("argument " + std::to_string(index));
      left.arrays.push_back(readArray(way.device, cast<MemRefType>(way.signature.arguments[index]),
                                      frame.descriptorOf(index)));
    }
  releaseLeftovers();
  if (llvm::Error error = complaint(frame))
    return error;
  return left;
}

/// The largest magnitude of the test integers; infinite where floats are none.
static double integerBound(func::FuncOp original, const Signature &signature) {
  double bound = 0;
  for (auto [index, type] : llvm::enumerate(original.getArgumentTypes())) {
    Type element = getElementTypeOrSelf(type);
    double own = ArgumentData(original, index, true, 0).integerBound(element);
    if (double value = signature.values[index]; !std::isnan(value) && own > 0)
      own = value == std::floor(value) ? std::fabs(value) : std::numeric_limits<double>::infinity();
    bound = std::max(bound, own);
  }
  return bound;
}

/// Compares what two calls left into `verdict`, which keeps what is worst.
static void compareLeft(const Left &left, const Left &right, double roundings, bool exact,
                        const char *phase, Verdict &verdict) {
  for (auto [index, name] : llvm::enumerate(right.names)) {
    const Array &array = left.arrays[index], &reference = right.arrays[index];
    if (array.element != reference.element || array.sizes != reference.sizes)
      return verdict.fail(name + " has another shape than that of loops");
    Distance apart = distanceOf(array, reference);
    double bound = roundings * std::max(largestIn(reference), right.inputScale);
    bool exactly = exact || !isa<FloatType>(rooftile::realTypeOf(array.element));
    verdict.add(name, phase, apart, exactly ? 0 : bound);
  }
}

/// Calls a function both ways on both kinds of data.
static Verdict compareFunction(const Way &own, const Way &loops, func::FuncOp original,
                               const AgainstOptions &options) {
  Verdict verdict{own.signature.name};
  auto call = callOf(own.signature, options.sizes);
  if (!call)
    return verdict.fail(llvm::toString(call.takeError())), verdict;
  int64_t longest = 1;
  for (const Argument &argument : call->arguments)
    for (int64_t size : argument.view.sizes)
      longest = std::max(longest, size);
  double roundings = roundingsOf(original, longest);
  bool exact = staysExact(original, integerBound(original, own.signature));
  for (bool integers : {true, false}) {
    const char *phase = integers ? "small integers" : "uniform data";
    auto right = callOnce(loops, *call, original, integers, options.seed);
    if (!right)
      return verdict.fail("loops: " + llvm::toString(right.takeError())), verdict;
    auto left = callOnce(own, *call, original, integers, options.seed);
    if (!left)
      return verdict.fail(llvm::toString(left.takeError())), verdict;
    compareLeft(*left, *right, roundings, integers && exact, phase, verdict);
  }
  return verdict;
}

/// An error at the first public function that cannot be called from here.
static LogicalResult checkResults(ModuleOp module) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (failed(checkRanges(function)))
      return mlir::failure();
    for (auto [index, type] : llvm::enumerate(function.getResultTypes()))
      if (function.isPublic() && !isa<RankedTensorType>(type) && !canBeReturned(type))
        return function.emitOpError("cannot be compared: result ")
               << index << " is " << type << "; memrefs, tensors and scalars can be returned";
  }
  return success();
}

/// Compares the public functions of one module, which is consumed.
static bool compareModule(ModuleOp module, const AgainstOptions &options) {
  if (failed(checkResults(module)) || failed(noteArgumentSizes(module, options.sizes)))
    return false;
  OwningOpRef<ModuleOp> original(module.clone()), copy(module.clone());
  auto loops = compileLoops(*copy);
  if (failed(loops))
    return false;
  CompileOptions compileOptions = options.compile;
  compileOptions.verify = false;
  auto own = compile(module, compileOptions);
  if (failed(own))
    return false;
  bool right = !(*own)->functions.empty();
  if (!right)
    original->emitError("the module has no public function to compare");
  for (auto [signature, reference] : llvm::zip((*own)->functions, (*loops)->functions)) {
    Verdict verdict = compareFunction(
        {**own, signature, options.compile.device}, {**loops, reference, DeviceKind::Cpu},
        original->lookupSymbol<func::FuncOp>(signature.name), options);
    print(verdict, options.json);
    right &= verdict.failure.empty();
  }
  return right;
}

void rooftile::verify::hideOtherFunctions(ModuleOp module, StringRef entry) {
  for (auto function : module.getOps<func::FuncOp>())
    if (!entry.empty() && function.getSymName() != entry)
      function.setPrivate();
}

bool rooftile::verify::runAgainstLoops(MLIRContext &context,
                                       std::unique_ptr<llvm::MemoryBuffer> file,
                                       const AgainstOptions &options) {
  bool right = true, found = false;
  auto compareOne = [&](std::unique_ptr<llvm::MemoryBuffer> text, llvm::raw_ostream &) {
    llvm::SourceMgr sources;
    sources.AddNewSourceBuffer(std::move(text), llvm::SMLoc());
    SourceMgrDiagnosticHandler handler(sources, &context);
    ScopedDiagnosticHandler mute(&context, [](Diagnostic &diagnostic) {
      return success(diagnostic.getSeverity() == DiagnosticSeverity::Remark);
    });
    auto module = parseSourceFile<ModuleOp>(sources, &context);
    if (module && (options.entry.empty()
                       ? module->getBody()->empty() // the file begins or ends with a separator
                       : !module->lookupSymbol<func::FuncOp>(options.entry)))
      return success(); // another module of the file has it
    found = true;
    if (module)
      hideOtherFunctions(*module, options.entry);
    right &= module && compareModule(*module, options);
    return success();
  };
  // Without a marker errors name lines of the file, not of a module of it.
  StringRef marker = file->getBuffer().contains(kDefaultSplitMarker) ? kDefaultSplitMarker : "";
  bool split = succeeded(splitAndProcessBuffer(std::move(file), compareOne, llvm::nulls(), marker));
  if (!found && options.entry.empty())
    emitError(UnknownLoc::get(&context), "the module has no public function to compare");
  else if (!found)
    emitError(UnknownLoc::get(&context), "no function '") << options.entry << "' in the file";
  return split && found && right;
}
