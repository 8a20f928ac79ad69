//===- StageHostCode.cpp - Host code on copies of device memory -----------===//
//
// Finds runs of operations, in one block, that touch memory of the GPU and launch
// nothing, the outermost ones there are: a loop over elements is one of them.
// Each memref that such a run uses from outside is replaced by one of the same
// offset, sizes and strides whose pointer leads into a copy. Which copy that is,
// the runtime decides: two memrefs may be views of one buffer, known or not.
//
//===----------------------------------------------------------------------===//

#include "StageHostCode.h"
#include "mlir/Conversion/LLVMCommon/MemRefBuilder.h"
#include "mlir/Conversion/LLVMCommon/TypeConverter.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/Remarks.h"
#include "mlir/Interfaces/CallInterfaces.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Interfaces/ViewLikeInterface.h"

using namespace mlir;
using namespace rooftile;

static constexpr StringLiteral kCategory = "device-memory";

static bool isMemref(Type type) { return isa<BaseMemRefType>(type); }

/// Source of the view `memory`.
static Value sourceOfView(Value memory) {
  Operation *op = memory.getDefiningOp();
  if (auto metadata = dyn_cast_or_null<memref::ExtractStridedMetadataOp>(op))
    return metadata.getSource();
  if (auto view = dyn_cast_or_null<ViewLikeOpInterface>(op))
    return view.getViewSource();
  return Value();
}

static Value rootOf(Value memory) {
  while (Value source = sourceOfView(memory))
    memory = source;
  return memory;
}

bool rooftile::isOfHost(Value memory) {
  for (; memory; memory = sourceOfView(memory)) {
    Operation *op = memory.getDefiningOp();
    if (op && (isa<memref::AllocaOp>(op) || op->hasAttr(kOfHost)))
      return true;
  }
  return false;
}

//===----------------------------------------------------------------------===//
// Effects of an operation
//===----------------------------------------------------------------------===//

/// The memrefs whose elements `op` itself, without its regions, reads or writes on the host.
static SmallVector<std::pair<Value, bool>> accesses(Operation *op) {
  SmallVector<std::pair<Value, bool>> result;
  if (!isa<MemoryEffectOpInterface>(op) || isa<gpu::GPUDialect>(op->getDialect()))
    return result;
  for (Value operand : op->getOperands()) {
    bool writes = hasEffect<MemoryEffects::Write>(op, operand);
    if (isMemref(operand.getType()) && (writes || hasEffect<MemoryEffects::Read>(op, operand)))
      result.push_back({operand, writes});
  }
  return result;
}

/// `memory` is allocated inside of `parent`, and so by it alone.
static bool isOwn(Value memory, Operation *parent) {
  Operation *root = rootOf(memory).getDefiningOp();
  return root && isa<memref::AllocOp>(root) && parent->isProperAncestor(root);
}

/// Something inside of `op` touches memory of the GPU; a whole copy is the device's own business.
static bool touches(Operation *op) {
  return op
      ->walk([&](Operation *inner) {
        if (isa<memref::CopyOp>(inner))
          return WalkResult::advance();
        return WalkResult(success(llvm::all_of(accesses(inner), [&](auto access) {
          return isOfHost(access.first) || isOwn(access.first, op);
        })));
      })
      .wasInterrupted();
}

static bool makesView(Operation *op) {
  return isa<ViewLikeOpInterface, memref::ExtractStridedMetadataOp, memref::GetGlobalOp,
             memref::AllocaOp, arith::SelectOp>(op);
}

/// A view of anything beyond what it is made of: its extent is unknown before it exists.
static bool widens(Operation *op) {
  auto cast = dyn_cast<memref::ReinterpretCastOp>(op);
  return cast && !cast.getSource().getDefiningOp<memref::ExtractStridedMetadataOp>();
}

/// Operations that stay with the device: a launch, a call with memory or of code of this module,
/// ...
static bool isOfDevice(Operation *op) {
  if (isa_and_nonnull<gpu::GPUDialect>(op->getDialect()) || isa<memref::ReallocOp>(op) ||
      widens(op))
    return true;
  bool takesMemory = llvm::any_of(op->getOperandTypes(), isMemref);
  if (auto call = dyn_cast<CallOpInterface>(op)) {
    auto callee = dyn_cast_or_null<FunctionOpInterface>(call.resolveCallable());
    return takesMemory || !callee || !callee.isExternal() ||
           llvm::any_of(op->getResultTypes(), isMemref);
  }
  return (takesMemory && (!op->isRegistered() || !op->getDialect())) ||
         (op->getNumRegions() > 0 && llvm::any_of(op->getResultTypes(), isMemref));
}

static bool holdsDeviceCode(Operation *op) {
  return op->walk([](Operation *inner) { return WalkResult(failure(isOfDevice(inner))); })
      .wasInterrupted();
}

/// Ends a run: launches and the like, and memory that the device allocates or copies.
static bool endsRun(Operation *op) {
  WalkResult walk = op->walk([](Operation *inner) {
    return WalkResult(failure(isOfDevice(inner) ||
                              isa<memref::AllocOp, memref::DeallocOp, memref::CopyOp>(inner)));
  });
  return walk.wasInterrupted() || (llvm::any_of(op->getResultTypes(), isMemref) && !makesView(op));
}

//===----------------------------------------------------------------------===//
// Runs
//===----------------------------------------------------------------------===//

namespace {
/// Operations of one block from the first that touches memory of the GPU to the last.
struct Run {
  SmallVector<Operation *> ops;
  llvm::DenseSet<Operation *> members; ///< of these, those that touch it
};

struct Finder {
  SmallVector<Run> runs;

  LogicalResult find(Block &block);
};
} // namespace

LogicalResult Finder::find(Block &block) {
  Run run;
  SmallVector<Operation *> between;
  auto close = [&] {
    if (!run.ops.empty())
      runs.push_back(std::move(run));
    run = Run();
    between.clear();
  };
  for (Operation &op : block) {
    bool isTouching = touches(&op), isSplit = holdsDeviceCode(&op);
    if (isTouching && !isSplit) {
      run.ops.append(between);
      between.clear();
      run.ops.push_back(&op);
      run.members.insert(&op);
    } else if (isTouching || endsRun(&op)) {
      close();
      if (isTouching && op.getNumRegions() == 0)
        return op.emitOpError("of host code touches memory of the GPU, and cannot do so on a copy");
      for (Region &region : op.getRegions())
        for (Block &inner : region)
          if (isTouching && failed(find(inner)))
            return failure();
    } else if (!run.ops.empty()) {
      between.push_back(&op);
    }
  }
  close();
  return success();
}

/// A constant of the program that nobody writes is the host's already.
static bool isConstant(Value memory) {
  auto get = memory.getDefiningOp<memref::GetGlobalOp>();
  auto global = get ? SymbolTable::lookupNearestSymbolFrom<memref::GlobalOp>(get, get.getNameAttr())
                    : memref::GlobalOp();
  return global && global.getConstant();
}

/// Which memrefs from outside the run may write: null among them stands for all.
static llvm::DenseSet<Value> writtenBy(const Run &run) {
  llvm::DenseSet<Value> written;
  for (Operation *member : run.members)
    member->walk([&](Operation *inner) {
      for (auto [memory, writes] : accesses(inner)) {
        if (!writes || isOwn(memory, member) || isOfHost(memory))
          continue;
        bool fromOutside = true;
        for (Value at = memory; at; at = sourceOfView(at)) {
          written.insert(at);
          Operation *def = at.getDefiningOp();
          Operation *owner = def ? def : at.getParentBlock()->getParentOp();
          fromOutside = !member->isAncestor(owner) && !isa_and_nonnull<arith::SelectOp>(def);
        }
        if (!fromOutside) // carried by a loop, or selected
          written.insert(Value());
      }
    });
  return written;
}

namespace {
/// Puts one run on copies.
struct Stager {
  const Run &run;
  const StageContext &context;
  StageEmitter emit;
  llvm::DenseSet<Value> written = writtenBy(run);
  llvm::SetVector<Value> needed = {};

  void collect();
  LogicalResult check();
  void stage();
  void use(IRMapping &mapping);
  void report();
};
} // namespace

/// Memrefs from before the run that its members reach, by views in between, too.
void Stager::collect() {
  llvm::DenseSet<Value> wanted;
  Operation *first = run.ops.front();
  for (Operation *op : llvm::reverse(run.ops)) {
    bool member = run.members.contains(op);
    bool isWanted = llvm::any_of(op->getResults(), [&](Value v) { return wanted.contains(v); });
    if (!member && !(makesView(op) && isWanted))
      continue;
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *def = operand.getDefiningOp();
        Operation *owner = def ? def : operand.getParentBlock()->getParentOp();
        if (isMemref(operand.getType()) && !op->isAncestor(owner))
          wanted.insert(operand);
      }
    });
  }
  llvm::DenseSet<Operation *> inRun(run.ops.begin(), run.ops.end());
  for (Operation *op : run.ops) // their order, so that the output is always the same
    op->walk([&](Operation *inner) {
      for (Value operand : inner->getOperands()) {
        Operation *def = operand.getDefiningOp();
        bool isGlobal = def && isa<memref::GetGlobalOp>(def);
        if (isGlobal && inRun.contains(def))
          def->moveBefore(first);
        if (wanted.contains(operand) && (!def || isGlobal || !inRun.contains(def)) &&
            !isOfHost(operand))
          needed.insert(operand);
      }
    });
}

LogicalResult Stager::check() {
  for (Value memory : needed) {
    auto type = dyn_cast<MemRefType>(memory.getType());
    if (!type || !type.isStrided() || isMemref(type.getElementType()))
      return run.ops.front()->emitOpError("of host code touches memory of the GPU of type ")
             << memory.getType() << ": only what has a rank and strides can be copied to the host";
  }
  return success();
}

/// Members work on the copies; views between them, which others may need as they are, are made of
/// the copies once more.
void Stager::use(IRMapping &mapping) {
  for (Operation *op : run.ops) {
    if (run.members.contains(op)) {
      op->walk([&](Operation *inner) {
        for (OpOperand &operand : inner->getOpOperands())
          operand.set(mapping.lookupOrDefault(operand.get()));
        context.onHost.insert(inner);
      });
    } else if (makesView(op) && llvm::any_of(op->getOperands(), [&](Value operand) {
                 return mapping.contains(operand);
               })) {
      OpBuilder builder(op->getContext());
      builder.setInsertionPointAfter(op);
      IRMapping views(mapping);
      Operation *view = builder.clone(*op, views);
      mapping.map(op->getResults(), view->getResults());
    }
  }
}

void Stager::stage() {
  IRMapping mapping;
  SmallVector<Value> copied;
  emit.begin(run.ops.front());
  for (Value memory : needed) {
    if (isConstant(memory) && !written.contains(memory) && !written.contains(Value())) {
      Value own = emit.constantOfHost(memory);
      context.onHost.insert(own.getDefiningOp());
      mapping.map(memory, own);
      continue;
    }
    emit.add(memory, written.contains(memory) || written.contains(Value()));
    copied.push_back(memory);
  }
  if (!copied.empty()) {
    report();
    for (Value memory : copied)
      mapping.map(memory, emit.copyOf(memory));
  }
  use(mapping);
  if (!copied.empty())
    emit.end(run.ops.back());
}

static std::string listOf(ArrayRef<Value> memories) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(memories, stream, [&](Value memory) { stream << memory.getType(); });
  return text.empty() ? "nothing" : text;
}

void Stager::report() {
  SmallVector<Value> in, out;
  for (Value memory : needed) {
    bool isWritten = written.contains(memory) || written.contains(Value());
    if (isConstant(memory) && !isWritten)
      continue;
    in.push_back(memory);
    if (isWritten)
      out.push_back(memory);
  }
  Operation *op = run.ops.front();
  std::string toHost = listOf(in), toDevice = listOf(out);
  StringRef why = "it touches memory of the GPU and is no kernel";
  StringRef waits = "for the caller's stream, so that the function cannot be captured into a graph";
  auto function = op->getParentOfType<FunctionOpInterface>();
  auto options = remark::RemarkOpts::name("staged host code")
                     .category(kCategory)
                     .function(function ? function.getName() : StringRef());
  if (auto remark = remark::passed(op->getLoc(), options)) {
    remark << remark::metric("operation", op->getName().getStringRef())
           << remark::metric("to host", toHost) << remark::metric("to device", toDevice)
           << remark::metric("why", why) << remark::metric("waits", waits);
    return;
  }
  emitRemark(op->getLoc()) << "staged host code '" << op->getName() << "'\n  to host: " << toHost
                           << "\n  to device: " << toDevice << "\n  why: " << why
                           << "\n  waits: " << waits;
}

LogicalResult rooftile::stageHostCode(func::FuncOp function, const StageContext &context) {
  Finder finder;
  for (Block &block : function.getBody())
    if (failed(finder.find(block)))
      return failure();
  for (const Run &run : finder.runs) {
    Stager stager{run, context, StageEmitter(context, function.getContext())};
    stager.collect();
    if (failed(stager.check()))
      return failure();
    stager.stage();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// Calls of the runtime around host code
//===----------------------------------------------------------------------===//

Value StageEmitter::number(int64_t value) {
  return arith::ConstantIntOp::create(builder, loc, value, 64);
}

Value StageEmitter::toNumber(Value index) {
  return builder.createOrFold<arith::IndexCastOp>(loc, builder.getI64Type(), index);
}

Value StageEmitter::call(StringRef name, ValueRange operands) {
  auto call = func::CallOp::create(builder, loc, context.callee(name), operands);
  return call.getNumResults() ? call.getResult(0) : Value();
}

void StageEmitter::begin(Operation *first) {
  builder.setInsertionPoint(first);
  loc = first->getLoc();
  stage = Value();
}

/// The memref whose sizes and strides are those of `memory`: the origin of a bare pointer.
static Value spanned(Value memory) {
  while (auto metadata = memory.getDefiningOp<memref::ExtractStridedMetadataOp>())
    memory = metadata.getSource();
  return memory;
}

static int64_t bytesOf(Value memory, Operation *scope) {
  Type element = cast<MemRefType>(memory.getType()).getElementType();
  return DataLayout::closest(scope).getTypeSize(element).getFixedValue();
}

void StageEmitter::add(Value memory, bool isWritten) {
  Value source = spanned(memory);
  Operation *scope = builder.getInsertionBlock()->getParentOp();
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, source);
  Value zero = number(0), one = number(1), low = toNumber(metadata.getOffset()), high = low;
  Value isEmpty = arith::ConstantIntOp::create(builder, loc, 0, 1);
  for (auto [size, stride] : llvm::zip_equal(metadata.getSizes(), metadata.getStrides())) {
    Value count = toNumber(size);
    Value steps = arith::SubIOp::create(builder, loc, count, one);
    Value reach = arith::MulIOp::create(builder, loc, steps, toNumber(stride));
    Value none = arith::CmpIOp::create(builder, loc, arith::CmpIPredicate::sle, count, zero);
    isEmpty = arith::OrIOp::create(builder, loc, isEmpty, none);
    low =
        arith::AddIOp::create(builder, loc, low, arith::MinSIOp::create(builder, loc, reach, zero));
    high = arith::AddIOp::create(builder, loc, high,
                                 arith::MaxSIOp::create(builder, loc, reach, zero));
  }
  Value bytes = number(bytesOf(source, scope));
  Value count =
      arith::AddIOp::create(builder, loc, arith::SubIOp::create(builder, loc, high, low), one);
  Value span = arith::MulIOp::create(builder, loc, count, bytes);
  span = arith::SelectOp::create(builder, loc, isEmpty, zero, span);
  Value pointer = memref::ExtractAlignedPointerAsIndexOp::create(builder, loc, source);
  Place place{toNumber(pointer), arith::MulIOp::create(builder, loc, low, bytes)};
  Value address = arith::AddIOp::create(builder, loc, place.aligned, place.first);
  if (!stage)
    stage = LLVM::ZeroOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()));
  Value write = arith::ConstantIntOp::create(builder, loc, isWritten, 1);
  stage = call(kStageName, {stage, address, span, write});
  places[memory] = place;
}

Value StageEmitter::copyOf(Value memory) {
  auto type = cast<MemRefType>(memory.getType());
  Place place = places.lookup(memory);
  Value address = arith::AddIOp::create(builder, loc, place.aligned, place.first);
  Value copy = call(kStagedName, {stage, address, context.stream()});
  Value base = arith::SubIOp::create(builder, loc, copy, place.first);
  auto pointerType = LLVM::LLVMPointerType::get(builder.getContext());
  Value pointer = LLVM::IntToPtrOp::create(builder, loc, pointerType, base);
  auto baseType = MemRefType::get({}, type.getElementType());
  LLVMTypeConverter converter(builder.getContext());
  Value descriptor = MemRefDescriptor::fromStaticShape(builder, loc, converter, baseType, pointer);
  auto cast = UnrealizedConversionCastOp::create(builder, loc, baseType, descriptor);
  cast->setAttr(kOfHost, builder.getUnitAttr());
  if (type == baseType)
    return cast.getResult(0);
  auto metadata = memref::ExtractStridedMetadataOp::create(builder, loc, memory);
  auto mixed = [&](ArrayRef<int64_t> known, ValueRange values) {
    SmallVector<OpFoldResult> numbers;
    for (auto [constant, value] : llvm::zip_equal(known, values))
      numbers.push_back(ShapedType::isDynamic(constant)
                            ? OpFoldResult(value)
                            : OpFoldResult(builder.getIndexAttr(constant)));
    return numbers;
  };
  auto [strides, offset] = type.getStridesAndOffset();
  return memref::ReinterpretCastOp::create(
      builder, loc, type, cast.getResult(0), mixed(offset, metadata.getOffset())[0],
      mixed(type.getShape(), metadata.getSizes()), mixed(strides, metadata.getStrides()));
}

Value StageEmitter::constantOfHost(Value memory) {
  Operation *own = builder.clone(*memory.getDefiningOp());
  own->setAttr(kOfHost, builder.getUnitAttr());
  return own->getResult(0);
}

void StageEmitter::end(Operation *last) {
  builder.setInsertionPointAfter(last);
  call(kUnstageName, {stage, context.stream()});
}
