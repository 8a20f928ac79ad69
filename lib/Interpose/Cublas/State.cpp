//===- State.cpp - What a call finds on the device ------------------------===//

#include "State.h"
#include "Next.h"
#include "rooftile/Runtime/Device/Driver.h"
#include "rooftile/Runtime/Runtime.h"

using namespace rooftile;
using namespace rooftile::cublas;

//===----------------------------------------------------------------------===//
// The handle
//===----------------------------------------------------------------------===//

namespace {
/// State of a handle of cuBLAS. Found once cuBLAS is there.
struct Getters {
  Status (*pointerMode)(Handle, PointerMode *) = nullptr;
  Status (*mathMode)(Handle, MathMode *) = nullptr;
  Status (*stream)(Handle, void **) = nullptr;

  bool areThere() const { return pointerMode && mathMode && stream; }
};
} // namespace

template <typename Getter> static void find(Getter &getter, const char *name) {
  getter = reinterpret_cast<Getter>(findInNext(name));
}

static Getters findGetters() {
  Getters getters;
  find(getters.pointerMode, "cublasGetPointerMode_v2");
  find(getters.mathMode, "cublasGetMathMode");
  find(getters.stream, "cublasGetStream_v2");
  return getters;
}

/// Null where cuBLAS is missing, or lacks one.
static const Getters *gettersOf() {
  static const Getters getters = findGetters();
  return getters.areThere() ? &getters : nullptr;
}

bool rooftile::cublas::getPointerMode(Handle handle, PointerMode &mode) {
  const Getters *getters = gettersOf();
  return getters && getters->pointerMode(handle, &mode) == kSuccess;
}

/// TF32 and the like have fewer bits than our products of f32; they are what the program asked for.
static const char *whyNotInMathMode(MathMode mode, operation::Element element) {
  bool isDouble = operation::bytesOfComponent(element) == 8;
  switch (mode & kMathModeMask) {
  case kDefaultMath:
  case kPedanticMath:
    return nullptr;
  case kTensorOpMath:
  case kTf32Math: // Affects f32 alone.
    return isDouble ? nullptr : "the math mode asks for TF32";
  default:
    return "the math mode asks for emulation";
  }
}

//===----------------------------------------------------------------------===//
// The driver
//===----------------------------------------------------------------------===//

const char *rooftile::cublas::whyNoDevice(int &device) {
  const char *why = nullptr;
  device = cudaDriver().presentDevice(why);
  return device < 0 ? why : nullptr;
}

const char *rooftile::cublas::whyNotNow(Handle handle, operation::Element element, State &state) {
  MathMode mode = kDefaultMath;
  const Getters *getters = gettersOf();
  if (!getters || getters->mathMode(handle, &mode) || getters->stream(handle, &state.stream))
    return "cuBLAS rejects the handle";
  if (const char *why = whyNotInMathMode(mode, element))
    return why;
  state.isCaptured = cudaDriver().isCaptured(state.stream);
  return nullptr;
}

std::string rooftile::cublas::nameOfChip(int device) {
  DeviceFacts facts;
  if (!cudaDriver().ask(device, facts))
    takeError();
  return facts.name;
}
