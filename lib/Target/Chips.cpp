//===- Chips.cpp - Finding a chip by name ---------------------------------===//

#include "rooftile/Target/Chips.h"
#include "OtherChips.h"
#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace mlir;
using namespace rooftile;
using llvm::formatv;

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

static const Chip *findChip(StringRef name) {
  return llvm::find_if(kChips, [&](const Chip &chip) {
    return chip.name == name || llvm::is_contained(chip.others, name);
  });
}

/// A file that holds the #blas.target of a chip: its name is a path that ends so.
static bool isFile(StringRef name) { return name.ends_with(".target"); }

/// The target in the text of a file. Errors are reported with their locations in it.
static blas::TargetAttr parseFile(MLIRContext *context, StringRef path,
                                  function_ref<InFlightDiagnostic()> emitError) {
  auto file = llvm::MemoryBuffer::getFile(path, /*IsText=*/true);
  if (!file)
    return emitError() << "cannot read chip file '" << path << "': " << file.getError().message(),
           blas::TargetAttr();
  std::string why;
  blas::TargetAttr target;
  {
    ScopedDiagnosticHandler handler(context, [&](Diagnostic &diagnostic) {
      auto place = dyn_cast<FileLineColLoc>(diagnostic.getLocation());
      if (why.empty())
        why = (place ? formatv("{0}:{1}: ", place.getLine(), place.getColumn()).str() : " ") +
              diagnostic.str();
      return success();
    });
    target = dyn_cast_or_null<blas::TargetAttr>(parseAttribute((*file)->getBuffer(), context));
  }
  if (!target)
    emitError() << path << ":" << (why.empty() ? " holds no #blas.target" : why);
  return target;
}

std::string target::whyUnknown(StringRef name) {
  if (isFile(name))
    return llvm::sys::fs::exists(name) ? "" : ("no chip file '" + name + "'").str();
  std::string wanted = name.trim().lower();
  if (findChip(wanted) != std::end(kChips))
    return "";
  std::string known = "known chips: " + llvm::join(chipNames(), ", ");
  if (std::string vendor = vendorOfOther(wanted); !vendor.empty())
    return formatv("'{0}' is a real chip ({1}) that has no description yet: see docs/Targets.md; "
                   "{2}",
                   name, vendor, known);
  StringRef nearest = nearestName(wanted);
  return formatv("unknown chip '{0}'{1}; {2}", name,
                 nearest.empty() ? "" : ", did you mean '" + nearest.str() + "'?", known);
}

blas::TargetAttr target::lookupChip(MLIRContext *context, StringRef name,
                                    function_ref<InFlightDiagnostic()> emitError) {
  if (std::string why = whyUnknown(name); !why.empty())
    return emitError() << why, blas::TargetAttr();
  context->getOrLoadDialect<blas::BlasDialect>();
  if (isFile(name))
    return parseFile(context, name, emitError);
  const Chip *chip = findChip(name.trim().lower());
  auto attribute = dyn_cast_or_null<blas::TargetAttr>(parseAttribute(chip->text, context, Type()));
  if (!attribute)
    emitError() << "the description of chip '" << chip->name << "' does not parse";
  return attribute;
}
