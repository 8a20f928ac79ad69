//===- BufferAccess.h - Accesses to shared buffers --------------*- C++ -*-===//
//
// Private to tile-sync: what touches which stage of which ring, and what of it other
// threads, or this thread itself, may not have seen yet.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_TRANSFORMS_PIPELINE_BUFFERACCESS_H
#define ROOFTILE_LIB_TRANSFORMS_PIPELINE_BUFFERACCESS_H

#include "mlir/Dialect/SCF/IR/SCF.h"
#include "rooftile/Dialect/Tile/Tile.h"

namespace rooftile {

/// Stage counter base + constant; a null base with `known` is a constant.
struct Counter {
  mlir::Value base;
  int64_t constant = 0;
  bool known = false;

  bool operator==(const Counter &other) const {
    return base == other.base && constant == other.constant && known == other.known;
  }
};

/// A read or a write of a stage. A copy writes.
struct Access {
  mlir::Value buffer;
  Counter counter;
  bool writes;

  bool operator==(const Access &other) const {
    return buffer == other.buffer && counter == other.counter && writes == other.writes;
  }
};

using Accesses = llvm::SmallVector<Access>;

/// Accesses of a load from a buffer, a store, a copy or a product of views; none of other
/// operations.
Accesses accessesOf(mlir::Operation *op);

/// True when both may touch the same stage and one of them writes.
bool conflict(const Access &first, const Access &second);

/// False unless both counters are known to name the same stage, or different ones.
bool areComparable(const Access &first, const Access &second);

/// Whether the bulk copy that is `access` stands under the condition of `op`, an scf.if after it:
/// where it was not started, nothing in that is waited for.
bool isStartedUnder(mlir::Operation &op, const Access &access);

/// The access of a wait for the counter of a ring.
Access accessOf(tile::ArrivedOp op);

/// An access before the loop as its first iteration sees it: stage n of a ring is stage
/// i + n - lower bound.
Access inside(mlir::scf::ForOp loop, Access access);
/// An access at the end of the body as the next iteration sees it.
Access inNextIteration(mlir::scf::ForOp loop, Access access);
/// The access after the loop: counters defined inside of it mean nothing there.
Access outside(mlir::scf::ForOp loop, Access access);

/// Groups of accesses that are waited for in order, the newest first.
class Groups {
public:
  void push(Accesses group);
  /// Removes those older than the newest `count`, and returns their accesses.
  Accesses wait(int64_t count);
  /// The number of groups that may stay when `access` happens; nothing when none conflicts.
  std::optional<int64_t> mayStay(const Access &access) const;

  void merge(const Groups &other);
  Groups map(llvm::function_ref<Access(Access)> change) const;
  size_t size() const;

private:
  llvm::SmallVector<Accesses, 4> groups;
};

/// Accesses that not all threads have seen yet.
class InFlight {
public:
  void access(const Access &access);
  void copy(const Access &access);
  void copyBulk(const Access &access);
  void barrier() { pending.clear(); }
  /// The open copies become the newest group.
  void commit();
  /// Groups older than the newest `count` have arrived: each thread sees its own elements.
  void wait(int64_t count);
  /// A product of views that reads these starts.
  void multiply(Accesses reads) { products.push(std::move(reads)); }
  /// Products older than the newest `count` have read what they read.
  void waitForProducts(int64_t count);
  /// Products of views see what each thread wrote, after a barrier.
  void fence() { unfenced.clear(); }

  /// The bulk copies into the stage of `access` have arrived, for each thread.
  void arrive(const Access &access);
  /// So have all of those into `rings`.
  void arriveAll(llvm::ArrayRef<mlir::Value> rings);
  /// So have those of `before` that are not among those of `after`, where `which` has their bit.
  void arriveAs(const InFlight &before, const InFlight &after,
                llvm::function_ref<bool(const Access &)> which);
  /// A bulk copy that may be on its way to what `access` touches; null for none.
  const Access *onItsWay(const Access &access) const;

  /// A barrier must come between what has been done and `access`.
  bool needsBarrier(const Access &access) const;
  /// A fence must come between what has been written and `access`, of a product of views.
  bool needsFence(const Access &access) const;
  /// The number of groups, of copies or products, that may stay on their way when `access` happens;
  /// nothing when none stands in its way.
  std::optional<int64_t> mayStay(const Access &access) const { return groups.mayStay(access); }
  std::optional<int64_t> productsMayStay(const Access &access) const {
    return products.mayStay(access);
  }
  /// True when copies belong to no group, true when one of them goes to another stage of the
  /// same ring as `access`.
  bool hasOpen() const { return !open.empty(); }
  bool startsGroup(const Access &access) const;

  /// Either this or `other` has happened.
  void merge(const InFlight &other);
  /// These accesses, each replaced by `change` of it.
  InFlight map(llvm::function_ref<Access(Access)> change) const;
  /// Grows with every merge that changes the state.
  size_t size() const;

private:
  Accesses pending;  // since the last barrier
  Accesses unfenced; // writes that products of views do not see yet
  Accesses open;     // copies that belong to no group yet
  Accesses bulk;     // bulk copies that have not been waited for
  Groups groups, products;
};

} // namespace rooftile

#endif // ROOFTILE_LIB_TRANSFORMS_PIPELINE_BUFFERACCESS_H
