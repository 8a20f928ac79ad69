//===- SessionExtras.cpp - The extra operands of an epilogue --------------===//
//
// They are announced before the operation. Each is seen with the sizes of C, with a
// stride of 0 along the dimensions that it lacks.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Verify/Engine/Session.h"

using namespace rooftile::verify;

void Session::extra(int64_t id, int64_t index, Operand operand, Scalar scalar) {
  operand.element = sites[id].epilogue.extras[index].element;
  extras.resize(index + 1);
  extras[index].operand = operand;
  extras[index].scalar = scalar;
}

void Session::requireValidExtras(const Site &site, const Operand *operands) {
  const View &c = operands[2].view;
  for (size_t index = 0; index < site.epilogue.extras.size(); ++index) {
    if (!site.epilogue.extras[index].isMatrix)
      continue;
    const Operand &operand = extras[index].operand;
    std::string name = "extra operand " + std::to_string(index);
    for (size_t dim = 0; dim < operand.view.sizes.size(); ++dim)
      if (int64_t of = site.epilogue.extras[index].dims[dim];
          operand.view.sizes[dim] != c.sizes[of])
        refuse(site, "sizes do not match: " + name + " has size " +
                         std::to_string(operand.view.sizes[dim]) + " along dimension " +
                         std::to_string(dim) + ", C " + std::to_string(c.sizes[of]) +
                         " along dimension " + std::to_string(of));
    if (overlap(operands[2], operand))
      refuse(site, "output C overlaps " + name +
                       " in memory: results would depend on the order of stores");
  }
}

/// New data, integers or uniform, in all of them. Afterwards the copies of A and B, too, hold what
/// is there: operands that are read may share memory.
void Session::fillExtras(const Operand *operands) {
  const Site &site = sites[running];
  Values values{range ? Values::Integers : Values::Uniform, std::max<int64_t>(range, 1), seed};
  values.range = std::min<int64_t>(values.range, 8);
  auto isMatrix = [&](size_t index) { return site.epilogue.extras[index].isMatrix; };
  for (size_t index = 0; index < site.epilogue.extras.size(); ++index) {
    if (!isMatrix(index))
      continue;
    const Operand &operand = extras[index].operand;
    Mirror &mirror = extras[index].mirror;
    values.seed = seed + 11 + index;
    mirror.read(device, operand.begin(), operand.spanBytes());
    if (operand.view.elements() > 0)
      fill(mirror.data.get(), operand.element, operand.view, values);
    mirror.write(device);
  }
  if (site.epilogue.extras.empty())
    return;
  a.read(device, operands[0].begin(), operands[0].spanBytes());
  b.read(device, operands[1].begin(), operands[1].spanBytes());
  for (size_t index = 0; index < site.epilogue.extras.size(); ++index)
    if (isMatrix(index))
      extras[index].mirror.read(device, extras[index].operand.begin(),
                                extras[index].operand.spanBytes());
}

void Session::addExtras(const Site &site, const Operand *operands, Product &product) const {
  if (site.epilogue.function.empty())
    return;
  product.epilogue = &site.epilogue.function;
  for (size_t index = 0; index < site.epilogue.extras.size(); ++index) {
    const ExtraOperand &of = site.epilogue.extras[index];
    ProductExtra extra{of.element, extras[index].scalar, nullptr, {}};
    if (of.isMatrix) {
      View view = operands[2].view;
      const View &own = extras[index].operand.view;
      view.offset = own.offset;
      view.places.clear();
      view.strides.assign(view.sizes.size(), 0);
      for (size_t dim = 0; dim < of.dims.size(); ++dim)
        view.strides[of.dims[dim]] = own.strides[dim];
      extra.walk = matricesOf(view, false, product.batches());
      extra.data = extras[index].mirror.data.get();
    }
    product.extras.push_back(std::move(extra));
  }
}
