//===- PackFile.h - The tables of a pack ------------------------*- C++ -*-===//
#ifndef ROOFTILE_TUNING_PACK_PACKFILE_H
#define ROOFTILE_TUNING_PACK_PACKFILE_H

#include "../Database.h"

namespace rooftile::tuning {

inline constexpr FileKind kPack{0x5266746b, 1, "pack of candidates", // "Rftk"
                                "copy it again, or make it again by gemm-tune pack"};

} // namespace rooftile::tuning

#endif // ROOFTILE_TUNING_PACK_PACKFILE_H
