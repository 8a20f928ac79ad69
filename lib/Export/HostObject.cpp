//===- HostObject.cpp - Functions of a library as an object ---------------===//
//
// Written as LLVM IR and compiled by LLVM, so that no compiler is needed. The data is that of
// Exported.h, whose fields all have 8 bytes.
//
//===----------------------------------------------------------------------===//

#include "HostObject.h"

#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LegacyPassManager.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/Verifier.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/TargetParser/Host.h"

using namespace llvm;
using namespace rooftile;
using namespace rooftile::exporter;

namespace {
/// The module being written.
class Writer {
public:
  explicit Writer(Module &module) : module(module), builder(module.getContext()) {}

  void writeOperation(const CompiledOperation &operation);
  void writeMessage(StringRef library);
  /// Code that a program links has __dso_handle of its own; a shared library without the start
  /// files of a compiler needs one.
  void writeHandle();

private:
  Constant *number(int64_t value) { return builder.getInt64(uint64_t(value)); }
  Constant *structOf(ArrayRef<Constant *> fields) { return ConstantStruct::getAnon(fields); }
  Constant *bytesOf(StringRef bytes, bool isText);
  Constant *arrayOf(ArrayRef<Constant *> elements);
  Constant *argumentsOf(const Signature &signature);
  Constant *registersOf(const Signature &signature);
  Constant *imagesOf(ArrayRef<CompiledImage> images);
  GlobalVariable *describe(const CompiledOperation &operation);
  GlobalVariable *addPrivate(Constant *value, bool isConstant);

  Module &module;
  IRBuilder<> builder;
};
} // namespace

GlobalVariable *Writer::addPrivate(Constant *value, bool isConstant) {
  auto *variable =
      new GlobalVariable(module, value->getType(), isConstant, GlobalValue::PrivateLinkage, value);
  variable->setAlignment(Align(8));
  return variable;
}

Constant *Writer::bytesOf(StringRef bytes, bool isText) {
  return addPrivate(ConstantDataArray::getString(module.getContext(), bytes, isText), true);
}

Constant *Writer::arrayOf(ArrayRef<Constant *> elements) {
  if (elements.empty())
    return ConstantPointerNull::get(builder.getPtrTy());
  return addPrivate(
      ConstantArray::get(ArrayType::get(elements[0]->getType(), elements.size()), elements), true);
}

Constant *Writer::argumentsOf(const Signature &signature) {
  SmallVector<Constant *> all;
  for (const Parameter &parameter : signature.parameters) {
    SmallVector<Constant *> numbers;
    for (int64_t each : parameter.numbers)
      numbers.push_back(number(each));
    int64_t rank = int64_t(numbers.size()) / 2; // an offset, sizes, strides
    all.push_back(structOf({bytesOf(parameter.name, true), number(int64_t(parameter.kind)),
                            number(parameter.line.known), number(parameter.line.argument),
                            arrayOf(numbers), number(rank)}));
  }
  return arrayOf(all);
}

Constant *Writer::registersOf(const Signature &signature) {
  SmallVector<Constant *> all;
  for (const exported::Register &place : signature.registers)
    all.push_back(
        structOf({number(int64_t(place.known)), number(place.argument), number(place.bytes),
                  number(place.offset), number(int64_t(place.factor))}));
  return arrayOf(all);
}

Constant *Writer::imagesOf(ArrayRef<CompiledImage> images) {
  SmallVector<Constant *> all;
  for (const CompiledImage &image : images)
    all.push_back(structOf({bytesOf(image.chip, true), bytesOf(image.architecture, true),
                            number(image.major), number(image.minor), number(int64_t(image.fit)),
                            bytesOf(image.bytes, false), number(int64_t(image.bytes.size()))}));
  return arrayOf(all);
}

GlobalVariable *Writer::describe(const CompiledOperation &operation) {
  const Signature &signature = operation.signature;
  return addPrivate(structOf({bytesOf(operation.name, true), argumentsOf(signature),
                              number(int64_t(signature.parameters.size())), registersOf(signature),
                              number(int64_t(signature.registers.size())),
                              imagesOf(operation.images), number(int64_t(operation.images.size())),
                              ConstantPointerNull::get(builder.getPtrTy())}),
                    /*isConstant=*/false);
}

/// int NAME(..., void *stream): its arguments in an array, for rooftileCallExported.
void Writer::writeOperation(const CompiledOperation &operation) {
  Type *wide = builder.getInt64Ty(), *pointer = builder.getPtrTy(), *narrow = builder.getInt32Ty(),
       *result = narrow;
  const std::vector<Parameter> &parameters = operation.signature.parameters;
  SmallVector<Type *> types;
  for (const Parameter &parameter : parameters)
    types.push_back(StringRef(parameter.type).ends_with("*") ? pointer
                    : parameter.type == "int32_t"            ? narrow
                                                             : wide);
  types.push_back(pointer);
  auto *function = Function::Create(FunctionType::get(result, types, false),
                                    GlobalValue::ExternalLinkage, operation.name, module);
  builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "", function));
  Type *arrayType = ArrayType::get(wide, parameters.size());
  Value *array = builder.CreateAlloca(arrayType);
  for (size_t i = 0; i < parameters.size(); ++i) {
    Value *value = function->getArg(unsigned(i));
    if (value->getType() == pointer)
      value = builder.CreatePtrToInt(value, wide);
    value = builder.CreateSExt(value, wide);
    builder.CreateStore(value, builder.CreateConstInBoundsGEP2_64(arrayType, array, 0, i));
  }
  FunctionCallee call =
      module.getOrInsertFunction("rooftileCallExported", result, pointer, pointer, pointer);
  Value *stream = function->getArg(unsigned(parameters.size()));
  builder.CreateRet(builder.CreateCall(call, {describe(operation), array, stream}));
}

void Writer::writeMessage(StringRef library) {
  Type *pointer = builder.getPtrTy();
  auto *function = Function::Create(FunctionType::get(pointer, false), GlobalValue::ExternalLinkage,
                                    library + "_message", module);
  builder.SetInsertPoint(BasicBlock::Create(module.getContext(), "", function));
  FunctionCallee call = module.getOrInsertFunction("rooftileExportedMessage", pointer);
  builder.CreateRet(builder.CreateCall(call));
}

void Writer::writeHandle() {
  auto *handle = new GlobalVariable(module, builder.getPtrTy(), /*isConstant=*/false,
                                    GlobalValue::WeakAnyLinkage,
                                    ConstantPointerNull::get(builder.getPtrTy()), "__dso_handle");
  handle->setVisibility(GlobalValue::HiddenVisibility);
}

static Expected<std::unique_ptr<TargetMachine>> hostMachine() {
  InitializeNativeTarget();
  InitializeNativeTargetAsmPrinter();
  Triple triple(sys::getProcessTriple());
  std::string why;
  const Target *target = TargetRegistry::lookupTarget(triple, why);
  if (!target)
    return createStringError("no code generator for this machine: " + why);
  return std::unique_ptr<TargetMachine>(
      target->createTargetMachine(triple, /*CPU=*/"", /*Features=*/"", TargetOptions(), Reloc::PIC_,
                                  std::nullopt, CodeGenOptLevel::Default));
}

Expected<std::string> exporter::makeHostObject(const Contents &contents) {
  auto machine = hostMachine();
  if (!machine)
    return machine.takeError();
  LLVMContext context;
  Module module(contents.library, context);
  module.setTargetTriple((*machine)->getTargetTriple());
  module.setDataLayout((*machine)->createDataLayout());
  module.setPICLevel(PICLevel::BigPIC);
  Writer writer(module);
  for (const CompiledOperation &operation : contents.operations)
    writer.writeOperation(operation);
  writer.writeMessage(contents.library);
  writer.writeHandle();
  std::string why;
  raw_string_ostream whyStream(why);
  if (verifyModule(module, &whyStream))
    return createStringError("the functions of the library are not valid IR: " + why);
  SmallString<0> object;
  raw_svector_ostream stream(object);
  legacy::PassManager passes;
  if ((*machine)->addPassesToEmitFile(passes, stream, nullptr, CodeGenFileType::ObjectFile))
    return createStringError("this machine's code generator writes no object files");
  passes.run(module);
  return object.str().str();
}
