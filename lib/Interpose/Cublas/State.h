//===- State.h - What a call finds on the device ----------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_INTERPOSE_CUBLAS_STATE_H
#define ROOFTILE_LIB_INTERPOSE_CUBLAS_STATE_H

#include "Types.h"
#include "rooftile/Operation/Element.h"
#include "rooftile/Runtime/Device/DeviceFacts.h"

#include <string>

namespace rooftile::cublas {

/// Where the scalars of calls with `handle` are, as cuBLAS reports. False: it reports nothing, as
/// for a handle that is none.
bool getPointerMode(Handle handle, PointerMode &mode);

struct State {
  int device = 0; ///< As the driver counts, at most kMostDevices - 1.
  void *stream = nullptr;
  bool isCaptured = false; ///< Work goes to a graph: nothing can be loaded now.
};

/// Why a product of that type cannot be executed here in the state that the handle and the driver
/// are in; null where it can, and then `state` is set but for its device. The text is static.
const char *whyNotNow(Handle handle, operation::Element element, State &state);

/// The current device, where its primary context is current too; else why not. The text is static.
const char *whyNoDevice(int &device);

/// The name of a GPU, as the driver has it; empty where it has none.
std::string nameOfChip(int device);

} // namespace rooftile::cublas

#endif // ROOFTILE_LIB_INTERPOSE_CUBLAS_STATE_H
