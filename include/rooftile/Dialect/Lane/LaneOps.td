//===- LaneOps.td - Operations of one thread ---------------*- tablegen -*-===//
#ifndef ROOFTILE_DIALECT_LANE_LANEOPS_TD
#define ROOFTILE_DIALECT_LANE_LANEOPS_TD

include "rooftile/Dialect/Tile/TileAttributes.td"
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
  let dependentDialects = ["::rooftile::tile::TileDialect", "::mlir::LLVM::LLVMDialect"];
  let extraClassDeclaration = [{
    /// A load of elements that all threads of a subgroup have, into scalar registers.
    static constexpr ::llvm::StringLiteral kScalarName = "lane.scalar";
  }];
}

class Lane_Op<string mnemonic, list<Trait> traits = []> : Op<Lane_Dialect, mnemonic, traits>;

def Lane_PeerOp : Lane_Op<"peer", [Pure, AllTypesMatch<["shared", "result"]>]> {
  let summary = "the same address in the shared memory of another workgroup of the cluster";
  let description = [{
    `rank` counts the workgroups of the cluster. What another workgroup wrote there is seen after
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

def Lane_AsRealOp : Lane_Op<"as_real", [Pure]> {
  let summary = "a pointer to complex elements as a pointer to their real and imaginary components";
  let description = [{
    Complex element i is real elements 2 i (its real component) and 2 i + 1 of the same memory.

    ```mlir
    %components = lane.as_real %elements : memref<complex<f32>> -> memref<f32>
    ```
  }];
  let arguments = (ins AnyMemRef:$source);
  let results = (outs AnyMemRef:$result);
  let builders = [OpBuilder<(ins "::mlir::Value":$elements)>];
  let assemblyFormat = "$source attr-dict `:` type($source) `->` type($result)";
  let hasVerifier = 1;
}

def Lane_PointerOp : Lane_Op<"pointer", [Pure]> {
  let summary = "an address in global memory as a pointer";
  let description = [{
    ```mlir
    %matrix = lane.pointer %address : memref<f32>
    ```
  }];
  let arguments = (ins I64:$address);
  let results = (outs AnyMemRef:$pointer);
  let assemblyFormat = "$address attr-dict `:` type($pointer)";
  let hasVerifier = 1;
}

def Lane_ClusterBarrierOp : Lane_Op<"cluster_barrier", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "all threads of all workgroups of the cluster meet";
  let description = [{
    What they wrote to shared memory before is visible to all of them after it.
  }];
  let assemblyFormat = "attr-dict";
}

def Lane_CopyOp : Lane_Op<"copy", [AttrSizedOperandSegments]> {
  let summary = "starts to copy a few elements from global to shared memory";
  let description = [{
    `elements` neighbours (4, 8 or 16 bytes, aligned to it on both sides) travel without a
    register of the thread. They have arrived when a `lane.wait` for them returns; until then the
    target must be neither read nor written. Where `inside` is false zeros arrive, and the
    source is not read. Of `first` elements at most are read, and zeros arrive for the others.

    ```mlir
    lane.copy %global[%i], %shared[%j] elements 4 first(%left) inside(%valid)
      : memref<?xf32>, memref<?xf32, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$source, Index:$sourceIndex,
                       Arg<AnyMemRef, "", [MemWrite]>:$target, Index:$targetIndex,
                       I64Attr:$elements, Optional<Index>:$first, Optional<I1>:$inside);
  let assemblyFormat = [{
    $source `[` $sourceIndex `]` `,` $target `[` $targetIndex `]` `elements` $elements
    (`first` `(` $first^ `)`)? (`inside` `(` $inside^ `)`)? attr-dict
    `:` type($source) `,` type($target)
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
    What arrived is visible to this thread; a barrier shows it to the others. With `products` groups
    are those of `lane.async_mma`: what older ones read may be overwritten, after a barrier by other
    threads, too.

    ```mlir
    lane.wait 2
    lane.wait products 1
    ```
  }];
  let arguments = (ins UnitAttr:$products, ConfinedAttr<I64Attr, [IntNonNegative]>:$pending);
  let assemblyFormat = "(`products` $products^)? $pending attr-dict";
}

def Lane_ElectOp : Lane_Op<"elect", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "true for one of so many neighbouring threads";
  let description = [{
    All of these threads, a subgroup or the whole of a smaller workgroup, execute it together.

    ```mlir
    %one = lane.elect 32
    ```
  }];
  let arguments = (ins ConfinedAttr<I64Attr, [IntPositive]>:$threads);
  let results = (outs I1:$elected);
  let assemblyFormat = "$threads attr-dict";
}

class Lane_ArrivalOp<string mnemonic>
    : Lane_Op<mnemonic, [MemoryEffects<[MemRead, MemWrite]>]>;

def Lane_ArrivalsOp : Lane_ArrivalOp<"arrivals"> {
  let summary = "sets up counters of arrivals in shared memory";
  let description = [{
    One thread does it, and a barrier shows it to the others. Each of the counters, 8 bytes long,
    goes from phase to phase, from 0 on: a phase is complete when `copiers` threads have announced
    by `lane.expect` what they copy, and so much has arrived.

    ```mlir
    lane.arrivals %counters stages 3 copiers 8 : memref<?xi64, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins AnyMemRef:$counters, ConfinedAttr<I64Attr, [IntPositive]>:$stages,
                       ConfinedAttr<I64Attr, [IntPositive]>:$copiers);
  let assemblyFormat =
    "$counters `stages` $stages `copiers` $copiers attr-dict `:` type($counters)";
  let hasVerifier = 1;
}

def Lane_ExpectOp : Lane_ArrivalOp<"expect"> {
  let summary = "announces the bytes that this thread copies in this phase of a counter";
  let description = [{
    ```mlir
    lane.expect %counters[%stage] bytes 2048 : memref<?xi64, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins AnyMemRef:$counters, Index:$stage,
                       ConfinedAttr<I64Attr, [IntPositive]>:$bytes);
  let assemblyFormat = "$counters `[` $stage `]` `bytes` $bytes attr-dict `:` type($counters)";
  let hasVerifier = 1;
}

def Lane_BulkCopyOp : Lane_Op<"bulk_copy"> {
  let summary = "starts to copy a run of elements from global to shared memory";
  let description = [{
    A multiple of 16 bytes, that begins at one on both sides. The target must be neither read nor
    written until `lane.arrived` returns that the phase of the counter is complete.

    ```mlir
    lane.bulk_copy %global[%i], %shared[%j] elements 128 arrives %counters[%stage]
      : memref<?xf32>, memref<?xf32, #gpu.address_space<workgroup>>,
        memref<?xi64, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$source, Index:$sourceIndex,
                       Arg<AnyMemRef, "", [MemWrite]>:$target, Index:$targetIndex,
                       I64Attr:$elements, AnyMemRef:$counters, Index:$stage);
  let assemblyFormat = [{
    $source `[` $sourceIndex `]` `,` $target `[` $targetIndex `]` `elements` $elements
    `arrives` $counters `[` $stage `]` attr-dict
    `:` type($source) `,` type($target) `,` type($counters)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Bytes that travel.
    int64_t getBytes();
  }];
}

def Lane_TensorCopyOp : Lane_Op<"tensor_copy"> {
  let summary = "starts to copy a box out of a matrix to shared memory";
  let description = [{
    `descriptor` is an argument of the kernel: it specifies the address of the matrix, its vectors,
    and the box of `elements` elements, of which the first one is at [element of a vector, vector];
    elements beyond the matrix arrive as 0. The target begins at a multiple of 128 bytes, and must
    be neither read nor written until `lane.arrived` returns that the phase of the counter is
    complete.

    ```mlir
    lane.tensor_copy %descriptor[%x, %y], %shared[%j] elements 2048 arrives %counters[%stage]
      : !llvm.array<16 x i64>, memref<?xf32, #gpu.address_space<workgroup>>,
        memref<?xi64, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins AnyType:$descriptor, Index:$element, Index:$vector,
                       Arg<AnyMemRef, "", [MemWrite]>:$target, Index:$targetIndex,
                       I64Attr:$elements, AnyMemRef:$counters, Index:$stage);
  let assemblyFormat = [{
    $descriptor `[` $element `,` $vector `]` `,` $target `[` $targetIndex `]` `elements` $elements
    `arrives` $counters `[` $stage `]` attr-dict
    `:` type($descriptor) `,` type($target) `,` type($counters)
  }];
  let hasVerifier = 1;
  let extraClassDeclaration = [{
    /// Bytes that travel.
    int64_t getBytes();
  }];
}

def Lane_ArrivedOp : Lane_ArrivalOp<"arrived"> {
  let summary = "waits until a phase of a counter is complete";
  let description = [{
    Of the current phase and the one before, that of the given `parity` (0: phases 0, 2, 4, ...).
    What arrived is visible to this thread.

    ```mlir
    lane.arrived %counters[%stage] parity %p : memref<?xi64, #gpu.address_space<workgroup>>
    ```
  }];
  let arguments = (ins AnyMemRef:$counters, Index:$stage, Index:$parity);
  let assemblyFormat = "$counters `[` $stage `]` `parity` $parity attr-dict `:` type($counters)";
  let hasVerifier = 1;
}

def Lane_MmaOp : Lane_Op<"mma", [NoMemoryEffect, AttrSizedOperandSegments,
                                 InferTypeOpAdaptor]> {
  let summary = "c + a * b by the lanes of a subgroup together";
  let description = [{
    Operands are the registers of this lane, in the order of the instruction; results are those of
    c. All lanes of the subgroup execute it together. The sum over K is of fused multiply-adds.

    ```mlir
    %d:4 = lane.mma (%a0, %a1), (%b0), (%c0, %c1, %c2, %c3) instruction(#m16n8k4_f64)
      : (f64, f64), (f64), (f64, f64, f64, f64)
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$a, Variadic<AnyType>:$b, Variadic<AnyType>:$c,
                       Tile_InstructionAttr:$instruction);
  let results = (outs Variadic<AnyType>:$accumulators);
  let assemblyFormat = [{
    `(` $a `)` `,` `(` $b `)` `,` `(` $c `)` `instruction` `(` $instruction `)` attr-dict
    `:` `(` type($a) `)` `,` `(` type($b) `)` `,` `(` type($c) `)`
  }];
  let hasVerifier = 1;
}

def Lane_AsyncMmaOp : Lane_Op<"async_mma", [MemoryEffects<[MemRead, MemWrite]>,
                                           InferTypeOpAdaptor]> {
  let summary = "starts c + a * b by the lanes of a warpgroup, a and b in shared memory";
  let description = [{
    a is M x K, b is K x N of the instruction, `repeated` times along N. Rows of a, and columns of
    b, are 128 bytes along K, each after the one before; of the bytes of shared memory, counted from
    0, bits 4 to 6 of an address are exchanged with their sum, bit by bit, with bits 7 to 9. So rows
    begin at multiples of 1024 bytes, or a multiple of 16 bytes after one, for the next K.
    With `panelsOfA`, `panelsOfB` they are 128 bytes along M, or N, for each K, and what follows
    along M or N begins so many bytes later.

    Operands of c are the registers of this lane, in the order of the instruction, repetition after
    repetition. Results have no value before `lane.finish`; another `lane.async_mma` may add to
    them. The first of a group sees registers that the lane has written before, the last one closes
    it. All lanes of the warpgroup execute it together. What they read they may read until a
    `lane.wait products`.

    ```mlir
    %d:8 = lane.async_mma %a[%i], %b[%j], (%c0, %c1, %c2, %c3, %c4, %c5, %c6, %c7)
      instruction(#wgmma_m64k16_f16) repeated 2 first last
      : memref<?xf16, #gpu.address_space<workgroup>>, memref<?xf16, #gpu.address_space<workgroup>>,
        (f32, f32, f32, f32, f32, f32, f32, f32)
    ```
  }];
  let arguments = (ins Arg<AnyMemRef, "", [MemRead]>:$a, Index:$aIndex,
                       Arg<AnyMemRef, "", [MemRead]>:$b, Index:$bIndex, Variadic<AnyType>:$c,
                       Tile_InstructionAttr:$instruction,
                       ConfinedAttr<I64Attr, [IntPositive]>:$repeated,
                       OptionalAttr<I64Attr>:$panelsOfA, OptionalAttr<I64Attr>:$panelsOfB,
                       UnitAttr:$first, UnitAttr:$last);
  let results = (outs Variadic<AnyType>:$accumulators);
  let assemblyFormat = [{
    $a `[` $aIndex `]` `,` $b `[` $bIndex `]` `,` `(` $c `)` `instruction` `(` $instruction `)`
    `repeated` $repeated (`panelsOfA` $panelsOfA^)? (`panelsOfB` $panelsOfB^)? (`first` $first^)?
    (`last` $last^)? attr-dict
    `:` type($a) `,` type($b) `,` `(` type($c) `)`
  }];
  let hasVerifier = 1;
}

def Lane_UniformOp : Lane_Op<"uniform", [Pure, SameOperandsAndResultType]> {
  let summary = "a number that all lanes of a subgroup have, known to be the same";
  let description = [{
    Compilers compute with it once for all lanes. All of them execute it together.

    ```mlir
    %group = lane.uniform %number : index
    ```
  }];
  let arguments = (ins Index:$number);
  let results = (outs Index:$result);
  let assemblyFormat = "$number attr-dict `:` type($number)";
}

def Lane_FinishOp : Lane_Op<"finish", [MemoryEffects<[MemRead, MemWrite]>, InferTypeOpAdaptor]> {
  let summary = "waits for all products of this thread; their sums have values from here on";
  let description = [{
    ```mlir
    %c:2 = lane.finish %sums#0, %sums#1 : f32, f32
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$sums);
  let results = (outs Variadic<AnyType>:$finished);
  let assemblyFormat = "$sums attr-dict `:` type($sums)";
}

def Lane_FenceOp : Lane_Op<"fence", [MemoryEffects<[MemRead, MemWrite]>]> {
  let summary = "what this thread wrote to shared memory is there for asynchronous products";
  let description = [{
    Of other threads, too, that meet this one at a barrier after it.
  }];
  let assemblyFormat = "attr-dict";
}

def Lane_CompilerFenceOp : Lane_Op<"compiler_fence", [MemoryEffects<[MemRead, MemWrite]>,
                                                      InferTypeOpAdaptor]> {
  let summary = "a fence of memory accesses, or of values, for LLVM and ptxas";
  let description = [{
    A fence for LLVM and ptxas, not for the hardware: it makes no instruction.
    Without operands loads and stores stay on their side of it. With operands these are computed
    before it, and what uses the results stays after it.

    LLVM and ptxas sink arithmetic into the branch that stores its result, and loads to the head of
    the next iteration. Both lengthen the lives of registers, or expose latency that the order of
    the program hides, and neither has an option against it. On each vendor the fence is an empty
    inline assembly. With `scalar` it is one for all values, which are in scalar registers of AMD
    GPUs then.

    ```mlir
    lane.compiler_fence
    %finished = lane.compiler_fence(%sum : f32)
    ```
  }];
  let arguments = (ins Variadic<AnyType>:$values, UnitAttr:$scalar);
  let results = (outs Variadic<AnyType>:$fenced);
  let assemblyFormat = "(`scalar` $scalar^)? (`(` $values^ `:` type($values) `)`)? attr-dict";
}

#endif
