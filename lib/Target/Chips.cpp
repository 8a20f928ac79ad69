//===- Chips.cpp - Finding a chip by name ---------------------------------===//

#include "rooftile/Target/Chips.h"
#include "mlir/AsmParser/AsmParser.h"
#include "llvm/ADT/StringExtras.h"

using namespace mlir;
using namespace rooftile;

namespace {
/// One known chip.
struct Chip {
  llvm::StringLiteral name;
  llvm::StringLiteral deviceName;  ///< Part of the name that the driver reports.
  std::array<StringRef, 2> others; ///< Other names, among them the architecture's.
  llvm::StringLiteral text;        ///< Its #blas.target.
};
} // namespace

static constexpr Chip kChips[] = {
    {
        "h200",
        "H200",
        {"sm_90a", "sm_90"},
#include "Chips/H200.inc"
    },
    {
        "h100",
        "H100 80GB HBM3",
        {"h100-sxm", "h100-sxm5"},
#include "Chips/H100.inc"
    },
    {
        "a100",
        "A100",
        {"sm_80", "a100-sxm"},
#include "Chips/A100.inc"
    },
    {
        "v100",
        "V100",
        {"sm_70", "v100-sxm2"},
#include "Chips/V100.inc"
    },
    {
        "mi60",
        "MI60",
        {"gfx906", "gfx906"},
#include "Chips/MI60.inc"
    },
    {
        "mi250x",
        "MI250X",
        {"gfx90a", "gfx90a"},
#include "Chips/MI250X.inc"
    },
    {
        "mi300x",
        "MI300X",
        {"gfx942", "gfx942"},
#include "Chips/MI300X.inc"
    },
    {
        "rx7900xtx",
        "7900 XTX",
        {"gfx1100", "7900xtx"},
#include "Chips/RX7900XTX.inc"
    },
};

ArrayRef<StringRef> target::chipNames() {
  static const SmallVector<StringRef> names(
      llvm::map_range(kChips, [](const Chip &chip) -> StringRef { return chip.name; }));
  return names;
}

StringRef target::chipOfDevice(StringRef deviceName) {
  for (const Chip &chip : kChips)
    if (deviceName.contains(chip.deviceName))
      return chip.name;
  return {};
}

/// The known name nearest to a misspelt one; empty when none is near.
static StringRef nearestName(StringRef name) {
  StringRef nearest;
  unsigned nearestDistance = std::max<unsigned>(2, name.size() / 2) + 1;
  auto consider = [&](StringRef known) {
    unsigned distance = name.edit_distance(known, /*AllowReplacements=*/true, nearestDistance);
    if (distance < nearestDistance) {
      nearest = known;
      nearestDistance = distance;
    }
  };
  for (const Chip &chip : kChips) {
    consider(chip.name);
    llvm::for_each(chip.others, consider);
  }
  return nearest;
}

blas::TargetAttr target::lookupChip(MLIRContext *context, StringRef name,
                                    function_ref<InFlightDiagnostic()> emitError) {
  std::string wanted = name.trim().lower();
  for (const Chip &chip : kChips) {
    if (chip.name != wanted && !llvm::is_contained(chip.others, wanted))
      continue;
    context->getOrLoadDialect<blas::BlasDialect>();
    auto attribute = dyn_cast_or_null<blas::TargetAttr>(parseAttribute(chip.text, context, Type()));
    if (!attribute)
      emitError() << "the description of chip '" << chip.name << "' does not parse";
    return attribute;
  }
  InFlightDiagnostic error = emitError();
  error << "unknown chip '" << name << "'; known chips: " << llvm::join(chipNames(), ", ");
  if (StringRef nearest = nearestName(wanted); !nearest.empty())
    error << "; did you mean '" << nearest << "'?";
  return {};
}
