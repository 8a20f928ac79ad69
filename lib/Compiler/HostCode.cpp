//===- HostCode.cpp - From a host function to code as data ----------------===//

#include "rooftile/Compiler/HostCode.h"
#include "HostSizes.h"
#include "NumberEmitter.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Pipelines/Pipelines.h"

#include "mlir/Analysis/TopologicalSortUtils.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/Transforms/Passes.h"

#include <optional>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::compiler;

void compiler::buildHostCodePipeline(OpPassManager &pm) {
  auto &functions = pm.nest<func::FuncOp>();
  addPlainControl(functions);
  functions.addPass(createCanonicalizerPass());
  functions.addPass(createCSEPass());
}

namespace {
class CodeBuilder : NumberEmitter {
public:
  CodeBuilder(func::FuncOp function, const KernelNumbers &kernels, ArrayNumbers &arrays)
      : function(function), kernels(kernels), arrays(arrays) {
    code.name = function.getName().str();
  }

  FailureOr<Code> build();

private:
  LogicalResult addArguments();
  LogicalResult add(Operation &op);
  void addMemref(Operation &op, bool &known);
  LogicalResult addCall(func::CallOp call);
  void addCallOfProcess(func::CallOp call, uint32_t kernel);
  void addReturn(func::ReturnOp op);
  LogicalResult addResults();
  LogicalResult addLaunch(gpu::LaunchFuncOp launch);
  void addAlloc(Operation *alloc, ValueRange sizes);
  void addReinterpret(memref::ReinterpretCastOp cast);
  void addLoad(memref::LoadOp load);
  void addVectorView(vector::TypeCastOp cast);
  void addArray(memref::GetGlobalOp global);
  LogicalResult addSwitch(cf::SwitchOp branch);
  void addBranch(Block *target, ValueRange operands);
  void launch(LaunchSite site) {
    code.instructions.push_back({Opcode::Launch, 0, 0, 0, 0, uint32_t(code.launches.size())});
    code.launches.push_back(std::move(site));
  }
  void addBranchIf(uint32_t condition, Block *target, ValueRange operands);

  func::FuncOp function;
  const KernelNumbers &kernels;
  ArrayNumbers &arrays;
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
  for (BlockArgument argument : function.getArguments()) // whose high bits may be anything
    if (argument.getType().isIntOrIndex())
      defineAs(argument, {canonical(argument.getType(), one(argument))});
  return success();
}

/// Row-major memory of its own.
void CodeBuilder::addAlloc(Operation *alloc, ValueRange dynamicSizes) {
  auto type = cast<MemRefType>(alloc->getResult(0).getType());
  auto sizes = getMixedValues(type.getShape(), dynamicSizes, alloc->getContext());
  uint32_t stride = constant(1);
  Registers lengths, strides;
  for (OpFoldResult size : llvm::reverse(sizes)) {
    strides.push_back(stride);
    lengths.push_back(numberOrConstant(size));
    stride = emit(Opcode::Mul, stride, lengths.back());
  }
  uint32_t bytes = emit(Opcode::Mul, stride, constant(storedBytes(type.getElementType())));
  Registers registers{emit(Opcode::Allocate, bytes), constant(0)};
  llvm::append_range(registers, llvm::reverse(lengths));
  llvm::append_range(registers, llvm::reverse(strides));
  defineAs(alloc->getResult(0), registers);
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

/// An element, at its address.
void CodeBuilder::addLoad(memref::LoadOp load) {
  constexpr uint64_t kWord = 8;
  Registers source = copyOf(load.getMemref());
  size_t rank = load.getMemRefType().getRank();
  uint32_t place = source[1];
  for (auto [dim, index] : llvm::enumerate(load.getIndices()))
    place = emit(Opcode::Add, place, emit(Opcode::Mul, one(index), source[2 + rank + dim]));
  uint64_t bytes = storedBytes(load.getType());
  uint32_t address = emit(Opcode::Add, source[0], emit(Opcode::Mul, place, constant(bytes)));
  Registers words;
  for (uint64_t first = 0; first < bytes; first += kWord) {
    uint32_t at = first ? emit(Opcode::Add, address, constant(first)) : address;
    words.push_back(emit(Opcode::Load, at, constant(std::min(kWord, bytes - first))));
  }
  if (load.getType().isIntOrIndex())
    words[0] = canonical(load.getType(), words[0]);
  defineCopies(load, words);
}

/// Memory of a vector as that of several: both are contiguous.
void CodeBuilder::addVectorView(vector::TypeCastOp cast) {
  MemRefType type = cast.getResultMemRefType();
  Registers registers{one(cast.getMemref()), constant(0)};
  SmallVector<int64_t> strides = type.getStridesAndOffset().first;
  for (ArrayRef<int64_t> numbers : {type.getShape(), ArrayRef<int64_t>(strides)})
    for (int64_t number : numbers)
      registers.push_back(constant(number));
  defineAs(cast, registers);
}

/// A constant of the module, or memory that it keeps between calls.
void CodeBuilder::addArray(memref::GetGlobalOp global) {
  MemRefType type = global.getType();
  auto [strides, offset] = type.getStridesAndOffset();
  auto [place, isNew] = arrays.try_emplace(global.getName(), uint32_t(arrays.size()));
  Registers registers{emit(Opcode::Array, 0), constant(offset)};
  code.instructions.back().target = place->second;
  for (ArrayRef<int64_t> numbers : {type.getShape(), ArrayRef<int64_t>(strides)})
    for (int64_t number : numbers)
      registers.push_back(constant(number));
  defineAs(global, registers);
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
    addAlloc(alloc, alloc.getDynamicSizes());
  } else if (auto alloca = dyn_cast<memref::AllocaOp>(op); // the end of the run frees it
             alloca && alloca.getType().getLayout().isIdentity()) {
    addAlloc(alloca, alloca.getDynamicSizes());
  } else if (auto cast = dyn_cast<vector::TypeCastOp>(op)) {
    addVectorView(cast);
  } else if (auto load = dyn_cast<memref::LoadOp>(op)) {
    addLoad(load);
  } else if (auto global = dyn_cast<memref::GetGlobalOp>(op)) {
    addArray(global);
  } else if (auto dealloc = dyn_cast<memref::DeallocOp>(op)) {
    emitInto(0, Opcode::Free, one(dealloc.getMemref()));
  } else {
    known = false;
  }
}

/// A function of the process: a kernel of one thread, whose parameters are all registers of each
/// operand.
void CodeBuilder::addCallOfProcess(func::CallOp call, uint32_t kernel) {
  LaunchSite site;
  site.kernel = kernel;
  for (auto *sizes : {&site.grid, &site.block, &site.cluster})
    std::fill(std::begin(*sizes), std::end(*sizes), constant(1));
  site.sharedBytes = constant(0);
  for (Value operand : call.getOperands()) {
    Registers sources = copyOf(operand);
    uint32_t first = next;
    for (uint32_t source : sources)
      emit(Opcode::Copy, source);
    site.parameters.push_back({first, uint32_t(8 * sources.size())});
  }
  launch(std::move(site));
}

/// Functions of the runtime that host code calls.
LogicalResult CodeBuilder::addCall(func::CallOp call) {
  auto operand = [&](unsigned index) { return one(call.getOperand(index)); };
  StringRef callee = call.getCallee();
  if (callee == "rooftileIsAligned") {
    defineAs(call.getResult(0), {emit(Opcode::IsAligned, operand(0), operand(1), operand(2))});
    return success();
  }
  if (callee == kSameSize) {
    emitInto(0, Opcode::SameSize, operand(0), operand(1), operand(2));
    return success();
  }
  if (callee == "rooftileHasRoom") {
    defineAs(call.getResult(0), {emit(Opcode::HasRoom, operand(0), operand(1))});
    return success();
  }
  if (callee == "rooftileTensorMap") {
    DescriptorSite site{operand(0), operand(1), operand(2), operand(3), operand(4),
                        operand(5), operand(6), operand(7), operand(8)};
    defineAs(call.getResult(0), {emit(Opcode::TensorMap, 0)});
    code.instructions.back().target = code.descriptors.size();
    code.descriptors.push_back(site);
    return success();
  }
  if (auto kernel = kernels.find(callee); kernel != kernels.end())
    return addCallOfProcess(call, kernel->second), success();
  return call.emitOpError("has no form as code of the host: it calls ") << callee;
}

/// Bytes of a parameter of a kernel; a memref is passed as its address.
static uint32_t parameterBytes(Type type) {
  if (isa<LLVM::LLVMArrayType>(type))
    return 8 * kDescriptorRegisters;
  if (isa<MemRefType>(type) || type.isIndex())
    return 8;
  return storedBytes(type);
}

LogicalResult CodeBuilder::addLaunch(gpu::LaunchFuncOp launch) {
  std::string name =
      (launch.getKernelModuleName().getValue() + "::" + launch.getKernelName().getValue()).str();
  auto kernel = kernels.find(name);
  if (kernel == kernels.end())
    return launch.emitOpError("launches a missing kernel: ") << name;
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
  this->launch(std::move(site));
  return success();
}

/// Arguments of a block: what is passed may be these in another order.
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
  bool known = addNumber(op);
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
  if (auto require = dyn_cast<cf::AssertOp>(op)) {
    emitInto(0, Opcode::Require, one(require.getArg()));
    code.instructions.back().target = code.messages.size();
    code.messages.push_back(require.getMsg().str());
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
  if (auto end = dyn_cast<func::ReturnOp>(op))
    return addReturn(end), success();
  return op.emitOpError("has no form as code of the host");
}

/// Registers of the results, which each return fills.
LogicalResult CodeBuilder::addResults() {
  for (auto [index, type] : llvm::enumerate(function.getResultTypes())) {
    std::optional<uint32_t> count = countOf(type);
    if (!count)
      return function.emitOpError("result ")
             << index << " of type " << type << " cannot be returned by code";
    for (uint32_t i = 0; i < *count; ++i)
      code.results.push_back({newRegister(), i == 0 && isa<MemRefType>(type)});
  }
  return success();
}

void CodeBuilder::addReturn(func::ReturnOp op) {
  const ResultSite *result = code.results.data();
  for (Value operand : op.getOperands())
    for (uint32_t from : copyOf(operand))
      emitInto((result++)->place, Opcode::Copy, from);
  code.instructions.push_back({Opcode::Return});
}

FailureOr<Code> CodeBuilder::build() {
  if (failed(addArguments()) || failed(addResults()))
    return failure();
  for (Block &block : llvm::drop_begin(function.getBody()))
    for (BlockArgument argument : block.getArguments()) {
      std::optional<uint32_t> count = countOf(argument.getType());
      if (!count)
        return function.emitOpError("a block has an argument of ") << argument.getType();
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

FailureOr<Code> compiler::toCode(func::FuncOp function, const KernelNumbers &kernels,
                                 ArrayNumbers &arrays) {
  return CodeBuilder(function, kernels, arrays).build();
}
