//===- NumberEmitter.cpp - Arithmetic of host code as data ----------------===//

#include "NumberEmitter.h"
#include "rooftile/Dialect/Element.h"

#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::compiler;

bool NumberEmitter::takes(Operation &op) {
  NumberEmitter trial;
  for (Value operand : op.getOperands()) {
    std::optional<uint32_t> count = countOf(operand.getType());
    if (!count)
      return false;
    trial.define(operand, *count);
  }
  return trial.addNumber(op);
}

bool NumberEmitter::addNumber(Operation &op) {
  return addInteger(op) || addFloat(op) || addConversion(op) || addConstant(op) || addComplex(op);
}

//===----------------------------------------------------------------------===//
// Types
//===----------------------------------------------------------------------===//

/// Bits of an integer; an index has 64.
static unsigned widthOf(Type type) { return type.isIndex() ? 64 : type.getIntOrFloatBitWidth(); }

/// The type of a number in a register; nothing for floats without a conversion.
static std::optional<NumberType> numberTypeOf(Type type) {
  if (type.isF16())
    return NumberType::F16;
  if (type.isBF16())
    return NumberType::BF16;
  if (type.isF32())
    return NumberType::F32;
  if (type.isF64())
    return NumberType::F64;
  return std::nullopt;
}

static uint64_t maskOf(unsigned width) { return width < 64 ? (uint64_t(1) << width) - 1 : ~0ull; }

uint32_t NumberEmitter::canonical(Type type, uint32_t number) {
  unsigned width = widthOf(type);
  if (width == 64)
    return number;
  return width == 1 ? emit(Opcode::And, number, constant(1))
                    : emit(Opcode::SignExtend, number, constant(width));
}

uint32_t NumberEmitter::signedOf(Value value) {
  bool isBit = value.getType().isInteger(1);
  return isBit ? emit(Opcode::SignExtend, one(value), constant(1)) : one(value);
}

uint32_t NumberEmitter::unsignedOf(Value value) {
  unsigned width = widthOf(value.getType());
  bool isSame = width == 64 || width == 1;
  return isSame ? one(value) : emit(Opcode::And, one(value), constant(maskOf(width)));
}

uint32_t NumberEmitter::convert(uint32_t number, NumberType from, NumberType to) {
  if (from == to)
    return number;
  uint32_t result = emit(Opcode::Convert, number);
  code.instructions.back().target = conversionOf(from, to);
  return result;
}

/// A float, as an f64.
uint32_t NumberEmitter::doubleOf(Value value) {
  return convert(one(value), *numberTypeOf(value.getType()), NumberType::F64);
}

//===----------------------------------------------------------------------===//
// Integers
//===----------------------------------------------------------------------===//

namespace {
enum class Reads { Bits, Signed, Unsigned };
struct Binary {
  Opcode opcode;
  Reads reads; ///< Extension of the operands to 64 bits.
};
} // namespace

static std::optional<Binary> binaryOf(Operation &op) {
  using R = Reads;
  return llvm::TypeSwitch<Operation *, std::optional<Binary>>(&op)
      .Case([](arith::AddIOp) { return Binary{Opcode::Add, R::Bits}; })
      .Case([](arith::SubIOp) { return Binary{Opcode::Sub, R::Bits}; })
      .Case([](arith::MulIOp) { return Binary{Opcode::Mul, R::Bits}; })
      .Case([](arith::DivUIOp) { return Binary{Opcode::DivU, R::Unsigned}; })
      .Case([](arith::DivSIOp) { return Binary{Opcode::DivS, R::Signed}; })
      .Case([](arith::CeilDivUIOp) { return Binary{Opcode::CeilDivU, R::Unsigned}; })
      .Case([](arith::CeilDivSIOp) { return Binary{Opcode::CeilDivS, R::Signed}; })
      .Case([](arith::RemUIOp) { return Binary{Opcode::RemU, R::Unsigned}; })
      .Case([](arith::RemSIOp) { return Binary{Opcode::RemS, R::Signed}; })
      .Case([](arith::AndIOp) { return Binary{Opcode::And, R::Bits}; })
      .Case([](arith::OrIOp) { return Binary{Opcode::Or, R::Bits}; })
      .Case([](arith::XOrIOp) { return Binary{Opcode::Xor, R::Bits}; })
      .Case([](arith::ShLIOp) { return Binary{Opcode::ShiftLeft, R::Unsigned}; })
      .Case([](arith::ShRUIOp) { return Binary{Opcode::ShiftRightU, R::Unsigned}; })
      .Case([](arith::ShRSIOp) { return Binary{Opcode::ShiftRightS, R::Signed}; })
      .Case([](arith::MinUIOp) { return Binary{Opcode::MinU, R::Unsigned}; })
      .Case([](arith::MinSIOp) { return Binary{Opcode::MinS, R::Signed}; })
      .Case([](arith::MaxUIOp) { return Binary{Opcode::MaxU, R::Unsigned}; })
      .Case([](arith::MaxSIOp) { return Binary{Opcode::MaxS, R::Signed}; })
      .Default([](Operation *) { return std::nullopt; });
}

bool NumberEmitter::addInteger(Operation &op) {
  if (auto compare = dyn_cast<arith::CmpIOp>(op))
    return isa<ShapedType>(compare.getLhs().getType()) ? false : (addCompare(compare), true);
  std::optional<Binary> binary = binaryOf(op);
  if (!binary || !op.getResult(0).getType().isIntOrIndex())
    return false;
  auto read = [&](Value value) {
    return binary->reads == Reads::Signed     ? signedOf(value)
           : binary->reads == Reads::Unsigned ? unsignedOf(value)
                                              : one(value);
  };
  uint32_t left = read(op.getOperand(0)), right = read(op.getOperand(1));
  uint32_t result = emit(binary->opcode, left, right);
  defineAs(op.getResult(0), {canonical(op.getResult(0).getType(), result)});
  return true;
}

void NumberEmitter::addCompare(arith::CmpIOp compare) {
  using P = arith::CmpIPredicate;
  P predicate = compare.getPredicate();
  bool isSigned = llvm::is_contained({P::slt, P::sle, P::sgt, P::sge}, predicate);
  bool isSwapped = llvm::is_contained({P::sgt, P::sge, P::ugt, P::uge}, predicate);
  bool isStrict = llvm::is_contained({P::slt, P::sgt, P::ult, P::ugt}, predicate);
  Opcode opcode = predicate == P::eq   ? Opcode::Equal
                  : predicate == P::ne ? Opcode::NotEqual
                  : isSigned           ? (isStrict ? Opcode::LessS : Opcode::LessEqualS)
                                       : (isStrict ? Opcode::LessU : Opcode::LessEqualU);
  auto read = [&](Value value) { return isSigned ? signedOf(value) : unsignedOf(value); };
  uint32_t left = read(compare.getLhs()), right = read(compare.getRhs());
  if (isSwapped)
    std::swap(left, right);
  defineAs(compare, {emit(opcode, left, right)});
}

void NumberEmitter::addSelect(arith::SelectOp select) {
  Registers yes = copyOf(select.getTrueValue()), no = copyOf(select.getFalseValue());
  Registers result = define(select, yes.size());
  for (auto [to, ifTrue, ifFalse] : llvm::zip(result, yes, no))
    emitInto(to, Opcode::Select, one(select.getCondition()), ifTrue, ifFalse);
}

//===----------------------------------------------------------------------===//
// Floats
//===----------------------------------------------------------------------===//

static std::optional<Opcode> floatOpcodeOf(Operation &op) {
  return llvm::TypeSwitch<Operation *, std::optional<Opcode>>(&op)
      .Case([](arith::AddFOp) { return Opcode::AddF; })
      .Case([](arith::SubFOp) { return Opcode::SubF; })
      .Case([](arith::MulFOp) { return Opcode::MulF; })
      .Case([](arith::DivFOp) { return Opcode::DivF; })
      .Case([](math::SqrtOp) { return Opcode::SqrtF; })
      .Default([](Operation *) { return std::nullopt; });
}

bool NumberEmitter::addFloat(Operation &op) {
  if (op.getNumOperands() == 0 || op.getNumResults() != 1)
    return false;
  std::optional<NumberType> type = numberTypeOf(op.getOperand(0).getType());
  if (!type)
    return false;
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return addCompare(compare), true;
  uint32_t number = one(op.getOperand(0));
  uint64_t sign = uint64_t(1) << (widthOf(op.getOperand(0).getType()) - 1);
  if (isa<arith::NegFOp>(op))
    return defineAs(op.getResult(0), {emit(Opcode::Xor, number, constant(sign))}), true;
  if (isa<math::AbsFOp>(op))
    return defineAs(op.getResult(0), {emit(Opcode::And, number, constant(sign - 1))}), true;
  std::optional<Opcode> opcode = floatOpcodeOf(op);
  if (!opcode)
    return false;
  uint32_t left = doubleOf(op.getOperand(0));
  uint32_t right = op.getNumOperands() > 1 ? doubleOf(op.getOperand(1)) : left;
  defineAs(op.getResult(0), {convert(emit(*opcode, left, right), NumberType::F64, *type)});
  return true;
}

/// An ordered predicate is false, and an unordered one true, where one of the operands is NaN: an
/// unordered one is the contrary of the ordered one that it excludes.
void NumberEmitter::addCompare(arith::CmpFOp compare) {
  using P = arith::CmpFPredicate;
  uint32_t a = doubleOf(compare.getLhs()), b = doubleOf(compare.getRhs());
  auto less = [&](uint32_t x, uint32_t y) { return emit(Opcode::LessF, x, y); };
  auto atMost = [&](uint32_t x, uint32_t y) { return emit(Opcode::LessEqualF, x, y); };
  auto contrary = [&](uint32_t x) { return emit(Opcode::Xor, x, constant(1)); };
  auto both = [&](Opcode opcode, uint32_t x, uint32_t y) { return emit(opcode, x, y); };
  auto ordered = [&] { return both(Opcode::Or, atMost(a, b), atMost(b, a)); };
  auto unequal = [&] { return both(Opcode::Or, less(a, b), less(b, a)); };
  auto result = [&] {
    switch (compare.getPredicate()) {
    case P::AlwaysFalse:
      return constant(0);
    case P::AlwaysTrue:
      return constant(1);
    case P::OEQ:
      return emit(Opcode::EqualF, a, b);
    case P::UNE:
      return contrary(emit(Opcode::EqualF, a, b));
    case P::OGT:
      return less(b, a);
    case P::ULE:
      return contrary(less(b, a));
    case P::OGE:
      return atMost(b, a);
    case P::ULT:
      return contrary(atMost(b, a));
    case P::OLT:
      return less(a, b);
    case P::UGE:
      return contrary(less(a, b));
    case P::OLE:
      return atMost(a, b);
    case P::UGT:
      return contrary(atMost(a, b));
    case P::ONE:
      return unequal();
    case P::UEQ:
      return contrary(unequal());
    case P::ORD:
      return ordered();
    case P::UNO:
      return contrary(ordered());
    }
    llvm_unreachable("a predicate");
  };
  defineAs(compare, {result()});
}

//===----------------------------------------------------------------------===//
// Conversions
//===----------------------------------------------------------------------===//

bool NumberEmitter::addConversion(Operation &op) {
  if (auto select = dyn_cast<arith::SelectOp>(op))
    return !isa<ShapedType>(select.getCondition().getType()) && (addSelect(select), true);
  if (op.getNumOperands() != 1 || op.getNumResults() != 1)
    return false;
  Value source = op.getOperand(0);
  Type from = source.getType(), to = op.getResult(0).getType();
  std::optional<NumberType> ofFloat = numberTypeOf(from), toFloat = numberTypeOf(to);
  auto define = [&](uint32_t number) { return defineAs(op.getResult(0), {number}), true; };
  bool isWhole = from.isIntOrIndex() && to.isIntOrIndex();
  if (isWhole && isa<arith::ExtUIOp, arith::IndexCastUIOp>(op))
    return define(canonical(to, unsignedOf(source)));
  if (isWhole && isa<arith::ExtSIOp, arith::IndexCastOp, arith::TruncIOp>(op))
    return define(canonical(to, signedOf(source)));
  if (ofFloat && toFloat && isa<arith::ExtFOp, arith::TruncFOp>(op))
    return define(convert(one(source), *ofFloat, *toFloat));
  if (from.isIntOrIndex() && toFloat && isa<arith::SIToFPOp>(op))
    return define(convert(signedOf(source), NumberType::I64, *toFloat));
  if (from.isIntOrIndex() && toFloat && isa<arith::UIToFPOp>(op))
    return define(convert(unsignedOf(source), NumberType::U64, *toFloat));
  if (ofFloat && to.isIntOrIndex() && isa<arith::FPToSIOp>(op))
    return define(canonical(to, convert(one(source), *ofFloat, NumberType::I64)));
  if (ofFloat && to.isIntOrIndex() && isa<arith::FPToUIOp>(op))
    return define(canonical(to, convert(one(source), *ofFloat, NumberType::U64)));
  if (ofFloat && to.isIntOrIndex() && isa<arith::BitcastOp>(op))
    return define(canonical(to, one(source)));
  if (from.isIntOrIndex() && toFloat && isa<arith::BitcastOp>(op))
    return define(unsignedOf(source));
  return false;
}

/// The bits of a number, as a register holds them.
static uint64_t bitsOf(Attribute value) {
  if (auto number = dyn_cast<IntegerAttr>(value))
    return number.getType().isInteger(1) ? number.getValue().getZExtValue()
                                         : number.getValue().getSExtValue();
  return cast<FloatAttr>(value).getValue().bitcastToAPInt().getZExtValue();
}

bool NumberEmitter::addConstant(Operation &op) {
  auto value = op.getAttrOfType<TypedAttr>("value");
  if (!isa<arith::ConstantOp, LLVM::ConstantOp>(op) || !isa<IntegerAttr, FloatAttr>(value) ||
      !countOf(value.getType()))
    return false;
  defineAs(op.getResult(0), {constant(bitsOf(value))});
  return true;
}

//===----------------------------------------------------------------------===//
// Complex values
//===----------------------------------------------------------------------===//

/// True where both components, of 32 bits at most, share a register.
static bool isPacked(Type complex) { return elementBytes(complex) <= 8; }

bool NumberEmitter::addComplex(Operation &op) {
  constexpr uint32_t half = 32;
  if (auto create = dyn_cast<complex::CreateOp>(op)) {
    uint32_t re = one(create.getReal()), im = one(create.getImaginary());
    if (isPacked(create.getType()))
      defineAs(create, {emit(Opcode::Or, re, emit(Opcode::ShiftLeft, im, constant(half)))});
    else // side by side, as a kernel expects it
      defineCopies(create, {re, im});
    return true;
  }
  if (auto number = dyn_cast<complex::ConstantOp>(op)) {
    uint64_t re = bitsOf(number.getValue()[0]), im = bitsOf(number.getValue()[1]);
    if (isPacked(number.getType()))
      defineAs(number, {constant(re | im << half)});
    else
      defineCopies(number, {constant(re), constant(im)});
    return true;
  }
  if (!isa<complex::ReOp, complex::ImOp>(op))
    return false;
  Registers source = copyOf(op.getOperand(0));
  bool isRe = isa<complex::ReOp>(op);
  if (!isPacked(op.getOperand(0).getType()))
    defineAs(op.getResult(0), {source[isRe ? 0 : 1]});
  else
    defineAs(op.getResult(0), {isRe ? emit(Opcode::And, source[0], constant(UINT32_MAX))
                                    : emit(Opcode::ShiftRightU, source[0], constant(half))});
  return true;
}
