//===- EpilogueText.cpp - How the function of an epilogue is written ------===//

#include "../EpilogueText.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

using namespace mlir;
using namespace rooftile;

/// `%x = %bias[1] : memref<48xf32>`
static ParseResult parseExtra(OpAsmParser &parser, OpAsmParser::Argument &argument,
                              OpAsmParser::UnresolvedOperand &extra, Type &type,
                              SmallVector<Attribute> &numbers) {
  SmallVector<int64_t> list;
  auto number = [&] { return parser.parseInteger(list.emplace_back()); };
  if (parser.parseArgument(argument) || parser.parseEqual() || parser.parseOperand(extra) ||
      parser.parseCommaSeparatedList(AsmParser::Delimiter::OptionalSquare, number) ||
      parser.parseColonType(type))
    return failure();
  argument.type = getElementTypeOrSelf(type);
  numbers.push_back(parser.getBuilder().getDenseI64ArrayAttr(list));
  return success();
}

ParseResult rooftile::parseEpilogue(OpAsmParser &parser,
                                    SmallVectorImpl<OpAsmParser::UnresolvedOperand> &extras,
                                    SmallVectorImpl<Type> &types, ArrayAttr &numbers,
                                    SmallVectorImpl<std::unique_ptr<Region>> &regions) {
  SmallVector<OpAsmParser::Argument> arguments(1);
  SmallVector<Attribute> lists;
  if (parser.parseLParen() || parser.parseArgument(arguments[0], /*allowType=*/true))
    return failure();
  while (succeeded(parser.parseOptionalComma()))
    if (parseExtra(parser, arguments.emplace_back(), extras.emplace_back(), types.emplace_back(),
                   lists))
      return failure();
  numbers = parser.getBuilder().getArrayAttr(lists);
  regions.push_back(std::make_unique<Region>());
  if (parser.parseRParen() || parser.parseRegion(*regions.back(), arguments))
    return failure();
  return success();
}

void rooftile::printEpilogue(OpAsmPrinter &printer, Operation *, OperandRange extras,
                             TypeRange types, ArrayAttr numbers, MutableArrayRef<Region> regions) {
  Region &region = regions.front();
  printer << '(';
  printer.printRegionArgument(region.getArgument(0));
  for (auto [index, extra] : llvm::enumerate(extras)) {
    printer << ", " << region.getArgument(index + 1) << " = " << extra;
    if (isa<ShapedType>(types[index])) {
      printer << '[';
      llvm::interleaveComma(cast<DenseI64ArrayAttr>(numbers[index]).asArrayRef(), printer);
      printer << ']';
    }
    printer << " : " << types[index];
  }
  printer << ") ";
  printer.printRegion(region, /*printEntryBlockArgs=*/false);
}

void rooftile::nameEpilogueArguments(Region &region, OpAsmSetValueNameFn setName) {
  for (BlockArgument argument : region.getArguments())
    setName(argument, argument.getArgNumber() == 0 ? "sum" : "x");
}

LogicalResult rooftile::verifyEpilogueRegion(Operation *op, ArrayRef<Type> arguments,
                                             StringRef yield) {
  Region &region = op->getRegion(0);
  if (op->getNumRegions() != 1 || !region.hasOneBlock())
    return op->emitOpError("has an epilogue of ")
           << region.getBlocks().size() << " blocks, expected one";
  Block &block = region.front();
  if (block.getNumArguments() != arguments.size())
    return op->emitOpError("epilogue has ")
           << block.getNumArguments() << " arguments, expected the sum and one for each of "
           << arguments.size() - 1 << " extra operands";
  for (auto [index, type] : llvm::enumerate(arguments))
    if (block.getArgument(index).getType() != type)
      return op->emitOpError("argument ")
             << index << " of the epilogue is " << block.getArgument(index).getType()
             << ", expected " << type << (index ? ", an element of its operand" : ", the sum's");
  if (block.empty() || block.back().getName().getStringRef() != yield)
    return op->emitOpError("epilogue does not end with ") << yield;
  if (Type type = block.back().getOperand(0).getType(); type != arguments[0])
    return block.back().emitOpError("yields ") << type << " but accumulators are " << arguments[0];
  for (Operation &inner : block.without_terminator())
    if (!isPure(&inner) || inner.getNumRegions() != 0)
      return inner.emitOpError("is no scalar arithmetic, which epilogues are made of");
  return success();
}
