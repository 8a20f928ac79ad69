//===- Keys.h - The keys of the line of an operation ------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_OPERATION_KEYS_H
#define ROOFTILE_LIB_OPERATION_KEYS_H

#include "rooftile/Operation/Text.h"

namespace rooftile::operation {

/// A key: when it counts, its value as text (empty: the default), and how text becomes the value.
/// Reading returns what is expected where the text is not that, else an empty string.
struct Field {
  KeyInfo info;
  bool (*applies)(const Operation &);
  std::string (*print)(const Operation &);
  std::string (*read)(std::string_view, Operation &);
  int64_t Operation::*size = nullptr; ///< The size that patterns compare, if it is one.
};

/// All keys, in the order of a line. Later ones may depend on the values of those before.
const Field *firstField();
const Field *lastField();
struct Fields {
  const Field *begin() const { return firstField(); }
  const Field *end() const { return lastField(); }
};

/// When keys of batches count.
bool hasBatch(const Operation &operation);
bool hasStrides(const Operation &operation);

/// The leading dimension of a matrix without gaps: a row has one element at least.
int64_t denseLeading(const Operation &operation, int index);
/// The stride of a batch without gaps.
int64_t denseStride(const Operation &operation, int index);

} // namespace rooftile::operation

#endif // ROOFTILE_LIB_OPERATION_KEYS_H
