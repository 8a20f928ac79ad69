//===- Frame.h - Arguments of a call in memory ------------------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_ENGINE_FRAME_H
#define ROOFTILE_VERIFY_ENGINE_FRAME_H

#include "rooftile/Verify/Engine/Invoke.h"

namespace rooftile::verify {

/// A function of a program: machine code, by its packed C interface, or code as data.
struct Callee {
  void (*packed)(void **) = nullptr;
  const Executable *executable = nullptr;
  int number = -1; ///< Number of the function in the executable.
};

llvm::Expected<Callee> calleeOf(const Program &program, const std::string &function);

/// Buffers, descriptors and scalars of one call, in the form that the C interface accepts.
class Frame {
public:
  Frame(DeviceKind device, uint64_t seed) : device(device), seed(seed) {}

  /// False, with a recorded runtime error, when memory is short.
  bool add(mlir::Type type, const Argument &argument);

  /// Calls a function, shows where each result is, and frees what it returned. Code as data ends at
  /// an error, which is given back; that of machine code is the recorded one.
  std::string call(const Callee &callee, llvm::ArrayRef<mlir::Type> results,
                   llvm::function_ref<void(llvm::ArrayRef<const char *>)> inspect = nullptr);

  /// The descriptor of the argument at `index`, a memref.
  const int64_t *descriptorOf(size_t index) const {
    return *static_cast<const int64_t *const *>(words[index]);
  }

  std::vector<Buffer *> watched() const;

private:
  char *addBuffer(int64_t bytes, const std::optional<Element> &element, const View &view,
                  int64_t shift);
  char *addWords(const std::vector<int64_t> &numbers);
  bool addMemRef(mlir::MemRefType type, const View &view, int64_t shift);
  bool addPointers(const View &view, const Pointee &pointee);
  void addDescriptor(char *base, const View &view);
  void addScalar(mlir::Type type, Scalar value);
  void callPacked(void (*function)(void **), llvm::ArrayRef<mlir::Type> results, char *returned);
  std::string callCode(const Callee &callee, llvm::ArrayRef<mlir::Type> results, char *returned);
  void release(const Callee &callee, llvm::ArrayRef<const char *> places,
               llvm::ArrayRef<mlir::Type> results);

  DeviceKind device;
  uint64_t seed;
  std::vector<std::unique_ptr<Buffer>> buffers;
  std::vector<std::unique_ptr<int64_t[]>> scalars;
  std::vector<std::unique_ptr<int64_t[]>> descriptors;
  std::vector<std::unique_ptr<void *>> pointers;
  std::vector<void *> words;
  std::vector<uint64_t> registers; ///< Arguments as an executable accepts them.
};

/// Whether results of these types can be read: ranked memrefs and scalars.
bool canBeReturned(mlir::Type type);

/// Bytes of an argument.
int64_t spannedBytes(mlir::Type type, const Argument &argument);

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_ENGINE_FRAME_H
