//===- XlaFfi.h - How XLA calls foreign functions ---------------*- C++ -*-===//
//
// The subset of XLA's C interface that is needed here for custom calls, whose
// layout is fixed: later versions add members after these, and every struct
// begins with the size that the other side expects. Source: openxla/xla,
// xla/ffi/api/c_api.h, version 0.3; test/Python/xla-ffi.test compares the layout
// with the header that jaxlib brings.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_PYTHON_XLAFFI_H
#define ROOFTILE_PYTHON_XLAFFI_H

#include <cstddef>
#include <cstdint>

namespace rooftile::python::xla {

constexpr int kMajorVersion = 0, kFirstMinorVersion = 1;

/// Extension after a struct; `kind` is its type.
struct Extension {
  size_t size;
  int32_t kind;
  Extension *next;
};
constexpr int32_t kMetadata = 1;

struct Version {
  size_t size;
  Extension *extensions;
  int32_t major, minor;
};

/// Description of a handler, for its registration.
struct Metadata {
  size_t size;
  Version version;
  uint32_t traits;
};

struct MetadataExtension {
  Extension extension;
  Metadata *metadata;
};

enum class DataType : int32_t { F16 = 10, F32 = 11, F64 = 12, C64 = 15, BF16 = 16, C128 = 18 };

/// An array in row-major order.
struct Buffer {
  size_t size;
  Extension *extensions;
  DataType type;
  void *data;
  int64_t rank;
  int64_t *sizes;
};

/// Arguments, and results. All are buffers, of kind 1.
struct Buffers {
  size_t size;
  Extension *extensions;
  int64_t count;
  const int32_t *kinds;
  Buffer **buffers;
};

struct Text {
  const char *begin;
  size_t length;
};

struct Number {
  DataType type;
  const void *value;
};

enum class AttributeKind : int32_t { Number = 3, Text = 4 };

struct Attributes {
  size_t size;
  Extension *extensions;
  int64_t count;
  const AttributeKind *kinds;
  Text **names;
  void **values; ///< Number, Text
};

enum class Stage : int32_t { Instantiate, Prepare, Initialize, Execute };

struct Api;

/// A call of a handler.
struct Call {
  size_t size;
  Extension *extensions;
  const Api *api;
  void *context;
  Stage stage;
  Buffers arguments, results;
  Attributes attributes;
};

struct Error;
enum class ErrorCode : int32_t { InvalidArgument = 3, Internal = 13 };

/// Null where all went well.
using Handler = Error *(Call *);

struct CreateError {
  size_t size;
  Extension *extensions;
  const char *message;
  ErrorCode code;
};

struct GetStream {
  size_t size;
  Extension *extensions;
  void *context;
  void *stream; ///< The answer: a CUstream.
};

struct GetDevice {
  size_t size;
  Extension *extensions;
  void *context;
  int32_t device; ///< The answer.
};

/// Functions of XLA.
struct Api {
  size_t size;
  Extension *extensions;
  Version version;
  const void *internal;
  Error *(*createError)(CreateError *);
  void *getMessage, *destroyError, *registerHandler;
  Error *(*getStream)(GetStream *);
  void *others[12];
  Error *(*getDevice)(GetDevice *);
};

} // namespace rooftile::python::xla

#endif // ROOFTILE_PYTHON_XLAFFI_H
