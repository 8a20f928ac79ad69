//===- LaneOps.td - Operations of one thread --------------------*- tablegen -*-===//
#ifndef ROOFTILE_DIALECT_LANE_LANEOPS_TD
#define ROOFTILE_DIALECT_LANE_LANEOPS_TD

include "mlir/IR/BuiltinTypes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/SideEffectInterfaces.td"

def Lane_Dialect : Dialect {
  let name = "lane";
  let cppNamespace = "::rooftile::lane";
  let summary = "what one GPU thread does beyond upstream's gpu, vector and memref";
  let description = [{
    The thread level of Rooftile is upstream's `gpu`, `vector`, `memref`, `scf` and `arith`. What
    GPUs have in common and upstream names per vendor only is here, and is lowered to the
    vendor's instructions, or to calls of the CPU runtime, in Conversion.
  }];
}

class Lane_Op<string mnemonic, list<Trait> traits = []> : Op<Lane_Dialect, mnemonic, traits>;

def Lane_CopyOp : Lane_Op<"copy"> {
  let summary = "starts to copy a few elements from global to shared memory";
  let description = [{
    `elements` neighbours (4, 8 or 16 bytes, aligned to it on both sides) travel without a
    register of the thread. They have arrived when a `lane.wait` says so; until then the
    target must be neither read nor written. Where `inside` is false zeros arrive, and the
    source is not read.

    ```mlir
    lane.copy %global[%i], %shared[%j] elements 4 inside(%valid)
      : memref<?xf32>, memref<?xf32, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$source, Index:$sourceIndex,
                       Arg<AnyMemRef, "", [MemWrite]>:$target, Index:$targetIndex,
                       I64Attr:$elements, Optional<I1>:$inside);
  let assemblyFormat = [{
    $source `[` $sourceIndex `]` `,` $target `[` $targetIndex `]` `elements` $elements
    (`inside` `(` $inside^ `)`)? attr-dict `:` type($source) `,` type($target)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Bytes that travel.
    int64_t getBytes();
  }];
}

def Lane_CommitOp : Lane_Op<"commit", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "closes a group: the copies that this thread started since the last commit";
  let assemblyFormat = "attr-dict";
}

def Lane_WaitOp : Lane_Op<"wait", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "waits until at most the last `pending` groups of this thread are on their way";
  let description = [{
    What arrived is visible to this thread; a barrier shows it to the others.

    ```mlir
    lane.wait 2
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntNonNegative]>:$pending);
  let assemblyFormat = "$pending attr-dict";
}

#endif
