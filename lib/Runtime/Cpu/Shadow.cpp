//===- Shadow.cpp - Who touched which shared memory last ------------------===//

#include "Shadow.h"
#include <algorithm>

using namespace rooftile::cpu;

Shadow::Shadow(int64_t bytes, int64_t granule, const Clock &clock) : clock(clock) {
  while ((int64_t(1) << (shift + 1)) <= granule)
    ++shift;
  cells.resize((bytes >> shift) + 1);
}

void Shadow::clear() { std::fill(cells.begin(), cells.end(), Cell()); }

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

Conflict Shadow::read(int64_t byte, int64_t bytes, const Access &access) {
  Conflict conflict;
  for (int64_t at = byte >> shift, end = (byte + bytes - 1) >> shift; at <= end; ++at) {
    Cell &cell = cells[at];
    bool fresh = cell.writer.epoch < clock.start;
    if (conflict.kind == Conflict::None && (fresh || conflicts(cell.writer, access)))
      conflict = {fresh ? Conflict::Unwritten : Conflict::Race, at << shift, cell.writer, true};
    if (cell.readers[0].who == access.who && cell.readers[0].epoch == access.epoch)
      continue;
    remember(cell, access);
  }
  return conflict;
}

Conflict Shadow::arrive(int64_t byte, int64_t bytes, Access access) {
  Conflict conflict = write(byte, bytes, access);
  access.epoch = clock.start;
  for (int64_t at = byte >> shift, end = (byte + bytes - 1) >> shift; at <= end; ++at)
    cells[at].writer = access;
  return conflict;
}

Conflict Shadow::write(int64_t byte, int64_t bytes, const Access &access) {
  Conflict conflict;
  for (int64_t at = byte >> shift, end = (byte + bytes - 1) >> shift; at <= end; ++at) {
    Cell &cell = cells[at];
    for (const Access *earlier : {&cell.writer, &cell.readers[0], &cell.readers[1]})
      if (conflict.kind == Conflict::None && conflicts(*earlier, access))
        conflict = {Conflict::Race, at << shift, *earlier, earlier == &cell.writer};
    cell.writer = access;
  }
  return conflict;
}
