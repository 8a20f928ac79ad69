//===- Shadow.cpp - Who touched which shared memory last ------------------===//

#include "Shadow.h"
#include <algorithm>

using namespace rooftile::cpu;

Shadow::Shadow(int64_t bytes, int64_t granule, const Clock &clock) : clock(clock) {
  while ((int64_t(1) << (shift + 1)) <= granule)
    ++shift;
  granulesShift = std::max(0, kLineShift - shift);
  split.resize((bytes >> (shift + granulesShift)) + 1);
  cells.resize(split.size() << granulesShift);
}

void Shadow::clear() {
  std::fill(cells.begin(), cells.end(), Cell());
  std::fill(split.begin(), split.end(), false);
}

/// Keeps two reads such that whatever write conflicts with one of all reads conflicts with one of
/// the two.
void Shadow::remember(Cell &cell, const Access &access) {
  for (Access &reader : cell.readers)
    if (reader.who == access.who && reader.epoch != 0) {
      reader = access;
      return;
    }
  for (Access &reader : cell.readers)
    if (ordered(reader, access)) {
      reader = access;
      return;
    }
  uint32_t rank = cell.readers[0].rank();
  if (cell.readers[1].rank() == rank && access.rank() != rank)
    cell.readers[1] = access;
}

template <typename Visit> void Shadow::forEachCell(int64_t byte, int64_t bytes, Visit visit) {
  int64_t end = ((byte + bytes - 1) >> shift) + 1;
  for (int64_t at = byte >> shift; at < end;) {
    int64_t line = at >> granulesShift, first = line << granulesShift;
    int64_t next = first + (int64_t(1) << granulesShift), stop = std::min(end, next);
    bool isWhole = at == first && stop == next;
    if (isWhole && !split[line]) {
      visit(cells[first], first);
      at = next;
      continue;
    }
    if (!split[line])
      std::fill(cells.begin() + first + 1, cells.begin() + next, cells[first]);
    split[line] = true;
    for (; at < stop; ++at)
      visit(cells[at], at);
    auto isFirst = [&](const Cell &cell) { return cell == cells[first]; };
    if (isWhole)
      split[line] = !std::all_of(cells.begin() + first + 1, cells.begin() + next, isFirst);
  }
}

Conflict Shadow::read(int64_t byte, int64_t bytes, const Access &access) {
  Conflict conflict;
  forEachCell(byte, bytes, [&](Cell &cell, int64_t granule) {
    bool fresh = cell.writer.epoch < clock.start;
    if (conflict.kind == Conflict::None && (fresh || conflicts(cell.writer, access)))
      conflict = {fresh ? Conflict::Unwritten : Conflict::Race, granule << shift, cell.writer,
                  true};
    if (cell.readers[0].who != access.who || cell.readers[0].epoch != access.epoch)
      remember(cell, access);
  });
  return conflict;
}

Conflict Shadow::write(int64_t byte, int64_t bytes, const Access &access, bool arrives) {
  Conflict conflict;
  forEachCell(byte, bytes, [&](Cell &cell, int64_t granule) {
    for (const Access *earlier : {&cell.writer, &cell.readers[0], &cell.readers[1]})
      if (conflict.kind == Conflict::None && conflicts(*earlier, access))
        conflict = {Conflict::Race, granule << shift, *earlier, earlier == &cell.writer};
    if (arrives)
      cell.writer = {clock.start, access.who, access.site};
    else
      cell = {access, {}};
  });
  return conflict;
}
