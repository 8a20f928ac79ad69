//===- Runtime.cpp - A libamdhip64 whose GPU is an emulator ---------------===//
//
// The functions of HIP that this project's driver calls, for a GPU of ROOFTILE_EMULATED_CHIP
// (gfx90a without it). ROOFTILE_HIP=librooftile_amd_emulator.so has programs use it. Device memory
// is the host's, launches have ended when they return, and a failure is sticky, as on a GPU: the
// name of the error is the emulator's message. ROOFTILE_EMULATOR_SEED shuffles workgroups,
// ROOFTILE_EMULATOR_MUTATE=any:7 deletes an instruction of each module (Mutation.h), and with
// ROOFTILE_EMULATOR_COUNT=1 each launch prints its conflicts of banks of LDS (Banks.h). Sources:
// HIP runtime API reference, 6.0.
//
//===----------------------------------------------------------------------===//

#include "rooftile/Emulator/Launch.h"
#include "rooftile/Emulator/Mutation.h"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <dlfcn.h>

using namespace rooftile::emulator;

namespace {
enum Result {
  Success = 0,
  InvalidValue = 1,
  OutOfMemory = 2,
  InvalidImage = 200,
  NotFound = 500,
  LaunchFailure = 719
};

struct Function {
  const CodeObject *object;
  const Kernel *kernel;
};

struct Module {
  std::unique_ptr<CodeObject> object;
  std::vector<std::unique_ptr<Function>> functions;
};

using Clock = std::chrono::steady_clock;
} // namespace

static GlobalMemory &memory() {
  static auto *instance = new GlobalMemory; // never destroyed: programs free after main
  return *instance;
}

/// Message of the last failure of this thread, which hipGetErrorName returns.
static thread_local std::string lastMessage;

static int fail(Result result, const std::string &message) {
  lastMessage = message;
  return result;
}

static const char *chip() {
  const char *stated = std::getenv("ROOFTILE_EMULATED_CHIP");
  return stated && *stated ? stated : "gfx90a";
}

/// Bytes of an ELF file, by its header: section headers are its end.
static size_t bytesOf(const void *image) {
  auto *bytes = static_cast<const uint8_t *>(image);
  uint64_t sections;
  uint16_t size, count;
  std::memcpy(&sections, bytes + 40, sizeof sections);
  std::memcpy(&size, bytes + 58, sizeof size);
  std::memcpy(&count, bytes + 60, sizeof count);
  return sections + uint64_t(size) * count;
}

/// Deletes an instruction, by "any:7" (Mutation.h), and prints it to stderr. Returns why not.
static std::string mutate(CodeObject &object, llvm::StringRef text) {
  auto [kind, number] = text.split(':');
  uint64_t seed = 0;
  if (number.getAsInteger(10, seed))
    return "ROOFTILE_EMULATOR_MUTATE: expected the like of any:7, got " + text.str();
  llvm::Expected<std::string> deleted = deleteInstruction(object, kind, seed);
  if (!deleted)
    return llvm::toString(deleted.takeError());
  std::fprintf(stderr, "rooftile_amd_emulator: deleted '%s'\n", deleted->c_str());
  return "";
}

extern "C" {

const char *hipGetErrorName(int) { return lastMessage.empty() ? nullptr : lastMessage.c_str(); }

//===----------------------------------------------------------------------===//
// Devices, streams and events
//===----------------------------------------------------------------------===//

int hipInit(unsigned) { return Success; }
int hipRuntimeGetVersion(int *version) { return *version = 60000000, Success; }
int hipGetDeviceCount(int *count) { return *count = 1, Success; }
int hipGetDevice(int *device) { return *device = 0, Success; }
int hipSetDevice(int device) {
  return device == 0 ? Success : fail(InvalidValue, "there is one emulated device");
}
int hipDeviceSynchronize() { return Success; }
int hipDeviceGetAttribute(int *value, int, int) { return *value = 0, Success; }

/// Fields of hipDeviceProp_tR0600 by their offsets.
int hipGetDevicePropertiesR0600(void *properties, int) {
  auto *bytes = static_cast<char *>(properties);
  auto put = [&](size_t offset, auto value) { std::memcpy(bytes + offset, &value, sizeof value); };
  std::memset(bytes, 0, 1472);
  std::snprintf(bytes, 256, "emulated %s", chip());
  put(288, uint64_t(16) << 30);                              // totalGlobalMem
  put(296, uint64_t(65536));                                 // sharedMemPerBlock
  put(308, std::strncmp(chip(), "gfx11", 5) == 0 ? 32 : 64); // warpSize
  put(320, 1024);                                            // maxThreadsPerBlock
  put(388, 104);                                             // multiProcessorCount
  std::snprintf(bytes + 1160, 256, "%s", chip());
  return Success;
}

int hipStreamCreateWithFlags(void **stream, unsigned) { return *stream = new char, Success; }
int hipStreamDestroy(void *stream) { return delete static_cast<char *>(stream), Success; }
int hipStreamSynchronize(void *) { return Success; }
int hipStreamWaitEvent(void *, void *, unsigned) { return Success; }
int hipStreamIsCapturing(void *, int *status) { return *status = 0, Success; }
int hipEventCreateWithFlags(void **event, unsigned) {
  return *event = new Clock::time_point, Success;
}
int hipEventDestroy(void *event) { return delete static_cast<Clock::time_point *>(event), Success; }
int hipEventRecord(void *event, void *) {
  return *static_cast<Clock::time_point *>(event) = Clock::now(), Success;
}
int hipEventSynchronize(void *) { return Success; }
int hipEventElapsedTime(float *milliseconds, void *begin, void *end) {
  std::chrono::duration<float, std::milli> time =
      *static_cast<Clock::time_point *>(end) - *static_cast<Clock::time_point *>(begin);
  return *milliseconds = time.count(), Success;
}

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

int hipMalloc(void **pointer, size_t bytes) {
  *pointer = memory().allocate(bytes);
  return *pointer ? Success : fail(OutOfMemory, "hipErrorOutOfMemory");
}
int hipFree(void *pointer) {
  bool isFreed = !pointer || memory().free(pointer);
  return isFreed ? Success : fail(InvalidValue, "hipErrorInvalidValue: nothing is allocated there");
}
int hipMallocAsync(void **pointer, size_t bytes, void *) { return hipMalloc(pointer, bytes); }
int hipFreeAsync(void *pointer, void *) { return hipFree(pointer); }
int hipMallocManaged(void **pointer, size_t bytes, unsigned) { return hipMalloc(pointer, bytes); }
int hipHostMalloc(void **pointer, size_t bytes, unsigned) { return hipMalloc(pointer, bytes); }
int hipHostFree(void *pointer) { return hipFree(pointer); }
int hipHostRegister(void *pointer, size_t bytes, unsigned) {
  return memory().add(pointer, bytes), Success;
}
int hipHostUnregister(void *pointer) { return memory().remove(pointer), Success; }
int hipMemcpy(void *to, const void *from, size_t bytes, int) {
  return std::memmove(to, from, bytes), Success;
}
int hipMemcpyAsync(void *to, const void *from, size_t bytes, int kind, void *) {
  return hipMemcpy(to, from, bytes, kind);
}
int hipMemsetD16Async(void *to, unsigned short value, size_t count, void *) {
  return std::fill_n(static_cast<unsigned short *>(to), count, value), Success;
}
int hipMemsetD32Async(void *to, int value, size_t count, void *) {
  return std::fill_n(static_cast<int *>(to), count, value), Success;
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

int hipModuleLoadData(void **module, const void *image) {
  auto object = CodeObject::load({static_cast<const uint8_t *>(image), bytesOf(image)});
  if (!object)
    return fail(InvalidImage, llvm::toString(object.takeError()));
  if ((*object)->chip() != chip())
    return fail(InvalidImage, "code for " + (*object)->chip() + ", but the GPU is " + chip());
  if (const char *mutation = std::getenv("ROOFTILE_EMULATOR_MUTATE"))
    if (std::string why = mutate(**object, mutation); !why.empty())
      return fail(InvalidImage, why);
  auto loaded = std::make_unique<Module>();
  loaded->object = std::move(*object);
  return *module = loaded.release(), Success;
}
int hipModuleUnload(void *module) { return delete static_cast<Module *>(module), Success; }

int hipModuleGetFunction(void **function, void *module, const char *name) {
  auto *loaded = static_cast<Module *>(module);
  const Kernel *kernel = loaded->object->find(name);
  if (!kernel)
    return fail(NotFound, std::string("there is no kernel ") + name);
  loaded->functions.push_back(std::make_unique<Function>(Function{loaded->object.get(), kernel}));
  return *function = loaded->functions.back().get(), Success;
}

int hipModuleLaunchKernel(void *function, unsigned blocksX, unsigned blocksY, unsigned blocksZ,
                          unsigned threadsX, unsigned threadsY, unsigned threadsZ,
                          unsigned localBytes, void *, void **parameters, void **) {
  auto [object, kernel] = *static_cast<Function *>(function);
  Launch launch;
  launch.blocks[0] = blocksX, launch.blocks[1] = blocksY, launch.blocks[2] = blocksZ;
  launch.threads[0] = threadsX, launch.threads[1] = threadsY, launch.threads[2] = threadsZ;
  launch.localBytes = localBytes;
  if (const char *seed = std::getenv("ROOFTILE_EMULATOR_SEED"))
    launch.seed = std::strtoull(seed, nullptr, 10);
  for (const Argument &argument : kernel->arguments)
    if (argument.kind == Argument::Kind::Value)
      launch.arguments.push_back(parameters[launch.arguments.size()]);
  BankCounter banks;
  bool counts = std::getenv("ROOFTILE_EMULATOR_COUNT") != nullptr;
  launch.banks = counts ? &banks : nullptr;
  std::string why = run(*object, *kernel, launch, memory());
  if (counts)
    std::fprintf(stderr, "rooftile_amd_emulator: %s: %s\n", kernel->name.c_str(),
                 banks.text().c_str());
  return why.empty() ? Success : fail(LaunchFailure, why);
}

} // extern "C"
