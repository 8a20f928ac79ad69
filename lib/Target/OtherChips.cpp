//===- OtherChips.cpp - Chips without a description -----------------------===//
//
// Names of chips that exist, to distinguish them from misspelt ones. Architectures are those of
// NVIDIA's list of CUDA GPUs and of LLVM's list of AMDGPU processors. A chip that gets a
// description leaves this list; so does its architecture.
//
//===----------------------------------------------------------------------===//

#include "OtherChips.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"

using llvm::StringRef;

namespace {
/// Chips of one architecture.
struct Architecture {
  llvm::StringLiteral name;
  llvm::ArrayRef<llvm::StringLiteral> chips;
};
} // namespace

#define CHIPS(NAME, ...) static constexpr llvm::StringLiteral k##NAME[] = {__VA_ARGS__}
CHIPS(Sm60, "p100");
CHIPS(Sm61, "p40", "p4", "gtx1080", "gtx1080ti");
CHIPS(Sm75, "t4", "rtx2080", "rtx2080ti", "titanrtx");
CHIPS(Sm80, "a30", "a800");
CHIPS(Sm86, "a10", "a40", "a2", "a6000", "rtx3080", "rtx3090", "rtx3090ti");
CHIPS(Sm87, "orin");
CHIPS(Sm89, "l4", "l40", "l40s", "rtx6000ada", "rtx4070", "rtx4080", "rtx4090");
CHIPS(Sm90, "h20", "h800", "gh200", "h100-pcie", "h100-nvl", "h200-nvl");
CHIPS(Sm100, "b100", "b200", "gb200", "sm_100a");
CHIPS(Sm103, "b300", "gb300", "sm_103a");
CHIPS(Sm110, "thor", "sm_110a");
CHIPS(Sm120, "rtx5070", "rtx5080", "rtx5090", "rtxpro6000", "sm_120a");
CHIPS(Sm121, "gb10", "sm_121a");
CHIPS(Gfx900, "mi25", "vega64");
CHIPS(Gfx906, "mi50", "radeonvii");
CHIPS(Gfx908, "mi100");
CHIPS(Gfx90a, "mi210", "mi250");
CHIPS(Gfx942, "mi300a", "mi325x");
CHIPS(Gfx950, "mi350x", "mi355x");
CHIPS(Gfx1030, "rx6800", "rx6800xt", "rx6900xt", "rx6950xt", "w6800");
CHIPS(Gfx1100, "rx7900xt", "w7900");
CHIPS(Gfx1101, "rx7700xt", "rx7800xt", "w7700");
CHIPS(Gfx1151, "strixhalo");
CHIPS(Gfx1200, "rx9060xt");
CHIPS(Gfx1201, "rx9070", "rx9070xt", "r9700");
#undef CHIPS

static constexpr Architecture kArchitectures[] = {
    {"sm_60", kSm60},      {"sm_61", kSm61},      {"sm_75", kSm75},      {"sm_80", kSm80},
    {"sm_86", kSm86},      {"sm_87", kSm87},      {"sm_89", kSm89},      {"sm_90", kSm90},
    {"sm_100", kSm100},    {"sm_103", kSm103},    {"sm_110", kSm110},    {"sm_120", kSm120},
    {"sm_121", kSm121},    {"gfx900", kGfx900},   {"gfx906", kGfx906},   {"gfx908", kGfx908},
    {"gfx90a", kGfx90a},   {"gfx942", kGfx942},   {"gfx950", kGfx950},   {"gfx1030", kGfx1030},
    {"gfx1100", kGfx1100}, {"gfx1101", kGfx1101}, {"gfx1151", kGfx1151}, {"gfx1200", kGfx1200},
    {"gfx1201", kGfx1201}};

std::string rooftile::target::vendorOfOther(StringRef name) {
  // "rtx 4090" and "rtx-4090" are the same chip.
  std::string wanted;
  for (char character : name)
    if (!StringRef(" -").contains(character))
      wanted += character;
  auto isWanted = [&](StringRef known) { return known == name || known == wanted; };
  for (const Architecture &architecture : kArchitectures) {
    if (!isWanted(architecture.name) && llvm::none_of(architecture.chips, isWanted))
      continue;
    StringRef vendor = architecture.name.starts_with("gfx") ? "AMD" : "NVIDIA";
    return (vendor + ", " + architecture.name).str();
  }
  return "";
}
