//===- HostCode.cpp - From a host function to code as data ----------------===//

#include "rooftile/Compiler/HostCode.h"
#include "CodeEmitter.h"
#include "rooftile/Dialect/Element.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Complex/IR/Complex.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/IR/Matchers.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/ADT/TypeSwitch.h"

#include <optional>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::compiler;

void compiler::buildHostCodePipeline(OpPassManager &pm) {
  auto &functions = pm.nest<func::FuncOp>();
  functions.addPass(memref::createExpandStridedMetadataPass());
  functions.addPass(createLowerAffinePass());
  functions.addPass(createSCFToControlFlowPass());
  functions.addPass(createCanonicalizerPass());
  functions.addPass(createCSEPass());
}

namespace {
class CodeBuilder : CodeEmitter {
public:
  CodeBuilder(func::FuncOp function, const KernelNumbers &kernels)
      : function(function), kernels(kernels) {
    code.name = function.getName().str();
  }

  FailureOr<Code> build();

private:
  LogicalResult addArguments();
  LogicalResult add(Operation &op);
  LogicalResult addArith(Operation &op, bool &known);
  void addComplex(Operation &op, bool &known);
  void addMemref(Operation &op, bool &known);
  LogicalResult addCompare(arith::CmpFOp compare);
  LogicalResult addCall(func::CallOp call);
  LogicalResult addLaunch(gpu::LaunchFuncOp launch);
  void addAlloc(memref::AllocOp alloc);
  void addReinterpret(memref::ReinterpretCastOp cast);
  LogicalResult addSwitch(cf::SwitchOp branch);
  void addBranch(Block *target, ValueRange operands);
  void addBranchIf(uint32_t condition, Block *target, ValueRange operands);

  func::FuncOp function;
  const KernelNumbers &kernels;
};
} // namespace

LogicalResult CodeBuilder::addArguments() {
  for (BlockArgument argument : function.getArguments()) {
    std::optional<uint32_t> count = countOf(argument.getType());
    if (!count)
      return function.emitOpError("argument ") << argument.getArgNumber() << " of type "
                                               << argument.getType() << " cannot be passed to code";
    define(argument, *count);
  }
  code.arguments = next;
  return success();
}

/// The opcode of an operation with two operands, and whether they change places.
static std::optional<Opcode> binaryOf(Operation &op) {
  return llvm::TypeSwitch<Operation *, std::optional<Opcode>>(&op)
      .Case([](arith::AddIOp) { return Opcode::Add; })
      .Case([](arith::SubIOp) { return Opcode::Sub; })
      .Case([](arith::MulIOp) { return Opcode::Mul; })
      .Case([](arith::DivUIOp) { return Opcode::DivU; })
      .Case([](arith::DivSIOp) { return Opcode::DivS; })
      .Case([](arith::CeilDivUIOp) { return Opcode::CeilDivU; })
      .Case([](arith::CeilDivSIOp) { return Opcode::CeilDivS; })
      .Case([](arith::RemUIOp) { return Opcode::RemU; })
      .Case([](arith::RemSIOp) { return Opcode::RemS; })
      .Case([](arith::AndIOp) { return Opcode::And; })
      .Case([](arith::OrIOp) { return Opcode::Or; })
      .Case([](arith::XOrIOp) { return Opcode::Xor; })
      .Case([](arith::ShLIOp) { return Opcode::ShiftLeft; })
      .Case([](arith::ShRUIOp) { return Opcode::ShiftRightU; })
      .Case([](arith::MinUIOp) { return Opcode::MinU; })
      .Case([](arith::MinSIOp) { return Opcode::MinS; })
      .Case([](arith::MaxUIOp) { return Opcode::MaxU; })
      .Case([](arith::MaxSIOp) { return Opcode::MaxS; })
      .Default([](Operation *) { return std::nullopt; });
}

/// The opcode of a comparison, and whether its operands change places.
static std::pair<Opcode, bool> compareOf(arith::CmpIPredicate predicate) {
  switch (predicate) {
  case arith::CmpIPredicate::eq:
    return {Opcode::Equal, false};
  case arith::CmpIPredicate::ne:
    return {Opcode::NotEqual, false};
  case arith::CmpIPredicate::slt:
    return {Opcode::LessS, false};
  case arith::CmpIPredicate::sle:
    return {Opcode::LessEqualS, false};
  case arith::CmpIPredicate::sgt:
    return {Opcode::LessS, true};
  case arith::CmpIPredicate::sge:
    return {Opcode::LessEqualS, true};
  case arith::CmpIPredicate::ult:
    return {Opcode::LessU, false};
  case arith::CmpIPredicate::ule:
    return {Opcode::LessEqualU, false};
  case arith::CmpIPredicate::ugt:
    return {Opcode::LessU, true};
  case arith::CmpIPredicate::uge:
    return {Opcode::LessEqualU, true};
  }
  llvm_unreachable("a predicate");
}

/// True where 64-bit arithmetic gives the same as that of `type`.
static bool isWide(Type type) { return type.isIndex() || type.isInteger(64) || type.isInteger(1); }

/// A comparison of a float with 0, which is one of bits without the sign.
LogicalResult CodeBuilder::addCompare(arith::CmpFOp compare) {
  bool equal = compare.getPredicate() == arith::CmpFPredicate::OEQ;
  if ((!equal && compare.getPredicate() != arith::CmpFPredicate::UNE) ||
      !matchPattern(compare.getRhs(), m_AnyZeroFloat()))
    return compare.emitOpError("has no form as code: floats are compared with 0 by oeq or une");
  unsigned width = compare.getLhs().getType().getIntOrFloatBitWidth();
  uint32_t bits = emit(Opcode::ShiftLeft, one(compare.getLhs()), constant(65 - width));
  defineAs(compare, {emit(equal ? Opcode::Equal : Opcode::NotEqual, bits, constant(0))});
  return success();
}

/// The bits of a number.
static uint64_t bitsOf(Attribute value) {
  if (auto number = dyn_cast<IntegerAttr>(value))
    return number.getValue().getSExtValue();
  return cast<FloatAttr>(value).getValue().bitcastToAPInt().getZExtValue();
}

LogicalResult CodeBuilder::addArith(Operation &op, bool &known) {
  known = true;
  if (auto opcode = binaryOf(op)) {
    if (!isWide(op.getResult(0).getType()))
      return op.emitOpError("has no form as code: only numbers of 64 bits are computed");
    defineAs(op.getResult(0), {emit(*opcode, one(op.getOperand(0)), one(op.getOperand(1)))});
    return success();
  }
  if (auto compare = dyn_cast<arith::CmpIOp>(op)) {
    auto [opcode, swapped] = compareOf(compare.getPredicate());
    uint32_t left = one(compare.getLhs()), right = one(compare.getRhs());
    if (swapped)
      std::swap(left, right);
    defineAs(compare, {emit(opcode, left, right)});
    return success();
  }
  if (auto compare = dyn_cast<arith::CmpFOp>(op))
    return addCompare(compare);
  if (auto select = dyn_cast<arith::SelectOp>(op)) {
    Registers yes = copyOf(select.getTrueValue()), no = copyOf(select.getFalseValue());
    Registers result = define(select, yes.size());
    for (auto [to, ifTrue, ifFalse] : llvm::zip(result, yes, no))
      emitInto(to, Opcode::Select, one(select.getCondition()), ifTrue, ifFalse);
    return success();
  }
  if (isa<arith::ConstantOp, LLVM::ConstantOp>(op)) {
    auto value = op.getAttrOfType<TypedAttr>("value");
    if (!isa<IntegerAttr, FloatAttr>(value))
      return op.emitOpError("has no form as code");
    defineAs(op.getResult(0), {constant(bitsOf(value))});
    return success();
  }
  if (isa<arith::IndexCastOp, arith::IndexCastUIOp>(op) ||
      (isa<arith::ExtUIOp>(op) && op.getOperand(0).getType().isInteger(1))) {
    defineAs(op.getResult(0), copyOf(op.getOperand(0)));
    return success();
  }
  known = false;
  return success();
}

/// True where both parts, of 32 bits at most, share a register.
static bool isPacked(Type complex) { return elementBytes(complex) <= 8; }

void CodeBuilder::addComplex(Operation &op, bool &known) {
  known = true;
  constexpr uint32_t half = 32;
  if (auto create = dyn_cast<complex::CreateOp>(op)) {
    uint32_t re = one(create.getReal()), im = one(create.getImaginary());
    if (isPacked(create.getType()))
      defineAs(create, {emit(Opcode::Or, re, emit(Opcode::ShiftLeft, im, constant(half)))});
    else // side by side, as a kernel takes it
      defineCopies(create, {re, im});
  } else if (auto number = dyn_cast<complex::ConstantOp>(op)) {
    uint64_t re = bitsOf(number.getValue()[0]), im = bitsOf(number.getValue()[1]);
    if (isPacked(number.getType()))
      defineAs(number, {constant(re | im << half)});
    else
      defineCopies(number, {constant(re), constant(im)});
  } else if (isa<complex::ReOp, complex::ImOp>(op)) {
    Registers source = copyOf(op.getOperand(0));
    bool isRe = isa<complex::ReOp>(op);
    if (!isPacked(op.getOperand(0).getType()))
      defineAs(op.getResult(0), {source[isRe ? 0 : 1]});
    else
      defineAs(op.getResult(0), {isRe ? emit(Opcode::And, source[0], constant(UINT32_MAX))
                                      : emit(Opcode::ShiftRightU, source[0], constant(half))});
  } else {
    known = false;
  }
}

/// Row-major memory of its own.
void CodeBuilder::addAlloc(memref::AllocOp alloc) {
  MemRefType type = alloc.getType();
  auto sizes = getMixedValues(type.getShape(), alloc.getDynamicSizes(), alloc.getContext());
  uint32_t stride = constant(1);
  Registers lengths, strides;
  for (OpFoldResult size : llvm::reverse(sizes)) {
    strides.push_back(stride);
    lengths.push_back(numberOrConstant(size));
    stride = emit(Opcode::Mul, stride, lengths.back());
  }
  uint32_t bytes = emit(Opcode::Mul, stride, constant(elementBytes(type.getElementType())));
  Registers registers{emit(Opcode::Allocate, bytes), constant(0)};
  llvm::append_range(registers, llvm::reverse(lengths));
  llvm::append_range(registers, llvm::reverse(strides));
  defineAs(alloc, registers);
}

void CodeBuilder::addReinterpret(memref::ReinterpretCastOp cast) {
  Registers registers{one(cast.getSource())};
  auto add = [&](ArrayRef<OpFoldResult> numbers) {
    for (OpFoldResult number : numbers)
      registers.push_back(numberOrConstant(number));
  };
  add(cast.getMixedOffsets());
  add(cast.getMixedSizes());
  add(cast.getMixedStrides());
  defineAs(cast, registers);
}

void CodeBuilder::addMemref(Operation &op, bool &known) {
  known = true;
  if (auto metadata = dyn_cast<memref::ExtractStridedMetadataOp>(op)) {
    Registers source = copyOf(metadata.getSource());
    defineAs(metadata.getBaseBuffer(), {source[0], constant(0)});
    for (auto [result, place] :
         llvm::zip(op.getResults().drop_front(), ArrayRef(source).drop_front()))
      defineAs(result, {place});
  } else if (auto address = dyn_cast<memref::ExtractAlignedPointerAsIndexOp>(op)) {
    defineAs(address, {one(address.getSource())});
  } else if (auto dim = dyn_cast<memref::DimOp>(op); dim && dim.getConstantIndex()) {
    defineAs(dim, {values[dim.getSource()][2 + *dim.getConstantIndex()]});
  } else if (auto cast = dyn_cast<memref::CastOp>(op); cast && isa<MemRefType>(cast.getType())) {
    defineAs(cast, copyOf(cast.getSource()));
  } else if (auto reinterpret = dyn_cast<memref::ReinterpretCastOp>(op)) {
    addReinterpret(reinterpret);
  } else if (auto alloc = dyn_cast<memref::AllocOp>(op);
             alloc && alloc.getType().getLayout().isIdentity()) {
    addAlloc(alloc);
  } else if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
    emitInto(0, Opcode::Free, one(dealloc.getMemref()));
  } else {
    known = false;
  }
}

/// Functions of the runtime that host code calls.
LogicalResult CodeBuilder::addCall(func::CallOp call) {
  auto operand = [&](unsigned index) { return one(call.getOperand(index)); };
  StringRef callee = call.getCallee();
  if (callee == "rooftileIsAligned") {
    defineAs(call.getResult(0), {emit(Opcode::IsAligned, operand(0), operand(1), operand(2))});
    return success();
  }
  if (callee == "rooftileHasRoom") {
    defineAs(call.getResult(0), {emit(Opcode::HasRoom, operand(0), operand(1))});
    return success();
  }
  if (callee == "rooftileTensorMap") {
    DescriptorSite site{operand(0), operand(1), operand(2), operand(3),
                        operand(4), operand(5), operand(6), operand(7)};
    defineAs(call.getResult(0), {emit(Opcode::TensorMap, 0)});
    code.instructions.back().target = code.descriptors.size();
    code.descriptors.push_back(site);
    return success();
  }
  return call.emitOpError("has no form as code of the host: it calls ") << callee;
}

/// Bytes of a parameter of a kernel; a memref is passed as its address.
static uint32_t parameterBytes(Type type) {
  if (isa<LLVM::LLVMArrayType>(type))
    return 8 * kDescriptorRegisters;
  if (isa<MemRefType>(type) || type.isIndex())
    return 8;
  return elementBytes(type);
}

LogicalResult CodeBuilder::addLaunch(gpu::LaunchFuncOp launch) {
  std::string name =
      (launch.getKernelModuleName().getValue() + "::" + launch.getKernelName().getValue()).str();
  auto kernel = kernels.find(name);
  if (kernel == kernels.end())
    return launch.emitOpError("launches a kernel that there is not: ") << name;
  LaunchSite site;
  site.kernel = kernel->second;
  auto set = [&](uint32_t (&to)[3], gpu::KernelDim3 sizes) {
    to[0] = one(sizes.x), to[1] = one(sizes.y), to[2] = one(sizes.z);
  };
  set(site.grid, launch.getGridSizeOperandValues());
  set(site.block, launch.getBlockSizeOperandValues());
  std::fill(std::begin(site.cluster), std::end(site.cluster), constant(1));
  if (launch.hasClusterSize())
    set(site.cluster, launch.getClusterSizeOperandValues());
  Value shared = launch.getDynamicSharedMemorySize();
  site.sharedBytes = shared ? one(shared) : constant(0);
  for (Value operand : launch.getKernelOperands()) {
    site.parameters.push_back({one(operand), parameterBytes(operand.getType())});
  }
  code.instructions.push_back({Opcode::Launch, 0, 0, 0, 0, uint32_t(code.launches.size())});
  code.launches.push_back(std::move(site));
  return success();
}

/// Values that a block takes: what is passed may be what it takes in another order.
void CodeBuilder::addBranch(Block *target, ValueRange operands) {
  SmallVector<std::pair<uint32_t, uint32_t>> moves;
  for (auto [argument, operand] : llvm::zip(target->getArguments(), operands))
    for (auto [to, from] : llvm::zip(values[argument], values[operand]))
      if (to != from)
        moves.push_back({to, from});
  if (moves.size() > 1)
    for (auto &[to, from] : moves)
      from = emit(Opcode::Copy, from);
  for (auto [to, from] : moves)
    emitInto(to, Opcode::Copy, from);
  jump(target);
}

void CodeBuilder::addBranchIf(uint32_t condition, Block *target, ValueRange operands) {
  size_t test = code.instructions.size();
  code.instructions.push_back({Opcode::JumpUnless, 0, condition, 0, 0, 0});
  addBranch(target, operands);
  code.instructions[test].target = code.instructions.size();
}

LogicalResult CodeBuilder::addSwitch(cf::SwitchOp branch) {
  if (!branch.getCaseValues())
    return addBranch(branch.getDefaultDestination(), branch.getDefaultOperands()), success();
  for (auto [index, value] : llvm::enumerate(branch.getCaseValues()->getValues<APInt>())) {
    uint32_t equal = emit(Opcode::Equal, one(branch.getFlag()), constant(value.getSExtValue()));
    addBranchIf(equal, branch.getCaseDestinations()[index], branch.getCaseOperands(index));
  }
  addBranch(branch.getDefaultDestination(), branch.getDefaultOperands());
  return success();
}

LogicalResult CodeBuilder::add(Operation &op) {
  bool known = false;
  if (failed(addArith(op, known)))
    return failure();
  if (!known)
    addComplex(op, known);
  if (!known)
    addMemref(op, known);
  if (known)
    return success();
  if (auto launch = dyn_cast<gpu::LaunchFuncOp>(op))
    return addLaunch(launch);
  if (auto call = dyn_cast<func::CallOp>(op))
    return addCall(call);
  if (auto place = dyn_cast<LLVM::AllocaOp>(op)) {
    define(place, kDescriptorRegisters);
    return success();
  }
  if (auto load = dyn_cast<LLVM::LoadOp>(op)) {
    defineAs(load, copyOf(load.getAddr()));
    return success();
  }
  if (auto branch = dyn_cast<cf::BranchOp>(op))
    return addBranch(branch.getDest(), branch.getDestOperands()), success();
  if (auto branch = dyn_cast<cf::CondBranchOp>(op)) {
    addBranchIf(one(branch.getCondition()), branch.getTrueDest(), branch.getTrueDestOperands());
    return addBranch(branch.getFalseDest(), branch.getFalseDestOperands()), success();
  }
  if (auto branch = dyn_cast<cf::SwitchOp>(op))
    return addSwitch(branch);
  if (isa<func::ReturnOp>(op) && op.getNumOperands() == 0) {
    code.instructions.push_back({Opcode::Return});
    return success();
  }
  return op.emitOpError("has no form as code of the host");
}

FailureOr<Code> CodeBuilder::build() {
  if (function.getNumResults() != 0)
    return function.emitOpError("has results: code of the host returns nothing");
  if (failed(addArguments()))
    return failure();
  for (Block &block : llvm::drop_begin(function.getBody()))
    for (BlockArgument argument : block.getArguments()) {
      std::optional<uint32_t> count = countOf(argument.getType());
      if (!count)
        return function.emitOpError("a block takes ") << argument.getType();
      define(argument, *count);
    }
  for (Block *block : getBlocksSortedByDominance(function.getBody())) {
    begins[block] = code.instructions.size();
    for (Operation &op : *block)
      if (failed(add(op)))
        return failure();
  }
  finish();
  return std::move(code);
}

FailureOr<Code> compiler::toCode(func::FuncOp function, const KernelNumbers &kernels) {
  return CodeBuilder(function, kernels).build();
}
