//===- Plan.cpp - The plan of a case --------------------------------------===//

#include "Plan.h"
#include "rooftile/Dialect/Blas/Limits.h"
#include "rooftile/Dialect/Tile/Bulk.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include "rooftile/Verify/Cases/Layout.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

using namespace rooftile;
using namespace rooftile::verify;

/// A power of two that divides `value`, at most `limit`.
static int64_t powerOf2Factor(int64_t value, int64_t limit) {
  int64_t factor = 1;
  while (2 * factor <= limit && value % (2 * factor) == 0)
    factor *= 2;
  return factor;
}

/// Whether `key` names operand 0 (A) or 1 (B), or both.
static bool names(const Case &single, const std::string &key, int operand) {
  return single[key] == "both" || single[key] == std::string(1, "ab"[operand]);
}

/// Whether an operand is copied first.
static bool isPacked(const Case &single, int operand) { return names(single, "pack", operand); }

/// `wish` elements of an operand, within accesses of 16 bytes.
static int64_t within(const Case &single, int operand, int64_t wish) {
  return std::min<int64_t>(wish, blas::kMaxAccessBytes / bytesOf(single.element(operand)));
}

/// `wish` elements of an operand, within accesses of 16 bytes in memory, where the addresses of
/// matrices may be aligned to less.
static int64_t accessWithin(const Case &single, int operand, int64_t wish) {
  wish = within(single, operand, wish);
  int64_t bytes = bytesOf(single.element(operand));
  bool narrow = isByPointers(single, operand) && single.align(operand) < wish * bytes;
  return narrow ? std::max<int64_t>(1, single.align(operand) / bytes) : wish;
}

/// The runs of fragments that the case asks for.
static int64_t fragmentVector(const Case &single) {
  int64_t wish = single.number("vector");
  return std::max(within(single, 0, wish), within(single, 1, wish));
}

/// The widest global access, up to the one that the case asks for, that an operand's layout and the
/// plan's tile allow; `aligned`: what is dynamic allows any.
static int64_t loadWidth(const Case &single, int operand, bool aligned) {
  int64_t wish = accessWithin(single, operand, single.number("load"));
  std::vector<int64_t> macro = single.sizes("macro"), micro = single.sizes("micro");
  View view = storedView(single, operand);
  size_t rank = view.sizes.size(), row = rank - 2, column = rank - 1;
  size_t contiguous = contiguousDim(single, operand, view);
  bool packed = isPacked(single, operand);
  if (!packed && ((single.flag("dynamic") && !aligned) || contiguous == rank))
    return 1;
  bool anywhere = isByPointers(single, operand);
  for (size_t dim = anywhere ? 1 : 0; dim < rank && !aligned && !packed; ++dim)
    wish = powerOf2Factor(dim == contiguous ? view.sizes[dim] : view.strides[dim], wish);
  bool copiedAlongK = packed && names(single, "major", operand);
  if (copiedAlongK) // in rows of K elements
    wish = single.flag("dynamic") ? 1 : powerOf2Factor(single.number("k"), wish);
  bool alongK = packed
                    ? copiedAlongK
                    : (contiguous == (operand == 0 ? column : row)) != single.isTransposed(operand);
  int64_t extent = operand == 0 ? macro[0] : macro[1];
  wish = powerOf2Factor(alongK ? macro[2] : extent, wish);
  wish = aligned || packed || anywhere ? wish : powerOf2Factor(view.offset, wish);
  int64_t threads = macro[0] / micro[0] * (macro[1] / micro[1]) * single.number("slicedK");
  while (wish > 1 && threads > 0 && extent * macro[2] / wish % threads != 0)
    wish /= 2;
  return wish;
}

/// Whether tiles of an operand, loaded in accesses of `width`, can be copied in rows, or as boxes.
static bool isBulk(const Case &single, int operand, int64_t width, bool aligned, bool boxes) {
  int64_t bytes = bytesOf(single.element(operand)), macro = single.sizes("macro")[operand];
  int64_t size = single.number(operand == 0 ? "m" : "n");
  View view = storedView(single, operand);
  size_t row = view.sizes.size() - 2, contiguous = contiguousDim(single, operand, view);
  bool alongK = (contiguous == row + 1 - operand) != single.isTransposed(operand);
  bool runs = isPacked(single, operand) || (contiguous < view.sizes.size() && !alongK);
  if (names(single, "major", operand)) { // in boxes, with the swizzle of the hardware
    bool swizzled = single.number("swizzle") * bytes == tile::kSharedUnitBytes &&
                    single.sizes("macro")[2] * bytes == tile::kSharedRowBytes;
    bool along = isPacked(single, operand) || (contiguous < view.sizes.size() && alongK);
    return boxes && swizzled && along && width * bytes == tile::kBulkBytes &&
           (aligned || !single.flag("dynamic"));
  }
  const tile::Instruction *own = tile::findInstruction(single["mma"]);
  if (single.number("swizzle") != 0 && !(boxes && own && own->readsShared()))
    return false; // in panels of boxes for such an instruction
  auto inWholeCopies = [&](int64_t elements) { return elements * bytes % tile::kBulkBytes == 0; };
  bool whole = width * bytes == tile::kBulkBytes && inWholeCopies(macro) &&
               inWholeCopies(single.number("pad"));
  bool moved = single["tail"] == "split" || (single["tail"] == "overlap" && size % width == 0);
  bool inside = size % macro == 0 || (moved && size >= macro);
  bool crosses = single["tail"] != "overlap" || size < macro || isPacked(single, operand);
  bool deep = single.number("k") % single.sizes("macro")[2] == 0;
  bool fits = boxes ? inside || crosses : inside && deep;
  return runs && whole && (aligned || (!single.flag("dynamic") && fits));
}

/// Whether tiles of an operand that can be copied in whole rows can be copied at once: of one
/// matrix whose rows follow each other upward.
static bool isTensor(const Case &single, int operand) {
  std::vector<int64_t> macro = single.sizes("macro");
  bool packed = isPacked(single, operand), batched = storedView(single, operand).sizes.size() > 2;
  bool forward = packed || (single.flag("dynamic") ? single.layout(operand) == "row"
                                                   : single.layout(operand) != "flip");
  return !batched && forward && single.number("pad") == 0 && macro[2] <= tile::kMostBox &&
         macro[operand] * componentsOf(single.element(operand)) <= tile::kMostBox;
}

/// Copy of an operand that is loaded in accesses of `width`.
static std::string copyOf(const Case &single, int operand, int64_t width, bool aligned) {
  const std::string &copy = single["copy"];
  bool boxes = copy == "tensor" && isTensor(single, operand);
  bool inBulk = copy == "bulk" || copy == "tensor";
  if (inBulk && isBulk(single, operand, width, aligned, boxes))
    return boxes ? "tensor" : "bulk";
  bool halves = componentsOf(single.element(operand)) == 1 && bytesOf(single.element(operand)) < 4;
  if (inBulk)
    return halves ? "register" : "async";
  return copy == "async" || copy == std::string(1, "ab"[operand]) ? "async" : "register";
}

/// Elements of the vectors of an operand, or C, that follow each other without gaps; 0: none. Their
/// dimension in the matrix as stored.
static std::pair<int64_t, size_t> flatVectors(const Case &single, int operand) {
  View view = storedView(single, operand);
  size_t row = view.sizes.size() - 2, along = contiguousDim(single, operand, view);
  if (single.flag("dynamic") || isByPointers(single, operand) || along < row ||
      along >= view.sizes.size())
    return {0, 0};
  // Neighbours lie along the longer dimension; kernels write C along its rows.
  if (view.strides[row] == 1 && view.strides[row + 1] == 1)
    along = operand < 2 && view.sizes[row + 1] == 1 ? row : row + 1;
  size_t across = 2 * row + 1 - along;
  int64_t length = view.sizes[along];
  return {view.strides[across] == length || view.sizes[across] == 1 ? length : 0, along - row};
}

/// The path of an operand whose vectors follow each other without gaps, in a tile that holds them
/// whole: copied as one. Empty for others.
static std::string flatPath(const Case &single, int operand) {
  std::vector<int64_t> macro = single.sizes("macro");
  auto [length, along] = flatVectors(single, operand);
  bool alongK = (along == size_t(1 - operand)) != single.isTransposed(operand);
  if (isPacked(single, operand) || length == 0 || length > macro[alongK ? 2 : operand])
    return "";
  View view = storedView(single, operand);
  int64_t vectors = macro[alongK ? operand : 2];
  int64_t width = accessWithin(single, operand, single.number("load"));
  size_t row = view.sizes.size() - 2;
  for (int64_t number : {view.offset, length * vectors})
    width = powerOf2Factor(number, width);
  for (size_t dim = 0; dim < row; ++dim)
    width = powerOf2Factor(view.strides[dim], width);
  bool async = copyOf(single, operand, width, /*aligned=*/false) != "register";
  async &= width * bytesOf(single.element(operand)) >= 4;
  if (!async) // only asynchronous copies have the remainder
    width = powerOf2Factor(view.sizes[row] * view.sizes[row + 1], width);
  bool planar = names(single, "planar", operand) && componentsOf(single.element(operand)) == 2;
  return "<via = shared, vector = " + std::to_string(width) + (async ? ", copy = async" : "") +
         (planar ? ", layout = planar" : "") + (alongK ? ", major = k" : "") +
         ", flat = " + std::to_string(length) + ">";
}

/// Path of the tile of C to memory.
static std::string outputText(const Case &single) {
  if (single["out"] != "flat")
    return single["out"];
  auto [length, along] = flatVectors(single, 2);
  bool whole = single["reduction"] == "none" && single["slicedK"] == "1" && length > 0 &&
               along == 1 && length <= single.sizes("macro")[1];
  static const std::vector<std::string> ofElements{"none", "relu", "clamp", "scale", "erf", "exp"};
  whole &= llvm::is_contained(ofElements, single["epilogue"]);
  return whole ? "shared, flat = " + std::to_string(length) : "shared";
}

/// The path of an operand whose fragments come from global memory: along K in runs of a slice,
/// where by `major`, and along M or N in those of the plan.
static std::string directPath(const Case &single, int operand, const std::string &via) {
  View view = storedView(single, operand);
  size_t row = view.sizes.size() - 2, along = contiguousDim(single, operand, view);
  bool packed = isPacked(single, operand), major = names(single, "major", operand) && !packed;
  bool alongK = (along == row + 1 - operand) != single.isTransposed(operand);
  int64_t run = major ? single.number("depth") : fragmentVector(single);
  int64_t width = accessWithin(single, operand, std::min(single.number("load"), run));
  bool dynamic =
      !packed && (single.flag("dynamic") || along >= view.sizes.size() || alongK != major);
  bool anywhere = isByPointers(single, operand);
  for (size_t dim = anywhere ? 1 : 0; dim < view.sizes.size() && !dynamic && !packed; ++dim)
    width = powerOf2Factor(dim == along ? view.sizes[dim] : view.strides[dim], width);
  width = dynamic ? 1 : anywhere || packed ? width : powerOf2Factor(view.offset, width);
  return "<via = " + via + ", vector = " + std::to_string(width) + (packed ? ", pack = 1" : "") +
         (major ? ", major = k>" : ">");
}

/// <via = shared, copy = async, vector = 4, pad = 0>, for such accesses.
static std::string pathText(const Case &single, int operand, bool aligned) {
  if (single.number("matrices") > 1)
    return directPath(single, operand, "register");
  if (names(single, "scalar", operand))
    return directPath(single, operand, "scalar");
  if (names(single, "flat", operand))
    if (std::string flat = flatPath(single, operand); !flat.empty())
      return flat;
  int64_t width = loadWidth(single, operand, aligned);
  bool runs = names(single, "major", operand) || single["scalar"] != "none";
  if (names(single, "via", operand) && runs)
    return directPath(single, operand, "register");
  if (names(single, "via", operand))
    return "<via = register, vector = " + std::to_string(width) +
           (isPacked(single, operand) ? ", pack = 1>" : ">");
  std::string copy = copyOf(single, operand, width, aligned);
  bool planar = names(single, "planar", operand) && (copy == "register" || copy == "async") &&
                componentsOf(single.element(operand)) == 2;
  return "<via = shared, copy = " + copy + ", vector = " + std::to_string(width) +
         ", pad = " + single["pad"] + ", swizzle = " + single["swizzle"] +
         ", lanes = " + single["across"] + (isPacked(single, operand) ? ", pack = 1" : "") +
         (names(single, "major", operand) ? ", major = k" : "") +
         (planar ? ", layout = planar>" : ">");
}

//===----------------------------------------------------------------------===//
// The plan
//===----------------------------------------------------------------------===//

static std::string number(int64_t value) { return std::to_string(value); }

static bool isSet(const Case &single) { return single["plans"] == "set"; }

/// The case as a plan sees it: with complex = induced it has twice as many real elements along M
/// and N, with products = 6 copies of bf16.
static Case seenByPlan(Case single) {
  std::string &type = single.values["type"];
  bool isInduced = single["complex"] == "induced";
  if (isInduced)
    type = type == "c64" ? "f32" : type == "c128" ? "f64" : type; // of others it is refused
  if (single["products"] == "6" && type == "f32")
    type = "bf16/bf16/f32";
  if (!isInduced)
    return single;
  for (std::string key : {"m", "n"})
    single.values[key] = number(2 * single.number(key));
  return single;
}

/// Threads of a subgroup along M and N, where tiles have so many of each.
static std::vector<int64_t> spreadLanes(const Case &single, int64_t subgroup) {
  std::vector<int64_t> macro = single.sizes("macro"), micro = single.sizes("micro");
  int64_t threadsM = macro[0] / micro[0], threadsN = macro[1] / micro[1];
  int64_t alongN = powerOf2Factor(threadsN, subgroup / powerOf2Factor(threadsM, 4));
  return {powerOf2Factor(threadsM, subgroup / alongN), alongN};
}

Case rooftile::verify::withLanesOf(int64_t subgroup, Case single) {
  if (single.plan.empty() && single["macro"] != "auto" && single["lanes"] == "auto" &&
      !tile::findInstruction(single["mma"])) {
    std::vector<int64_t> lanes = spreadLanes(single, subgroup);
    single.values["lanes"] = number(lanes[0]) + "x" + number(lanes[1]);
  }
  return single;
}

static std::string planText(const Case &stated, bool aligned) {
  Case single = seenByPlan(stated);
  auto list = [](const std::vector<int64_t> &sizes) {
    return "[" + llvm::join(llvm::map_range(sizes, number), ", ") + "]";
  };
  std::vector<int64_t> macro = single.sizes("macro"), micro = single.sizes("micro"), lanes;
  if (single["lanes"] != "auto") {
    lanes = single.sizes("lanes");
  } else if (const auto *instruction = rooftile::tile::findInstruction(single["mma"])) {
    std::array<int64_t, 2> own = instruction->lanesOfC();
    lanes = {own[0], own[1]};
  } else {
    lanes = spreadLanes(single, 32);
  }
  std::string text = "<macro = " + list(macro) + ", micro = " + list(micro) +
                     ", lanes = " + list(lanes) + ", vector = " + number(fragmentVector(single)) +
                     ", a = " + pathText(single, 0, aligned) +
                     ", b = " + pathText(single, 1, aligned) + ", c = " + outputText(single);
  for (const Key &key : plainPlanKeys())
    text += std::string(", ") + key.name + " = " + single[key.name];
  return text + ">";
}

std::string rooftile::verify::planClause(const Case &single) {
  if (!single.plan.empty())
    return " plan(" + single.plan + ")";
  if (single["macro"] == "auto")
    return "";
  std::string any = planText(single, false);
  if (!isSet(single))
    return " plan(" + any + ")";
  std::vector<int64_t> macro = single.sizes("macro");
  auto multipleOf = [](int64_t size) { return "<multiple = " + number(size) + ">"; };
  std::string when = "<m = " + multipleOf(macro[0]) + ", n = " + multipleOf(macro[1]) +
                     ", k = " + multipleOf(macro[2]);
  for (int operand : {0, 1})
    if (!isPacked(single, operand))
      when += std::string(", ") + "ab"[operand] + " = " + number(loadWidth(single, operand, true));
  if (contiguousDim(single, 2, storedView(single, 2)) < storedView(single, 2).sizes.size())
    when += ", c = " + number(accessWithin(single, 2, fragmentVector(single)));
  return " plans([#blas.case<when = " + when + ">, plan = " + planText(single, true) +
         ">, #blas.case<plan = " + any + ">])";
}
