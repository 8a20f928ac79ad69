//===- Plan.cpp - The way of an operand in the plan of a case -------------===//

#include "Plan.h"
#include "rooftile/Dialect/Tile/Bulk.h"
#include "rooftile/Verify/Cases/Layout.h"
#include "llvm/ADT/STLExtras.h"

using namespace rooftile;
using namespace rooftile::verify;

/// Bytes of the widest access.
static constexpr int64_t kMaxAccessBytes = 16;

int64_t rooftile::verify::powerOf2Factor(int64_t value, int64_t limit) {
  int64_t factor = 1;
  while (2 * factor <= limit && value % (2 * factor) == 0)
    factor *= 2;
  return factor;
}

/// Whether `key` names operand 0 (A) or 1 (B), or both.
static bool names(const Case &single, const std::string &key, int operand) {
  return single[key] == "both" || single[key] == std::string(1, "ab"[operand]);
}

bool rooftile::verify::isPacked(const Case &single, int operand) {
  return names(single, "pack", operand);
}

/// `wish` elements of an operand, within accesses of 16 bytes.
static int64_t within(const Case &single, int operand, int64_t wish) {
  return std::min<int64_t>(wish, kMaxAccessBytes / bytesOf(single.element(operand)));
}

int64_t rooftile::verify::accessWithin(const Case &single, int operand, int64_t wish) {
  wish = within(single, operand, wish);
  int64_t bytes = bytesOf(single.element(operand));
  bool narrow = isByPointers(single, operand) && single.number("align") < wish * bytes;
  return narrow ? std::max<int64_t>(1, single.number("align") / bytes) : wish;
}

int64_t rooftile::verify::fragmentVector(const Case &single) {
  int64_t wish = single.number("vector");
  return std::max(within(single, 0, wish), within(single, 1, wish));
}

int64_t rooftile::verify::loadWidth(const Case &single, int operand, bool aligned) {
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
  bool alongK =
      !packed && (contiguous == (operand == 0 ? column : row)) != single.isTransposed(operand);
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

/// How an operand is copied that is loaded in accesses of `width`.
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

/// Elements of the lines of an operand, or C, that follow each other without gaps; 0: none. Their
/// dimension in the matrix as stored.
static std::pair<int64_t, size_t> flatLines(const Case &single, int operand) {
  View view = storedView(single, operand);
  size_t row = view.sizes.size() - 2, along = contiguousDim(single, operand, view);
  if (single.flag("dynamic") || isByPointers(single, operand) || along < row ||
      along >= view.sizes.size())
    return {0, 0};
  if (view.strides[row] == 1 && view.strides[row + 1] == 1)
    along = row + 1; // the last dimension first, as blas has it
  int64_t length = view.sizes[along];
  return {view.strides[2 * row + 1 - along] == length ? length : 0, along - row};
}

/// The path of an operand whose lines follow each other without gaps, in a tile that holds them
/// whole: copied as one. Empty for others.
static std::string flatPath(const Case &single, int operand) {
  std::vector<int64_t> macro = single.sizes("macro");
  auto [length, along] = flatLines(single, operand);
  bool alongK = (along == size_t(1 - operand)) != single.isTransposed(operand);
  if (isPacked(single, operand) || length == 0 || length > macro[alongK ? 2 : operand])
    return "";
  View view = storedView(single, operand);
  int64_t lines = macro[alongK ? operand : 2];
  int64_t width = accessWithin(single, operand, single.number("load"));
  size_t row = view.sizes.size() - 2;
  for (int64_t number : {view.offset, length * lines})
    width = powerOf2Factor(number, width);
  for (size_t dim = 0; dim < row; ++dim)
    width = powerOf2Factor(view.strides[dim], width);
  bool async = copyOf(single, operand, width, /*aligned=*/false) != "register";
  async &= width * bytesOf(single.element(operand)) >= 4;
  if (!async) // only asynchronous copies know how much is left
    width = powerOf2Factor(view.sizes[row] * view.sizes[row + 1], width);
  bool planar = names(single, "planar", operand) && componentsOf(single.element(operand)) == 2;
  return "<via = shared, vector = " + std::to_string(width) + (async ? ", copy = async" : "") +
         (planar ? ", layout = planar" : "") + (alongK ? ", major = k" : "") +
         ", flat = " + std::to_string(length) + ">";
}

std::string rooftile::verify::outputText(const Case &single) {
  if (single["out"] != "flat")
    return single["out"];
  auto [length, along] = flatLines(single, 2);
  bool whole = single["reduction"] == "none" && single["slicedK"] == "1" && length > 0 &&
               along == 1 && length <= single.sizes("macro")[1];
  static const std::vector<std::string> ofElements{"none", "relu", "clamp", "scale", "erf", "exp"};
  whole &= llvm::is_contained(ofElements, single["epilogue"]);
  return whole ? "shared, flat = " + std::to_string(length) : "shared";
}

std::string rooftile::verify::pathText(const Case &single, int operand, bool aligned) {
  if (names(single, "flat", operand))
    if (std::string flat = flatPath(single, operand); !flat.empty())
      return flat;
  int64_t width = loadWidth(single, operand, aligned);
  std::string copy = copyOf(single, operand, width, aligned);
  bool planar = names(single, "planar", operand) && (copy == "register" || copy == "async") &&
                componentsOf(single.element(operand)) == 2;
  return "<via = shared, copy = " + copy + ", vector = " + std::to_string(width) +
         ", pad = " + single["pad"] + (isPacked(single, operand) ? ", pack = 1" : "") +
         (names(single, "major", operand) ? ", major = k" : "") +
         (planar ? ", layout = planar>" : ">");
}
