//===- Exported.h - What is in an exported library --------------*- C++ -*-===//
//
// An exported library has one C function per operation. Each puts its arguments into an array, and
// calls rooftileCallExported with the description of the operation, which is constant data: what is
// checked, where each argument goes, and the executables for each chip. All fields have 8 bytes, so
// that who writes the data does not depend on the layout of C.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_EXPORT_EXPORTED_H
#define ROOFTILE_EXPORT_EXPORTED_H

#include <cstdint>
#include <cstring>
#include <string>

namespace rooftile::exported {

/// Return value of a function.
enum class Result : int {
  Ok = 0,
  BadArgument = 1, ///< An argument is out of range.
  NoDevice = 2,    ///< No driver, or no GPU.
  NoChip = 3,      ///< The library has no code for the GPU.
  Failed = 4       ///< The driver refused something.
};

enum class ArgumentKind : int64_t { Size, Address, Leading, Stride, Scalar, Memref };

/// A number that is known, or that argument of the call where it is not -1.
struct Number {
  int64_t known, argument;
};

/// A number of a memref's type that each call states.
constexpr int64_t kDynamic = INT64_MIN;

struct Argument {
  const char *name;
  ArgumentKind kind;
  /// Lower bound of a leading dimension, beside 1; for an address the bytes of which it is a
  /// multiple.
  Number line;
  const int64_t *numbers; ///< Offset, sizes and strides of a memref's type, or kDynamic.
  int64_t rank;
};

/// A register of the executable's function (Runtime/Executable/Code.h).
struct Register {
  uint64_t known;   ///< Added to the argument.
  int64_t argument; ///< Its number, or -1.
  int64_t bytes;    ///< Not 0: of the memory that the argument points to, from `offset` on.
  int64_t offset;
  uint64_t factor; ///< Factor of the argument itself.
};

/// Which GPUs an executable runs on.
enum class Fit : int64_t {
  Exact,           ///< Those of its compute capability.
  SameMajor,       ///< And of later minor versions.
  Later,           ///< And of all later versions: PTX.
  SameArchitecture ///< Those of its architecture: AMD's.
};

struct Image {
  const char *chip;
  const char *architecture; ///< "sm_90a", "gfx942"
  int64_t major, minor;     ///< Compute capability; 0 of AMD's.
  Fit fit;
  const char *bytes; ///< The executable.
  int64_t size;
};

struct Operation {
  const char *name;
  const Argument *arguments;
  int64_t argumentCount;
  const Register *registers;
  int64_t registerCount; ///< kMostArgumentRegisters at most.
  const Image *images;
  int64_t imageCount;
  void *loaded; ///< Null at the start; then what the runtime keeps.
};

/// Value that a call puts into a register.
inline uint64_t valueOf(const Register &place, const uint64_t *arguments) {
  if (place.argument < 0)
    return place.known;
  uint64_t value = arguments[place.argument];
  if (place.bytes == 0)
    return place.known + value * place.factor;
  const char *from = reinterpret_cast<const char *>(value) + place.offset;
  value = 0;
  std::memcpy(&value, from, size_t(place.bytes)); // machines are little endian
  return value;
}

constexpr int64_t kMostArgumentRegisters = 64;

/// The struct of C for memrefs of a rank: {allocated, aligned, offset, sizes[], strides[]}.
inline std::string memrefName(int64_t rank) { return "rooftile_memref" + std::to_string(rank); }

} // namespace rooftile::exported

extern "C" {

/// Calls `operation` on `stream`: a Result. Threads may call at once.
int rooftileCallExported(rooftile::exported::Operation *operation, const uint64_t *arguments,
                         void *stream);

/// Why the last call of this thread failed; an empty text where it did not.
const char *rooftileExportedMessage();
}

#endif // ROOFTILE_EXPORT_EXPORTED_H
