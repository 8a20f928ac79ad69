//===- SessionPointers.cpp - Operands that are arrays of pointers ---------===//

#include "rooftile/Verify/Engine/Session.h"

#include <algorithm>

using namespace rooftile;
using namespace rooftile::verify;

/// An array of pointers arrives as its address with the sizes and strides of the matrices, and
/// leaves as a view that begins at the first of them in memory.
void Session::followPointers(int64_t id, Operand *operands) const {
  for (int index : {0, 1, 2}) {
    Operand &operand = operands[index];
    int64_t count = operand.view.sizes.empty() ? 0 : operand.view.sizes[0];
    if (!sites[id].byPointers[index] || count == 0)
      continue;
    std::vector<char *> addresses(count);
    copyBytes(device, addresses.data(), operand.data, count * sizeof(char *));
    operand.data = *std::min_element(addresses.begin(), addresses.end());
    operand.view.offset = 0;
    for (char *address : addresses)
      operand.view.places.push_back((address - operand.data) / bytesOf(operand.element));
  }
}
