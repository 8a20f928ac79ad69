//===- Array.h - Arrays of other packages, without a copy -------*- C++ -*-===//
#ifndef ROOFTILE_PYTHON_ARRAY_H
#define ROOFTILE_PYTHON_ARRAY_H

#include "rooftile/Runtime/Device/DeviceFacts.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include <nanobind/nanobind.h>

#include <memory>
#include <string>
#include <vector>

namespace rooftile::python {

/// Element type of an array: a kind ('f' float, 'b' bfloat, 'c' complex, 'i' and 'u' integers) and
/// the
/// bits of an element.
struct Type {
  char kind = 'f';
  int bits = 32;

  bool operator==(Type other) const { return kind == other.kind && bits == other.bits; }
  bool operator!=(Type other) const { return !(*this == other); }
  int64_t bytes() const { return bits / 8; }
};

/// "f32", "bf16", "c128", "i32".
std::string nameOf(Type type);

/// Sizes or strides, one for each dimension.
using Dimensions = llvm::SmallVector<int64_t, 4>;

/// The device of an array in host memory.
constexpr Device kHost = {DeviceKind::Cpu, 0};
/// A device as DLPack has it: a type, and a number.
using DlpackDevice = std::pair<int, int>;
DlpackDevice toDlpack(Device device);
/// The device of `name`; raises ValueError where its type is not supported.
Device fromDlpack(DlpackDevice device, const std::string &name);

/// An array of NumPy, PyTorch, CuPy, JAX or another package, as it lies in memory.
struct Array {
  std::string name; ///< The operand, in messages.
  uint64_t address = 0;
  Type type;
  Dimensions shape, strides; ///< Strides in elements.
  bool isReadOnly = false;
  Device device = kHost;
  std::shared_ptr<void> keep; ///< Keeps the memory; released by a thread that holds the GIL.

  int rank() const { return int(shape.size()); }
  bool isEmpty() const;
};

/// The bytes from the first to the end of the last element.
struct Range {
  uint64_t begin, end;
};
Range rangeOf(const Array &array);

/// Array `source`, called `name` in messages. `protocol` is "buffer" (PEP 3118), where `how` is the
/// type ("bf16") that its integers stand for (None: they do not), "dlpack", where
/// `how` is the stream that `__dlpack__` gets (None: not given), "exchange", where it is the
/// capsule `__dlpack_c_exchange_api__`, or "cuda" (`__cuda_array_interface__`).
/// Raises ValueError or TypeError, naming the operand; of "exchange", what the package raises.
Array importArray(nanobind::handle source, const std::string &name, const std::string &protocol,
                  nanobind::object how);

/// Whether the functions of a capsule `__dlpack_c_exchange_api__` are of a version that is
/// known.
bool knowsExchange(nanobind::handle capsule);

/// The current stream of the package with this capsule `__dlpack_c_exchange_api__`, on a GPU.
uint64_t currentStreamOf(nanobind::handle capsule, DlpackDevice device);

/// An array in row-major order without memory, as of a traced program, which has type ("f32") and
/// shape.
Array tracedArray(const std::string &name, const std::string &type,
                  const std::vector<int64_t> &shape, DlpackDevice device);

/// Strides of an array that is contiguous in row-major order.
void setContiguous(Array &array);

/// A number as "(20, 2)".
std::string listOf(llvm::ArrayRef<int64_t> numbers);

[[noreturn]] void raiseValue(const std::string &message);
[[noreturn]] void raiseType(const std::string &message);

} // namespace rooftile::python

#endif // ROOFTILE_PYTHON_ARRAY_H
