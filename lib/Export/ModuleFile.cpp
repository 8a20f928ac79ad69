//===- ModuleFile.cpp - Modules of one's own as libraries -----------------===//

#include "rooftile/Export/ModuleFile.h"
#include "Chips.h"
#include "Names.h"
#include "rooftile/Compiler/Nesting.h"
#include "rooftile/InitAll.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/SourceMgr.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::exporter;
using exported::ArgumentKind;

/// Reports the fault of `op`, at its location in the file.
static llvm::Error errorIn(Location loc, const llvm::Twine &message) {
  auto place = loc->findInstanceOf<FileLineColLoc>();
  std::string prefix = place ? llvm::formatv("{0}:{1}:{2}: ", place.getFilename().getValue(),
                                             place.getLine(), place.getColumn())
                                   .str()
                             : "";
  return llvm::createStringError(prefix + message);
}

//===----------------------------------------------------------------------===//
// Signatures
//===----------------------------------------------------------------------===//

/// Name in C of a number of this type, and its bytes; no name where code cannot have one.
static std::pair<const char *, int64_t> scalarOf(Type type) {
  if (type.isIndex() || type.isInteger(64))
    return {"int64_t", 8};
  if (type.isF32())
    return {"float", 4};
  if (type.isF64())
    return {"double", 8};
  if (auto complex = dyn_cast<ComplexType>(type)) {
    if (complex.getElementType().isF32())
      return {"void", 8};
    if (complex.getElementType().isF64())
      return {"void", 16};
  }
  return {nullptr, 0};
}

/// A struct {allocated, aligned, offset, sizes, strides} by its address: all but the first are
/// registers.
static void addMemref(MemRefType type, int64_t argument, Signature &signature) {
  auto [strides, offset] = type.getStridesAndOffset();
  int64_t rank = type.getRank();
  Parameter parameter{"arg" + std::to_string(argument), exported::memrefName(rank),
                      ArgumentKind::Memref};
  parameter.type = "const " + parameter.type + " *";
  auto known = [](int64_t number) {
    return ShapedType::isDynamic(number) ? exported::kDynamic : number;
  };
  parameter.numbers.push_back(known(offset));
  for (int64_t size : type.getShape())
    parameter.numbers.push_back(known(size));
  for (int64_t stride : strides)
    parameter.numbers.push_back(known(stride));
  for (int64_t i = 0; i < 2 + 2 * rank; ++i)
    signature.registers.push_back({0, argument, /*bytes=*/8, /*offset=*/8 + 8 * i, 0});
  signature.parameters.push_back(std::move(parameter));
}

static void addScalar(Type type, int64_t argument, Signature &signature) {
  auto [name, bytes] = scalarOf(type);
  signature.parameters.push_back({"arg" + std::to_string(argument),
                                  std::string("const ") + name + " *", ArgumentKind::Scalar});
  for (int64_t offset = 0; offset < bytes; offset += 8)
    signature.registers.push_back({0, argument, std::min<int64_t>(8, bytes), offset, 0});
}

static llvm::Expected<Signature> signatureOf(func::FuncOp function) {
  if (function.getNumResults() > 0)
    return errorIn(function.getLoc(),
                   "function '" + function.getName() +
                       "' returns something: expected results in memrefs among its arguments");
  Signature signature;
  for (auto [index, type] : llvm::enumerate(function.getArgumentTypes())) {
    auto memref = dyn_cast<MemRefType>(type);
    if (memref && memref.isStrided() && memref.getMemorySpaceAsInt() == 0)
      addMemref(memref, index, signature);
    else if (scalarOf(type).first)
      addScalar(type, index, signature);
    else
      return errorIn(
          function.getLoc(),
          llvm::formatv("function '{0}', argument {1} is {2}: expected a strided memref, "
                        "i64, index, f32, f64, or complex of these",
                        function.getName(), index, type)
              .str());
  }
  if (int64_t(signature.registers.size()) > exported::kMostArgumentRegisters)
    return errorIn(function.getLoc(),
                   llvm::formatv("function '{0}' has {1} scalars, sizes and strides of memrefs "
                                 "among them: expected at most {2}",
                                 function.getName(), signature.registers.size(),
                                 exported::kMostArgumentRegisters)
                       .str());
  return signature;
}

//===----------------------------------------------------------------------===//
// Functions
//===----------------------------------------------------------------------===//

/// The module with `function` alone, as text: what it calls is part of it.
static std::string moduleOf(ModuleOp module, StringRef function) {
  OwningOpRef<ModuleOp> own = module.clone();
  for (auto other : own->getOps<func::FuncOp>())
    if (other.getName() != function)
      other.setPrivate();
  PassManager passes(module.getContext());
  passes.addPass(createSymbolDCEPass());
  if (failed(passes.run(*own))) // errors are reported when it is compiled
    own = module.clone();
  std::string text;
  llvm::raw_string_ostream(text) << *own;
  return text;
}

static std::string typesOf(func::FuncOp function) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  llvm::interleaveComma(function.getArgumentTypes(), stream);
  return text;
}

static std::string whyNoFunction(StringRef name, StringRef library,
                                 const llvm::StringSet<> &taken) {
  if (std::string why = whyNoName(name); !why.empty())
    return why;
  StringRef rest = name;
  bool isOwn = rest.consume_front(library) && rest.consume_front("_") && isOwnName(rest);
  return taken.contains(name) || name.starts_with("rooftile") || isOwn
             ? "this library, or one of C or C++, has a function of that name"
             : "";
}

static llvm::Error addFunctions(ModuleOp module, const llvm::StringSet<> &taken, Spec &spec) {
  for (auto function : module.getOps<func::FuncOp>()) {
    if (function.isPrivate() || function.isExternal())
      continue;
    std::string why = whyNoFunction(function.getName(), spec.library, taken);
    if (!why.empty())
      return errorIn(function.getLoc(), "function '" + function.getName() + "': " + why);
    auto signature = signatureOf(function);
    if (!signature)
      return signature.takeError();
    NamedOperation named;
    named.name = function.getName().str();
    named.module = moduleOf(module, function.getName());
    named.types = typesOf(function);
    named.signature = std::move(*signature);
    if (auto place = function.getLoc()->findInstanceOf<FileLineColLoc>())
      named.place = {place.getLine(), place.getColumn()};
    spec.operations.push_back(std::move(named));
  }
  if (spec.operations.empty())
    return llvm::createStringError(spec.path + ": expected a public function");
  return llvm::Error::success();
}

static llvm::Error addChips(ArrayRef<std::string> chips, Spec &spec) {
  llvm::StringSet<> labels;
  for (const std::string &name : chips) {
    std::string why;
    Chip chip = findChip(name, why);
    if (why.empty() && !labels.insert(chip.label).second)
      why = "chip '" + chip.label + "' is there twice";
    if (!why.empty())
      return llvm::createStringError("--chip: " + why);
    spec.chips.push_back(chip);
  }
  if (spec.chips.empty())
    return llvm::createStringError("--chip lists the GPUs that a module is compiled for: such as "
                                   "--chip=h200,a100");
  return llvm::Error::success();
}

llvm::Expected<Spec> exporter::readModule(StringRef text, StringRef path, StringRef library,
                                          ArrayRef<std::string> chips,
                                          const llvm::StringSet<> &taken) {
  Spec spec;
  spec.path = path.str();
  spec.library = library.str();
  if (std::string why = whyNoLibrary(library); !why.empty())
    return llvm::createStringError("library '" + library + "': " + why + "; --library names it");
  if (llvm::Error error = addChips(chips, spec))
    return error;
  compiler::TextPlace deep;
  if (std::string why = compiler::whyTooDeep(text, compiler::Language::Mlir, deep); !why.empty())
    return llvm::createStringError(
        llvm::formatv("{0}:{1}:{2}: {3}", path, deep.line, deep.column, why));
  DialectRegistry registry;
  registerAllDialects(registry);
  MLIRContext context(registry, MLIRContext::Threading::DISABLED);
  std::string said;
  ScopedDiagnosticHandler handler(&context, [&](Diagnostic &diagnostic) {
    if (diagnostic.getSeverity() == DiagnosticSeverity::Error && said.empty())
      said = llvm::toString(errorIn(diagnostic.getLocation(), diagnostic.str()));
    return success();
  });
  llvm::SourceMgr sources;
  sources.AddNewSourceBuffer(llvm::MemoryBuffer::getMemBufferCopy(text, path), llvm::SMLoc());
  auto module = parseSourceFile<ModuleOp>(sources, &context);
  if (!module)
    return llvm::createStringError(said.empty() ? path.str() + ": is no module" : said);
  if (llvm::Error error = addFunctions(*module, taken, spec))
    return error;
  return spec;
}
