//===- LaneOps.td - Operations of one thread --------------------*- tablegen -*-===//
#ifndef ROOFTILE_DIALECT_LANE_LANEOPS_TD
#define ROOFTILE_DIALECT_LANE_LANEOPS_TD

include "mlir/IR/BuiltinTypes.td"
include "mlir/IR/OpBase.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
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

def Lane_PeerOp : Lane_Op<"peer", [Pure, AllTypesMatch<["shared", "result"]>]> {
  let summary = "the same place in the shared memory of another workgroup of the cluster";
  let description = [{
    `rank` counts the workgroups of the cluster. What another workgroup wrote there is seen behind
    a `lane.cluster_barrier`.

    ```mlir
    %there = lane.peer %shared, %rank : memref<?xf32, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins AnyMemRef:$shared, Index:$rank);
  let results = (outs AnyMemRef:$result);
  let assemblyFormat = "$shared `,` $rank attr-dict `:` type($shared)";
  let hasVerifier = 1;
}

def Lane_ClusterBarrierOp : Lane_Op<"cluster_barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "all threads of all workgroups of the cluster meet";
  let description = [{
    What they wrote to shared memory before is visible to all of them behind it.
  }];
  let assemblyFormat = "attr-dict";
}

#endif
