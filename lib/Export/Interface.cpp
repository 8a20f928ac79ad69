//===- Interface.cpp - What programs and people read of a library ---------===//

#include "Interface.h"
#include "rooftile/Operation/Text.h"
#include "rooftile/Operation/Words.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

#include <set>

using namespace rooftile;
using namespace rooftile::exporter;
using namespace rooftile::compiler;
using namespace rooftile::operation;
using llvm::formatv;

//===----------------------------------------------------------------------===//
// An operation in words
//===----------------------------------------------------------------------===//

static std::string sizeText(int64_t size, const char *name) {
  return size == kAnySize ? name : std::to_string(size);
}

static std::string typesText(const Operation &operation) {
  std::string a = nameOf(operation.a.element), b = nameOf(operation.b.element),
              c = nameOf(operation.c.element);
  bool isMixed = operation.info().hasMixedC && (a != b || b != c);
  return isMixed ? a + " " + b + " " + c : c;
}

static std::string applied(Op op, const char *name) {
  switch (op) {
  case Op::N:
    return name;
  case Op::T:
    return std::string(name) + "^T";
  case Op::C:
    return std::string(name) + "^H";
  case Op::J:
    return formatv("conj({0})", name);
  }
  return name;
}

static std::string scaled(Scalar scalar, const char *name, const std::string &value) {
  return scalar == Scalar::One    ? value
         : scalar == Scalar::Zero ? "0"
                                  : std::string(name) + " " + value;
}

/// The formula of a routine, with its choices: "C = alpha op(A) op(A)^T + beta C, one triangle; op
/// t, upper, beta 0".
static std::string choicesText(const Operation &operation) {
  const RoutineInfo &info = operation.info();
  std::vector<std::string> choices;
  if (*info.ops)
    choices.push_back(std::string("op ") + char(operation.opA));
  if (info.hasSide)
    choices.push_back(wordOf(operation.side));
  if (info.hasUplo)
    choices.push_back(wordOf(operation.triangle));
  if (operation.diagonal == Diagonal::Unit)
    choices.push_back("ones on the diagonal");
  auto addScalar = [&](const char *name, ScalarType type, Scalar scalar) {
    if (type != ScalarType::None && scalar != Scalar::AtRunTime)
      choices.push_back(std::string(name) + (scalar == Scalar::One ? " 1" : " 0"));
  };
  addScalar("alpha", info.alpha, operation.alpha);
  addScalar("beta", info.beta, operation.beta);
  return std::string(info.formula) + "; " + llvm::join(choices, ", ");
}

/// "C = alpha A B^T + beta C".
static std::string formula(const Operation &operation) {
  if (operation.isTriangular()) {
    std::string triangle = applied(operation.opA, "A");
    if (operation.routine == Routine::Trsm)
      triangle = operation.opA == Op::N ? "A^-1" : "(" + triangle + ")^-1";
    std::string product = operation.side == Side::Left ? triangle + " C" : "C " + triangle;
    return "C = " + scaled(operation.alpha, "alpha", product) + ", A " +
           (operation.triangle == Triangle::Lower ? "lower" : "upper") +
           (operation.diagonal == Diagonal::Unit ? " with ones on the diagonal" : "");
  }
  if (operation.routine != Routine::Gemm)
    return choicesText(operation);
  const char *b = operation.alias == Alias::AB ? "A" : "B";
  std::string sum = scaled(operation.alpha, "alpha",
                           applied(operation.opA, "A") + " " + applied(operation.opB, b));
  if (operation.beta != Scalar::Zero)
    sum += " + " + scaled(operation.beta, "beta", "C");
  const Epilogue &epilogue = operation.epilogue;
  if (epilogue.bias != Bias::None)
    sum += std::string(" + bias of each ") + wordOf(epilogue.bias);
  bool isPlain = epilogue.activation == Activation::None;
  return "C = " + (isPlain ? sum : std::string(wordOf(epilogue.activation)) + "(" + sum + ")");
}

/// "f32, column-major, 64 x n, k = 64".
static std::string layoutText(const Operation &operation) {
  std::string text = formatv("{0}, {1}-major, {2} x {3}", typesText(operation),
                             operation.c.order == Order::RowMajor ? "row" : "column",
                             sizeText(operation.m, "m"), sizeText(operation.n, "n"));
  if (operation.info().hasK() && operation.k != kAnySize)
    text += formatv(", k = {0}", operation.k);
  return text + (operation.batch == Batch::Strided ? ", a batch" : "");
}

//===----------------------------------------------------------------------===//
// Header
//===----------------------------------------------------------------------===//

static constexpr const char *kHeader =
    R"(/* {0}.h - BLAS operations for GPUs, compiled ahead of time by Rooftile gemm-export.
 *
 * Matrices are in device memory; those of f16, bf16 and complex numbers are void pointers. alpha
 * and beta are pointers to host memory, read before a function returns: of float for f16 and bf16,
 * of two floats or doubles, real and imaginary part, for complex numbers. Sizes, leading dimensions
 * and strides count elements. Work is put on `stream` of device 0, a CUstream, cudaStream_t or
 * hipStream_t (null is the default one), and not waited for. Functions may be called from several
 * threads at once.
 */
#ifndef {1}_H
#define {1}_H

#include <stdint.h>

#ifdef __cplusplus
extern "C" {{
#endif

/* What functions return. */
enum {{
  {0}_ok = 0,
  {0}_bad_argument = 1, /* an argument is out of range: nothing was done */
  {0}_no_device = 2,    /* no driver, or no GPU */
  {0}_no_chip = 3,      /* no code for this GPU in the library */
  {0}_failed = 4        /* the driver refused something */
};

/* Why the last function of this thread failed; an empty text where it did not. */
const char *{0}_message(void);

{2}#ifdef __cplusplus
}
#endif

#endif
)";

/// Memrefs, one struct for each rank of an argument: `{0}` is its name in capital letters.
static constexpr const char *kMemref =
    R"(#ifndef {0}
#define {0}
/* A memref: `aligned` and `offset`, in elements, give the first element, in device memory; strides
   are elements between neighbours. `allocated` is not used. */
typedef struct {{
  void *allocated, *aligned;
  int64_t offset{2};
} {1};
#endif

)";

static std::string memrefsOf(const Contents &contents) {
  std::set<int64_t> ranks;
  for (const CompiledOperation &operation : contents.operations)
    for (const Parameter &parameter : operation.signature.parameters)
      if (parameter.kind == exported::ArgumentKind::Memref)
        ranks.insert(int64_t(parameter.numbers.size()) / 2);
  std::string text;
  for (int64_t rank : ranks) {
    std::string name = exported::memrefName(rank);
    std::string members = rank ? formatv(", sizes[{0}], strides[{0}]", rank).str() : "";
    text += formatv(kMemref, llvm::StringRef(name).upper(), name, members);
  }
  return text;
}

/// Lines of the header are at most as long, where names are not longer.
static constexpr size_t kHeaderColumns = 100;

static std::string declarationOf(const CompiledOperation &operation) {
  std::vector<std::string> parameters;
  for (const Parameter &parameter : operation.signature.parameters)
    parameters.push_back(parameter.type + (parameter.type.back() == '*' ? "" : " ") +
                         parameter.name);
  parameters.push_back("void *stream");
  std::string text = operation.types.empty()
                         ? formatv("/* {0}; {1}. */\n", formula(operation.operation),
                                   layoutText(operation.operation))
                               .str()
                         : "/* (" + operation.types + ") */\n";
  size_t column = 5 + operation.name.size();
  const std::string margin(column, ' ');
  text += "int " + operation.name + "(";
  for (size_t i = 0; i < parameters.size(); ++i) {
    if (column + parameters[i].size() + 2 > kHeaderColumns) {
      text += "\n" + margin;
      column = margin.size();
    } else if (i > 0) {
      text += " ";
      ++column;
    }
    text += parameters[i] + (i + 1 < parameters.size() ? "," : ");\n\n");
    column += parameters[i].size() + 1;
  }
  return text;
}

std::string exporter::headerOf(const Contents &contents) {
  std::string declarations = memrefsOf(contents);
  for (const CompiledOperation &operation : contents.operations)
    declarations += declarationOf(operation);
  return formatv(kHeader, contents.library, llvm::StringRef(contents.library).upper(),
                 declarations);
}

//===----------------------------------------------------------------------===//
// CMake
//===----------------------------------------------------------------------===//

static constexpr const char *kCMake =
    R"(# find_package({0} CONFIG): the library as {0}::{0}, shared, and {0}::static.
include(CMakeFindDependencyMacro)
find_dependency(Threads)
if(NOT TARGET {0}::{0})
  add_library({0}::{0} SHARED IMPORTED)
  set_target_properties({0}::{0} PROPERTIES
    IMPORTED_LOCATION "${{CMAKE_CURRENT_LIST_DIR}/lib{0}.so"
    IMPORTED_SONAME "lib{0}.so"
    INTERFACE_INCLUDE_DIRECTORIES "${{CMAKE_CURRENT_LIST_DIR}")
  add_library({0}::static STATIC IMPORTED)
  set_target_properties({0}::static PROPERTIES
    IMPORTED_LOCATION "${{CMAKE_CURRENT_LIST_DIR}/lib{0}.a"
    INTERFACE_INCLUDE_DIRECTORIES "${{CMAKE_CURRENT_LIST_DIR}"
    INTERFACE_LINK_LIBRARIES "Threads::Threads;${{CMAKE_DL_LIBS};stdc++;m")
endif()
)";

std::string exporter::cmakeOf(const Contents &contents) {
  return formatv(kCMake, contents.library);
}

//===----------------------------------------------------------------------===//
// JSON
//===----------------------------------------------------------------------===//

static llvm::json::Object describe(const CompiledImage &image) {
  llvm::json::Array kernels;
  for (const std::string &kernel : image.facts.kernels)
    kernels.push_back(kernel);
  return llvm::json::Object{{"chip", image.chip},
                            {"architecture", image.architecture},
                            {"format", image.facts.format},
                            {"kernels", std::move(kernels)},
                            {"kernelBytes", image.facts.kernelBytes},
                            {"bytes", int64_t(image.bytes.size())}};
}

std::string exporter::manifestOf(const Contents &contents) {
  llvm::json::Array operations;
  for (const CompiledOperation &operation : contents.operations) {
    llvm::json::Array images, parameters;
    for (const CompiledImage &image : operation.images)
      images.push_back(describe(image));
    for (const Parameter &parameter : operation.signature.parameters)
      parameters.push_back(parameter.name);
    llvm::json::Object entry{{"name", operation.name},
                             {"parameters", std::move(parameters)},
                             {"chips", std::move(images)}};
    if (operation.types.empty()) {
      entry["operation"] = text(operation.operation);
      entry["routine"] = nameOf(operation.operation.routine);
      entry["formula"] = formula(operation.operation);
      entry["layout"] = layoutText(operation.operation);
    } else {
      entry["types"] = operation.types;
    }
    operations.push_back(std::move(entry));
  }
  llvm::json::Object root{{"library", contents.library}, {"operations", std::move(operations)}};
  return formatv("{0:2}\n", llvm::json::Value(std::move(root)));
}
