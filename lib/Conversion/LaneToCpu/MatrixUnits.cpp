//===- MatrixUnits.cpp - Matrix instructions, on the host -----------------===//
//
// A lane writes its registers where the runtime asks for them, as f64, names the instruction and
// suspends; when all lanes of its subgroup have come there, the runtime multiplies
// (lib/Runtime/Cpu/Subgroup.cpp) and the lane finds its accumulators in place of its registers of
// c. Products of f16 and bf16 are exact there, and their accumulators are rounded to f32 once; of
// tf32 the first 19 bits count.
//
//===----------------------------------------------------------------------===//

#include "MatrixUnits.h"
#include "Coroutine.h"
#include "rooftile/Dialect/Tile/Instructions.h"

using namespace mlir;
using namespace rooftile;

/// Registers of one lane that the runtime has room for.
static constexpr int64_t kMaxRegisters = 64;

LogicalResult rooftile::checkMatrixUnits(gpu::GPUFuncOp kernel) {
  WalkResult walk = kernel.walk([](lane::MmaOp op) {
    int64_t registers = op.getNumOperands();
    if (registers <= kMaxRegisters)
      return WalkResult::advance();
    op.emitOpError("cannot run on the CPU: ")
        << op.getInstruction().getName() << " has " << registers
        << " elements in a lane; there is room for " << kMaxRegisters;
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

SmallVector<Operation *> rooftile::collectivesOf(LLVM::LLVMFuncOp function) {
  SmallVector<Operation *> list;
  function.walk([&](Operation *op) {
    if (isa<gpu::BarrierOp, lane::ClusterBarrierOp, lane::MmaOp, lane::ArrivedOp>(op))
      list.push_back(op);
  });
  return list;
}

/// Description of an instruction for the runtime: lanes, m, n, k, the registers of a, b and c, then
/// for
/// every lane and register of a, b and c the offset of its element, row by row.
static SmallVector<int64_t> describe(tile::InstructionAttr instruction) {
  ArrayRef<int64_t> shape = instruction.getShape();
  const std::pair<tile::MapAttr, int64_t> operands[] = {{instruction.getA(), shape[2]},
                                                        {instruction.getB(), shape[1]},
                                                        {instruction.getC(), shape[1]}};
  SmallVector<int64_t> numbers{instruction.getC().getNumThreads()};
  llvm::append_range(numbers, shape);
  for (auto &[map, columns] : operands)
    numbers.push_back(map.getNumValues());
  for (auto &[map, columns] : operands)
    for (int64_t lane = 0; lane < map.getNumThreads(); ++lane)
      for (int64_t index = 0; index < map.getNumValues(); ++index) {
        auto [row, column] = map.getValueOffset(index);
        int64_t rest = lane;
        for (const tile::Mode &mode : map.getThreads()) {
          row += rest % mode.size * mode.row;
          column += rest % mode.size * mode.column;
          rest /= mode.size;
        }
        numbers.push_back(row * columns + column);
      }
  return numbers;
}

Value rooftile::descriptionOf(OpBuilder &builder, Location loc, tile::InstructionAttr instruction) {
  auto module = builder.getInsertionBlock()->getParentOp()->getParentOfType<ModuleOp>();
  std::string name = "rooftile_" + instruction.getName().str();
  auto global = module.lookupSymbol<LLVM::GlobalOp>(name);
  if (!global) {
    OpBuilder top = OpBuilder::atBlockBegin(module.getBody());
    SmallVector<int64_t> numbers = describe(instruction);
    auto type = LLVM::LLVMArrayType::get(top.getI64Type(), numbers.size());
    global = LLVM::GlobalOp::create(top, loc, type, /*isConstant=*/true, LLVM::Linkage::Private,
                                    name, top.getI64TensorAttr(numbers));
  }
  return LLVM::AddressOfOp::create(builder, loc, global);
}

static Value fieldOf(OpBuilder &builder, Location loc, Value record, int64_t offset) {
  return LLVM::GEPOp::create(builder, loc, LLVM::LLVMPointerType::get(builder.getContext()),
                             builder.getI8Type(), record,
                             ArrayRef<LLVM::GEPArg>{static_cast<int32_t>(offset)});
}

/// The offset of register `index` of this lane.
static Value registerOf(OpBuilder &builder, Location loc, Value thread, int64_t index) {
  auto pointer = LLVM::LLVMPointerType::get(builder.getContext());
  Value registers = LLVM::LoadOp::create(builder, loc, pointer,
                                         fieldOf(builder, loc, thread, ThreadLayout::registers));
  return fieldOf(builder, loc, registers, 8 * index);
}

/// The nearest number of tf32, as rooftile::toTf32.
static Value toTf32(OpBuilder &builder, Location loc, Value number) {
  Type i32 = builder.getI32Type();
  auto constant = [&](uint32_t value) -> Value {
    return LLVM::ConstantOp::create(builder, loc, i32, int64_t(int32_t(value)));
  };
  Value bits = LLVM::BitcastOp::create(builder, loc, i32, number), exponent = constant(0x7F800000);
  Value ofExponent = LLVM::AndOp::create(builder, loc, bits, exponent);
  Value special = LLVM::ICmpOp::create(builder, loc, LLVM::ICmpPredicate::eq, ofExponent, exponent);
  Value rounded = LLVM::AddOp::create(builder, loc, bits, constant(0x1000));
  rounded = LLVM::AndOp::create(builder, loc, rounded, constant(0xFFFFE000));
  bits = LLVM::SelectOp::create(builder, loc, special, bits, rounded);
  return LLVM::BitcastOp::create(builder, loc, number.getType(), bits);
}

void rooftile::offerRegisters(OpBuilder &builder, lane::MmaOp op, Value thread, int64_t place) {
  Location loc = op.getLoc();
  bool isTf32 = tile::findInstruction(op.getInstruction().getName())->isOfTf32();
  size_t factors = op.getA().size() + op.getB().size();
  for (auto [index, value] : llvm::enumerate(op.getOperands())) {
    Value number = isTf32 && index < factors ? toTf32(builder, loc, value) : value;
    if (!number.getType().isF64())
      number = LLVM::FPExtOp::create(builder, loc, builder.getF64Type(), number);
    LLVM::StoreOp::create(builder, loc, number, registerOf(builder, loc, thread, index));
  }
  LLVM::StoreOp::create(builder, loc, descriptionOf(builder, loc, op.getInstruction()),
                        fieldOf(builder, loc, thread, ThreadLayout::instruction));
  Value number = LLVM::ConstantOp::create(builder, loc, builder.getI64Type(), place);
  LLVM::StoreOp::create(builder, loc, number,
                        fieldOf(builder, loc, thread, ThreadLayout::collective));
}

void rooftile::takeAccumulators(lane::MmaOp op, Value thread) {
  OpBuilder builder(op);
  int64_t first = op.getA().size() + op.getB().size();
  for (auto [index, sum] : llvm::enumerate(op.getAccumulators())) {
    Value place = registerOf(builder, op.getLoc(), thread, first + index);
    Value number = LLVM::LoadOp::create(builder, op.getLoc(), builder.getF64Type(), place);
    if (!sum.getType().isF64())
      number = LLVM::FPTruncOp::create(builder, op.getLoc(), sum.getType(), number);
    sum.replaceAllUsesWith(number);
  }
}
