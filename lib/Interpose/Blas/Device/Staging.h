//===- Staging.h - Matrices to the device and back --------------*- C++ -*-===//
//
// The driver copies asynchronously from and to pinned memory only. A matrix goes through slots of
// it piece by piece: while one piece is on its way, the host packs the next.
//
//      host, columns `leadingBytes` apart      slots          device, columns `pitch` apart
//      | column 0 | gap | column 1 | gap |  -> [0] [1]  ->   | column 0 | column 1 |
//
// Nothing between the columns of the host is read or written.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_INTERPOSE_BLAS_STAGING_H
#define ROOFTILE_LIB_INTERPOSE_BLAS_STAGING_H

#include "rooftile/Operation/Operation.h"
#include "rooftile/Runtime/Device/Driver.h"
#include "rooftile/Runtime/Runtime.h"

namespace rooftile::interpose {

struct HostBlock {
  char *address;
  int64_t columns, columnBytes, leadingBytes;
  /// A square of which one triangle alone is written.
  std::optional<operation::Triangle> triangle = std::nullopt;
};

struct DeviceBlock {
  uint64_t address;
  int64_t pitch; ///< Bytes from a column to the next.
};

/// Bytes from column to column on the device: multiples of 16, by which kernels load most, unless
/// columns are so short that the gaps would cost more than that gains.
int64_t pitchOf(int64_t columnBytes);

/// Two slots of pinned memory and a stream. Where a function returns false, the driver's error is
/// recorded (Runtime.h).
class Staging {
public:
  /// Long enough that a copy lasts 50 times as long as its start: 8 MiB at 25 GB/s are 335 us.
  static constexpr int64_t kSlotBytes = int64_t(8) << 20;

  explicit Staging(const Driver &driver) : driver(driver) {}
  ~Staging();
  Staging(const Staging &) = delete;

  bool create();
  void *getStream() const { return stream; }

  /// Packs and copies; the copies are in the order of the stream when it returns.
  bool upload(const HostBlock &from, const DeviceBlock &to);

  /// Begins to copy a block of at most kSlotBytes, with its gaps, in the order of the stream. It is
  /// unpacked when its slot is needed again, or by finish; then `*done` is true. Where it is not,
  /// nothing of the block was written.
  bool download(const DeviceBlock &from, const HostBlock &to, bool *done);
  bool finish();

  /// Waits for what is under way and forgets it.
  void abandon();

private:
  struct Slot {
    char *memory = nullptr;
    void *event = nullptr;
    bool isBusy = false;
    HostBlock target = {}; ///< Target of a download.
    int64_t pitch = 0;
    bool *done = nullptr;
  };

  bool release(Slot &slot);
  Slot *takeSlot();
  bool send(Slot &slot, uint64_t to, int64_t bytes);

  const Driver &driver;
  void *stream = nullptr;
  Slot slots[2];
  int next = 0;
};

} // namespace rooftile::interpose

#endif // ROOFTILE_LIB_INTERPOSE_BLAS_STAGING_H
