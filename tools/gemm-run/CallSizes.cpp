//===- CallSizes.cpp - Sizes and scalars of a call ------------------------===//

#include "Invoke.h"
#include "rooftile/Dialect/Element.h"

#include "mlir/IR/BuiltinTypes.h"

#include <cmath>

using namespace mlir;
using namespace rooftile;
using namespace rooftile::run;

static constexpr int64_t kDefaultSize = 256;
static constexpr double kDefaultScalar = 2;
static constexpr double kMaxElements = 0x1p40;

static llvm::Error fault(const Signature &signature, size_t argument, const llvm::Twine &message) {
  return llvm::createStringError("function '" + signature.name + "', argument " +
                                 llvm::Twine(argument) + ": " + message);
}

/// Gives every dynamic dimension, stride and offset of `type` a number.
static llvm::Expected<View> viewOf(const Signature &signature, size_t argument, MemRefType type,
                                   const std::vector<int64_t> &sizes) {
  View view;
  SmallVector<int64_t> strides;
  if (failed(type.getStridesAndOffset(strides, view.offset)))
    return fault(signature, argument, "only strided memrefs can be passed");
  if (!sizes.empty() && int64_t(sizes.size()) != type.getRank())
    return fault(signature, argument,
                 llvm::Twine(sizes.size()) + " sizes given for rank " +
                     llvm::Twine(type.getRank()));
  double elements = 1;
  for (int64_t dim = 0; dim < type.getRank(); ++dim) {
    int64_t size = type.getDimSize(dim), given = sizes.empty() ? size : sizes[dim];
    if (!type.isDynamicDim(dim) && given != size)
      return fault(signature, argument,
                   "size " + llvm::Twine(given) + " given for dimension " + llvm::Twine(dim) +
                       ", which is " + llvm::Twine(size));
    view.sizes.push_back(ShapedType::isDynamic(given) ? kDefaultSize : given);
    elements *= double(std::max<int64_t>(view.sizes.back(), 1));
    if (view.sizes.back() < 0 || elements > kMaxElements)
      return fault(signature, argument, "sizes are out of range: at most 2^40 elements");
  }
  view.strides.assign(strides.begin(), strides.end());
  int64_t extent = 1;
  for (int64_t dim = type.getRank() - 1; dim >= 0; --dim) {
    if (ShapedType::isDynamic(view.strides[dim]))
      view.strides[dim] = extent;
    extent = std::max(extent, std::abs(view.strides[dim]) * std::max<int64_t>(view.sizes[dim], 1));
  }
  if (ShapedType::isDynamic(view.offset))
    view.offset = 0;
  double span = std::fabs(double(view.offset));
  for (size_t dim = 0; dim < view.sizes.size(); ++dim)
    span += std::fabs(double(view.strides[dim])) * view.sizes[dim];
  if (span > kMaxElements)
    return fault(signature, argument, "strides are out of range: at most 2^40 elements");
  return view;
}

/// The matrices that an array of `count` addresses leads to.
static llvm::Expected<View> matricesBehind(const Signature &signature, size_t argument,
                                           int64_t count) {
  const Addressed &addressed = *signature.addressed[argument];
  View view{{count}, {0}};
  view.sizes.insert(view.sizes.end(), addressed.sizes.begin(), addressed.sizes.end());
  view.strides.insert(view.strides.end(), addressed.strides.begin(), addressed.strides.end());
  if (llvm::any_of(view.sizes, ShapedType::isDynamic) ||
      llvm::any_of(view.strides, ShapedType::isDynamic))
    return fault(signature, argument,
                 "an array of addresses of matrices whose sizes are operands; --case passes these");
  return view;
}

llvm::Expected<Call> rooftile::run::callOf(const Signature &signature,
                                           const std::vector<std::vector<int64_t>> &sizes) {
  Call call{signature.name, "", {}};
  size_t memrefs = 0;
  for (size_t i = 0; i < signature.arguments.size(); ++i) {
    Argument argument;
    if (auto type = dyn_cast<MemRefType>(signature.arguments[i])) {
      bool given = memrefs < sizes.size();
      auto view = viewOf(signature, i, type, given ? sizes[memrefs] : signature.sizes[i]);
      ++memrefs;
      if (view && signature.addressed[i]) {
        argument.pointee = signature.addressed[i]->pointee;
        view = matricesBehind(signature, i, view->sizes[0]);
      }
      if (!view)
        return view.takeError();
      argument.view = *view;
    } else if (!realTypeOf(signature.arguments[i]).isIntOrIndexOrFloat()) {
      return fault(signature, i, "only memrefs and scalars can be passed");
    }
    argument.value = Scalar(std::isnan(signature.values[i]) ? kDefaultScalar : signature.values[i]);
    call.arguments.push_back(argument);
  }
  if (memrefs < sizes.size())
    return llvm::createStringError("--sizes names " + llvm::Twine(sizes.size()) +
                                   " arguments; function '" + signature.name + "' has " +
                                   llvm::Twine(memrefs) + " of memref type");
  return call;
}
