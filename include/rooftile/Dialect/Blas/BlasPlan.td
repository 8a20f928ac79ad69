//===- BlasPlan.td - Every decision about one operation ----*- tablegen -*-===//
#ifndef ROOFTILE_DIALECT_BLAS_BLASPLAN_TD
#define ROOFTILE_DIALECT_BLAS_BLASPLAN_TD

def Blas_Via : Blas_Enum<"Via", "where an operand is staged", [
  I32EnumCase<"Shared", 0, "shared">,      // registers -> shared memory -> fragments
  I32EnumCase<"Register", 1, "register">,  // global memory -> fragments
  I32EnumCase<"Scalar", 2, "scalar">       // global memory -> fragments in scalar registers
]>;
def Blas_Copy : Blas_Enum<"Copy", "how an operand reaches shared memory", [
  I32EnumCase<"Register", 0, "register">,  // load to registers, store to shared memory
  I32EnumCase<"Async", 1, "async">,        // without registers, in groups that are waited for
  I32EnumCase<"Bulk", 2, "bulk">,          // whole rows of the shared tile, each stage waited for
  I32EnumCase<"Tensor", 3, "tensor">       // the whole tile at once, as bulk otherwise
]>;
def Blas_Major : Blas_Enum<"Major", "the dimension along which neighbours of a shared tile lie", [
  I32EnumCase<"MN", 0, "mn">,              // M (of A) or N (of B)
  I32EnumCase<"K", 1, "k">
]>;
def Blas_ComplexLayout : Blas_Enum<"ComplexLayout", "how complex elements lie in shared memory", [
  I32EnumCase<"Interleaved", 0, "interleaved">, // real and imaginary components alternate
  I32EnumCase<"Planar", 1, "planar">            // all real components, then all imaginary
]>;
def Blas_Reduction : Blas_Enum<"Reduction", "how partial sums over K are combined", [
  I32EnumCase<"None", 0, "none">,          // one workgroup accumulates all of K
  I32EnumCase<"Workspace", 1, "workspace">, // partial sums to memory, then blas.reduce
  I32EnumCase<"Atomic", 2, "atomic">,       // atomic additions to C, in any order
  I32EnumCase<"Cluster", 3, "cluster">      // partial sums in shared memory of a cluster
]>;
def Blas_Summation : Blas_Enum<"Summation", "how a thread accumulates its K steps", [
  I32EnumCase<"Plain", 0, "plain">,            // each product to the sum
  I32EnumCase<"Compensated", 1, "compensated"> // each step to a sum with a compensation term
]>;
def Blas_ComplexMethod : Blas_Enum<"ComplexMethod", "how complex products are computed", [
  I32EnumCase<"Native", 0, "native">,            // complex multiply-adds in the kernel
  I32EnumCase<"Induced", 1, "induced">           // the induced method, by real products
]>;
def Blas_Tail : Blas_Enum<"Tail", "what happens where a tile crosses the matrix edge", [
  I32EnumCase<"Guard", 0, "guard">,        // clamped loads, guarded stores
  I32EnumCase<"Overlap", 1, "overlap">,    // the last tile is moved back inside
  I32EnumCase<"Split", 2, "split">         // edges are operations of their own (tail-split)
]>;

def Blas_PathAttr : AttrDef<Blas_Dialect, "Path"> {
  let mnemonic = "path";
  let summary = "the path of one operand from global memory to the multiplying instructions";
  let description = [{
    `vector` is the width of a global access in elements, `pad` the elements
    added to each row of the shared tile so that rows start in different banks.
    `swizzle` permutes elements of such rows, as in !tile.buffer.
    `lanes` neighbouring threads copy along the contiguous dimension of the operand before
    the next ones copy the next row of it; 0: as many as there are accesses.
    `copy = bulk` moves whole rows of the shared tile, started by one thread of each of the first
    `lanes` subgroups (0: of all): the operand runs along M (A) or N (B), `vector` elements are 16
    bytes, there is no swizzle, and K is a multiple of macro K.
    `copy = tensor` moves the whole tile at the request of one thread, which names it by its
    coordinates in the matrix: a descriptor of that is an argument of the kernel. There is no
    padding either, tiles have at most 256 real elements along each side, and the matrix is not one
    of a batch. Tiles may cross its edges, and K have any length.
    With `pack = 1` a kernel of its own first copies the operand into a workspace, where its rows
    run along M (A) or N (B), with `major = k` along K, and begin at multiples of 128 bytes
    (operand-pack); the rest of the path is about that copy.
    `major` is the dimension along which the shared tile is contiguous: M (A) or N (B), so that a
    multiply-add reads runs of them (`mn`), or K (`k`), so that an operand along K is copied as it
    lies in memory, not transposed. Lanes of a matrix instruction read one as well as the other;
    multiply-adds read vectors along K in runs of the plan's `depth`, and a thread's rows (columns)
    of such an operand are not contiguous. With `via = register` or `scalar` it is the dimension of
    the runs in which a thread reads global memory: along K in runs of the plan's `depth`, too.
    `via = scalar` reads fragments into scalar registers of a subgroup, for multiply-adds that have
    one factor there. All threads of a workgroup have the same fragment: the micro tile is as long
    as the macro tile along M (A) or N (B), and the other operand has another path.
    `layout = planar` keeps real and imaginary components of complex elements, which threads copy
    one by one, in planes of their own: fragments are then the registers that a matrix instruction
    reads. Padding, swizzle and `vector` are counted in elements all the same.
    With `flat = L` a tile holds whole vectors of L elements of the operand, which follow each other
    without gaps in memory and in shared memory alike: it is copied as one run, by neighbouring
    threads, in accesses of `vector` elements, which need not divide L (7, say). Vectors run along
    M (A) or N (B), or with `major = k` along K, of which one step then holds all.
  }];
  let parameters = (ins AttrParameter<"::rooftile::blas::PathData", "the values",
                                      "const ::rooftile::blas::PathData &">:$data);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    const ::rooftile::blas::PathData &operator*() const { return getData(); }
    const ::rooftile::blas::PathData *operator->() const { return &getData(); }
  }];
}

def Blas_PlanAttr : AttrDef<Blas_Dialect, "Plan"> {
  let mnemonic = "plan";
  let summary = "what to do with one operation: every decision";
  let description = [{
    * `macro = [M, N, K]`: the tile of one workgroup and its K step, in elements.
    * `micro = [M, N]`: the elements of C that one thread accumulates. The
      workgroup has (macro M / micro M) * (macro N / micro N) * slicedK threads.
    * `lanes = [M, N]`: how the threads of one subgroup lie over the tile.
    * `slicedK`: groups of subgroups, or of fewer threads of one, that share out each K step (sliced
      K). Every group holds accumulators of the whole macro tile, of macro K / slicedK elements of
      each step, and they are added up through shared memory at the end. More threads hide
      latency where tiles are few.
    * `depth`: K elements of a slice that a thread multiplies. Fragments of operands whose shared
      vectors run along K are read in runs of it. A matrix instruction has a depth of its own.
    * `vector`: width of the fragment reads from shared memory and of the accesses to C from
      registers, in elements; a thread's rows and columns come in runs of it.
    * `mma`: the multiplying instruction: `fma`, or a matrix instruction, which the lanes of a
      subgroup execute together (docs/Tile.md lists them). Then `lanes` are those of the
      instruction, and the micro tile is still what one thread accumulates.
    * `a`, `b`: the path of each operand. `stages`: buffers of the shared ring
      (1: none of the loads overlaps the multiplications; 2: leap-frog; more: asynchronous
      copies of that many steps less one are on their way).
    * `c`: `register`: each thread writes what it has summed; `shared`: the tile passes through
      shared memory, so that neighbouring threads write neighbouring elements, in accesses of 16
      bytes of accumulators at most. That pays where accesses to C are narrower than `vector`; a
      cluster does it anyway.
    * `flat = L`, with `c = shared`: the tile holds whole rows of C, of L elements each, which
      follow each other without gaps in memory: they are written as one, in accesses of up to 16
      bytes, which need not divide L.
    * `loadsC`: accesses to C that a thread reads before it writes the first of them, where beta is
      not 0. A read that follows a write waits for it, as both may have one address. Fewer than a
      thread has in a row count as none; more than its registers have room for spill.
    * `products`: real products of a complex one, 4, or 3 where the operation has
      `math<emulated>` (3M): the third is that of sums of real and imaginary components. Or 6 of
      bf16 for one of f32 there: A and B are copied as parts of their elements (#blas.parts), in
      chunks of so much of K as `promote` steps multiply.
    * `complex`: `native`, or `induced` (the induced method of BLIS): complex A and B, along M and
      N, are multiplied as what they consist of, matrices of 2 M and 2 N real elements
      (blas.as_real); macro, micro and all else of the plan count these. Its slices are complex
      again, rows of re(A) B and of im(A) B alternating, which two blas.reduce add up, the second
      times i. It belongs to `reduction = workspace`, without `products = 3` and `tail = split`, and
      without `pack` and `copy = tensor` unless `products = 6`: then both are copied, along M and N,
      and their real elements in parts.
    * `summation`: `plain`, or `compensated`: the products of a step are added up from 0, and then
      to a sum that has what rounding lost beside it, so that errors do not grow with the number of
      steps (docs/Dialect.md states the bound).
    * `promote = N`: after each N K steps the accumulators of a matrix instruction are added to
      totals in registers, and begin again with 0; 0: they are added to until the end. Instructions
      that cut off what they add up (`wgmma`) lose less so; accumulators need twice the registers.
    * `prefetch`: 1 if the first fragments of a step are read before the last slice of the
      previous step is multiplied, which hides the barrier between them.
    * `unroll`: slices of a step that are written out in the code of its loop; 0: all of
      them, without a loop. Deep steps need less code then, which compiles faster and stays
      in the instruction cache.
    * `raster`: workgroups that share a column band of C before the next band
      starts, in macro tiles along M (1 = row by row).

    * `reduction`, `splits`: the K steps of a tile are shared out among `splits` workgroups;
      the reduction is how their partial sums are combined. Share i of S has the steps
      i, i + S, i + 2 S, ...; in a cluster floor(i steps / S) .. floor((i + 1) steps / S) - 1.
    * `tail`: the last tile of M or N is moved back inside the matrix (`overlap`; its
      neighbour computes the same elements), or reads the nearest row or column and does
      not store beyond the edge (`guard`; also where a matrix may be smaller than a tile),
      or is left to operations of their own (`split`, see tail-split).
    * `residency`: workgroups that one unit (an SM of NVIDIA, a CU of AMD) is to hold at a time;
      registers are bounded so that they fit.
    * `matrices`: matrices of a batch that a workgroup has, each thread one: the micro tile is the
      macro tile and holds all of C, and both operands have `via = register`. For products so small
      that a workgroup would have nothing to do with one of them.

    ```mlir
    #blas.plan<macro = [128, 128, 16], micro = [8, 8], lanes = [4, 8], vector = 4, mma = fma,
               a = <via = shared, vector = 4, pad = 4>, b = <via = shared, vector = 4>,
               stages = 2, reduction = none, tail = overlap, raster = 8, residency = 2>
    ```
  }];
  let parameters = (ins AttrParameter<"::rooftile::blas::PlanData", "the values",
                                      "const ::rooftile::blas::PlanData &">:$data);
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    const ::rooftile::blas::PlanData &operator*() const { return getData(); }
    const ::rooftile::blas::PlanData *operator->() const { return &getData(); }
  }];
}

def Blas_RefusalAttr : AttrDef<Blas_Dialect, "Refusal"> {
  let mnemonic = "refusal";
  let summary = "a kernel that needs more registers than the chip has, by its assembler";
  let description = [{
    A binary lists such kernels as `blas.refused`. On a module the list is feedback: planning counts
    registers of these plans by it, and does not choose these blocks again. `plan`, of a product, or
    `blocks`, of a triangular operation, are those of the kernel, after the passes that carry out
    some of their keys; `scratch` are bytes of memory in place of registers, and `registers` those
    that a thread needs, both of one thread.

    ```mlir
    #blas.refusal<kernel = "gemm_f32_nn_128x128x8", plan = <macro = [128, 128, 8], ...>,
                  scratch = 48, registers = 140>
    #blas.refusal<kernel = "trsm_f32_left_lower_n_sweep",
                  blocks = <diagonal = 0, workgroup = 128, workgroupVectors = 8>, scratch = 16,
                  registers = 256>
    ```
  }];
  let parameters = (ins StringRefParameter<"symbol in the binary">:$kernel,
                        OptionalParameter<"::rooftile::blas::PlanAttr">:$plan,
                        OptionalParameter<"::rooftile::blas::BlocksAttr">:$blocks,
                        "int64_t":$scratch, "int64_t":$registers);
  let assemblyFormat = "`<` struct(params) `>`";
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The plan of the kernel, of whichever kind.
    ::mlir::Attribute getKernelPlan() const;
  }];
}

def Blas_Method : Blas_Enum<"Method", "how a triangular operation is computed", [
  I32EnumCase<"Substitute", 0, "substitute">, // row after row of each block
  I32EnumCase<"Invert", 1, "invert">,         // trsm: products with inverses of blocks
  I32EnumCase<"Product", 2, "product">,       // trmm: one product with a copy of the triangle
  I32EnumCase<"Mask", 3, "mask">              // trmm: one product that masks the triangle
]>;

def Blas_BlocksAttr : AttrDef<Blas_Dialect, "Blocks"> {
  let mnemonic = "blocks";
  let summary = "what to do with one triangular operation";
  let description = [{
    * `diagonal`: order of the blocks on the diagonal of A, in elements. Everything outside of
      them becomes blas.gemm. 0: the whole matrix is one block, which becomes one kernel.
    * `workgroup`: threads of a workgroup of the kernel of one block.
    * `threadVectors`: vectors (columns of the output, rows with `side<right>`) of one thread.
    * `rows`: elements of each that a thread has in registers at a time, where vectors are longer a
      multiple of 4, and of 16 bytes of A. 0: all of them where registers hold them, else 8.
    * `workgroupVectors` (blas.trsm, of known order): vectors of one matrix that all threads of a
      workgroup solve together, each of them some rows in registers. 0: threads compute whole ones.
    * `method`: `substitute`: the kernel of one block goes row after row. `invert` (blas.trsm, of
      known order): all blocks on the diagonal are inverted at once, those of order `base` by
      substitution, larger ones of them by products, and solving is multiplying by these inverses.
      `product` (blas.trmm): the triangle is copied, with zeros beside it, and multiplied as one
      blas.gemm that skips the zeros. With `diagonal`, and a known order, only the blocks on
      the diagonal are; products with what is beside them are added, by powers of 2. `mask`:
      `product` without copies: the product reads A itself, and masks its triangle in registers.
    * `base`, with `invert`: order of the blocks that are inverted by substitution; `diagonal` is
      `base` times a power of 2.
    * `matrices`: matrices of a batch, with a known number of vectors, of one workgroup, their
      vectors one after the other as its threads. 1: a workgroup has vectors of one matrix.
    * `a`, `b`: `shared`: where the order is known, a workgroup first copies its triangles, or
      its vectors, to shared memory, neighbours in memory by neighbouring threads; triangles are
      then read in wide accesses, and vectors are written back as they came. `register`: each
      thread reads and writes what it needs itself.

    ```mlir
    #blas.blocks<diagonal = 64, workgroup = 128>
    #blas.blocks<diagonal = 256, method = invert, base = 64>
    #blas.blocks<diagonal = 0, method = product>
    #blas.blocks<diagonal = 0, method = mask>
    #blas.blocks<diagonal = 0, workgroup = 128, matrices = 32, a = shared, b = shared>
    #blas.blocks<diagonal = 512, workgroup = 256, workgroupVectors = 8>
    #blas.blocks<diagonal = 0, a = shared, rows = 16, threadVectors = 2>
    ```
  }];
  let parameters = (ins AttrParameter<"::rooftile::blas::BlocksData", "the values",
                                      "const ::rooftile::blas::BlocksData &">:$data);
  let extraClassDeclaration = [{
    const ::rooftile::blas::BlocksData &operator*() const { return getData(); }
    const ::rooftile::blas::BlocksData *operator->() const { return &getData(); }
  }];
  let hasCustomAssemblyFormat = 1;
  let genVerifyDecl = 1;
}

def Blas_TilingAttr : AttrDef<Blas_Dialect, "Tiling"> {
  let mnemonic = "tiling";
  let summary = "the plan of an operation that works element by element, such as blas.reduce";
  let description = [{
    One workgroup of `threads` threads computes a tile of the output of `tile = [rows, columns]`
    elements, in accesses of `vector` elements along the columns. `path` is the way of an input
    that the tile may have to transpose (blas.pack): `via = shared` where it is read along the rows
    of the tile, in accesses of the path's `vector`, and transposed in shared memory, whose rows
    `pad` and `swizzle` spread over the banks; null or `via = register` where it is read along the
    columns as well. `groups` groups of the threads share out the slices of a blas.reduce (a tile
    of one row): group g adds up slices g, g + groups, ..., and then those partial sums are added up
    in shared memory.

    ```mlir
    #blas.tiling<tile = [8, 128], threads = 256, vector = 4>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$tile, "int64_t":$threads,
                        DefaultValuedParameter<"int64_t", "1">:$vector,
                        DefaultValuedParameter<"int64_t", "1">:$groups,
                        OptionalParameter<"::rooftile::blas::PathAttr">:$path);
  let assemblyFormat = "`<` struct(custom<Sizes>($tile), $threads, $vector, $groups, $path) `>`";
  let genVerifyDecl = 1;
}

def Blas_PartsAttr : AttrDef<Blas_Dialect, "Parts"> {
  let mnemonic = "parts";
  let summary = "parts of f32 elements in bf16, in the order in which products add them up";
  let description = [{
    Each f32 element is the sum of three bf16 ones, exactly: part 0 has its first 8 significant
    bits, part 1 the next 8, part 2 the last 8. (Elements below 2^-110 lose what lies below 2^-133,
    the least number of bf16.) A copy in parts has for each `chunk` rows of a matrix, and for the
    rest of them, as many blocks of so many rows as `order` has numbers: block i of a chunk has part
    `order[i]`. Infinities and NaN stand in the last block alone, zeros for them in the others.

    ```mlir
    #blas.parts<order = [2, 0, 1, 1, 0, 0], chunk = 512>
    ```
  }];
  let parameters = (ins ArrayRefParameter<"int64_t">:$order, "int64_t":$chunk);
  let assemblyFormat = "`<` struct(custom<Sizes>($order), $chunk) `>`";
  let genVerifyDecl = 1;
}

#endif
