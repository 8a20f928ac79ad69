//===- Executable.h - Kernels, and what launches them -----------*- C++ -*-===//
//
// Compiled operations without the compiler: images of kernels for one chip,
// and code of the host around them. An executable is a string of bytes, to be kept in a file or in
// a program.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_RUNTIME_EXECUTABLE_EXECUTABLE_H
#define ROOFTILE_RUNTIME_EXECUTABLE_EXECUTABLE_H

#include "rooftile/Runtime/Cpu/HostKernel.h"
#include "rooftile/Runtime/Executable/Code.h"
#include "rooftile/Runtime/Runtime.h"

#include <atomic>
#include <memory>
#include <string_view>

namespace rooftile {

/// Code for the device that one or more kernels are in: PTX or a cubin of NVIDIA's, a code
/// object of AMD's.
struct KernelImage {
  std::string bytes;
};

struct KernelEntry {
  std::string name;
  uint32_t image = 0; ///< Its number.
};

/// Components of an executable.
struct ExecutableData {
  std::string chip; ///< That the kernels are for; "cpu": functions of this process.
  std::vector<KernelImage> images;
  std::vector<KernelEntry> kernels;
  std::vector<std::string> arrays; ///< Bytes of the constants that functions use.
  std::vector<Code> functions;
  std::string description; ///< For people and tools: the plans, as JSON.
};

/// The fault of `data`, as of its functions; a kernel that is not for the CPU has an image.
std::string whyInvalid(const ExecutableData &data);

/// The bytes of an executable, in little endian: a magic number, the version of the format, the
/// number of bytes after this head, a checksum of them (8 bytes each), and the data. The same data
/// gives the same bytes.
std::string writeExecutable(const ExecutableData &data);

/// Reads `bytes`; where they are damaged, of another version, or no valid code, null is returned
/// and `why` has the reason. No input makes it read outside of the bytes, or allocate more than a
/// small multiple of them.
std::unique_ptr<ExecutableData> readExecutable(std::string_view bytes, std::string &why);

/// The end of an error of `run` where sizes of arguments contradict each other.
inline constexpr const char *kSizesDisagree = ": sizes disagree";

/// Kernels of this process, one for each of an executable. They may become code when they are first
/// launched.
struct HostKernels {
  std::vector<HostKernel> kernels;
  std::vector<std::function<void()>> groups; ///< Make code of some kernels each, ahead of a launch.
  std::shared_ptr<std::atomic<size_t>> bytes; ///< Bytes of their code; null where it is not theirs.
};

/// An executable that can be called. Functions may be called from several threads at once.
class Executable {
public:
  /// For the GPUs of the vendor that the images are for; they are loaded at the first launch of a
  /// kernel, for each device that runs them: a run is on this thread's device of that vendor
  /// (DeviceScope). Null, with the reason in `why`, where an image or a function is not valid.
  static std::unique_ptr<Executable> load(ExecutableData data, std::string &why);
  /// With kernels of this process, on grids of one dimension.
  static std::unique_ptr<Executable> onHost(ExecutableData data, HostKernels kernels,
                                            std::string &why);
  /// Unloads the kernels: all work that was put on a stream must have ended.
  ~Executable();
  Executable(const Executable &) = delete;
  Executable &operator=(const Executable &) = delete;

  /// The number of a function, or -1.
  int find(std::string_view function) const;
  /// Runs a function with its registers of arguments; work is put on the stream of this thread
  /// (rooftileSetStream) and not waited for. An empty string, or what failed first: nothing after
  /// it is run, and memory of this run is freed. The recorded error of this thread is cleared.
  std::string run(int function, const uint64_t *arguments) const {
    return run(function, arguments, nullptr);
  }
  /// As above, for functions with results: `results` gets the registers of Code::results.
  std::string run(int function, const uint64_t *arguments, uint64_t *results) const;
  /// Frees the memory of a result that is none of the arguments.
  void release(void *memory) const;
  /// Loads all kernels for this thread's device, so that no launch has to: a stream that is
  /// captured does not allow it. An empty string, or what failed.
  std::string prepare() const;
  const ExecutableData &data() const;
  /// Bytes that the executable keeps in memory of the host: kernels of this process are part of it
  /// from their first launch.
  size_t bytes() const;

private:
  struct State;
  explicit Executable(std::unique_ptr<State> state);
  std::unique_ptr<State> state;
};

} // namespace rooftile

#endif // ROOFTILE_RUNTIME_EXECUTABLE_EXECUTABLE_H
