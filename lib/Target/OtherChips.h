//===- OtherChips.h - Chips without a description ---------------*- C++ -*-===//
#ifndef ROOFTILE_LIB_TARGET_OTHERCHIPS_H
#define ROOFTILE_LIB_TARGET_OTHERCHIPS_H

#include "llvm/ADT/StringRef.h"

#include <string>

namespace rooftile::target {

/// The vendor and the architecture of a chip that exists, but of which there is no description:
/// "NVIDIA, sm_100". `name`, in lower case, is that of the chip or of the architecture. Empty where
/// no such chip is known.
std::string vendorOfOther(llvm::StringRef name);

} // namespace rooftile::target

#endif // ROOFTILE_LIB_TARGET_OTHERCHIPS_H
