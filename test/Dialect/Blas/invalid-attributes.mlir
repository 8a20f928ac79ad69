// RUN: gemm-opt %s -verify-diagnostics -split-input-file

// expected-error @+1 {{path: vector = 3 is not 1, 2, 4, 8 or 16}}
#p = #blas.path<via = shared, vector = 3>

// -----

// expected-error @+1 {{path: pad = -4 is not in 0 .. 1024}}
#p = #blas.path<via = shared, pad = -4>

// -----

// expected-error @+1 {{path: copy = bulk moves whole rows along M or N: it has no swizzle}}
#p = #blas.path<via = shared, copy = bulk, swizzle = 8>

// -----

// expected-error @+1 {{path: pad, swizzle, lanes and copy belong to via = shared}}
#p = #blas.path<via = register, pad = 4>

// -----

// expected-error @+1 {{plan: major = k of fragments that come from global memory belongs to mma = fma}}
#p = #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [8, 4], mma = m16n8k4_f64, a = <via = register, major = k>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: via = scalar is for a fragment that all threads have: micro = macro along M, but these are 4 and 64}}
#p = #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], a = <via = scalar>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: via = scalar is for a fragment that all threads have: micro = macro along N, but these are 4 and 4; another path for the other operand, slicedK = matrices = 1, mma = fma}}
#p = #blas.plan<macro = [64, 4, 8], micro = [4, 4], lanes = [16, 1], slicedK = 2, a = <via = shared>, b = <via = scalar>>

// -----

// expected-error @+1 {{plan: c = scalar, but C has one of each thread}}
#p = #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>, c = scalar>

// -----

// expected-error @+1 {{blocks: a and b are shared or register, not scalar}}
#p = #blas.blocks<diagonal = 64, a = scalar>

// -----

// expected-error @+1 {{plan: matrices = 32, of which each thread has one: that needs micro = macro, both operands via = register, c = register, slicedK = splits = 1, reduction = none and mma = fma}}
#p = #blas.plan<macro = [4, 4, 4], micro = [4, 4], lanes = [1, 1], a = <via = register>, b = <via = register>, reduction = workspace, matrices = 32>

// -----

// expected-error @+1 {{plan: matrices = 0 is not in 1 .. 1024}}
#p = #blas.plan<macro = [4, 4, 4], micro = [4, 4], lanes = [1, 1], a = <via = register>, b = <via = register>, matrices = 0>

// -----

// expected-error @+1 {{plan: matrices = 32, of which each thread has one: that needs micro = macro}}
#p = #blas.plan<macro = [4, 4, 4], micro = [4, 2], lanes = [1, 2], a = <via = register>, b = <via = register>, matrices = 32>

// -----

// expected-error @+1 {{plan: matrices = 32, of which each thread has one: that needs micro = macro, both operands via = register}}
#p = #blas.plan<macro = [4, 4, 4], micro = [4, 4], lanes = [1, 1], a = <via = register>, b = <via = shared>, matrices = 32>

// -----

// expected-error @+1 {{path: copy = bulk moves whole rows along M or N: it has no major = k}}
#p = #blas.path<via = shared, copy = bulk, vector = 4, major = k>

// -----

// expected-error @+1 {{plan: macro needs 3 sizes (M, N, K), got 2}}
#p = #blas.plan<macro = [64, 64], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: micro needs 2 sizes (M, N), got 1}}
#p = #blas.plan<macro = [64, 64, 8], micro = [4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: lanes needs 2 sizes (M, N), got 3}}
#p = #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8, 1], a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: tile sizes must lie in 1 .. 2^20}}
#p = #blas.plan<macro = [64, 0, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: vector = 5 is not 1, 2, 4 or 8}}
#p = #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], vector = 5, a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: stages = 0 is not in 1 .. 16}}
#p = #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>, stages = 0>

// -----

// expected-error @+1 {{plan: loadsC = 257 is not in 0 .. 256}}
#p = #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>, loadsC = 257>

// -----

// expected-error @+1 {{plan: raster = 0 is not in 1 .. 2^20}}
#p = #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>, raster = 0>

// -----

// expected-error @+1 {{plan: macro tile 64 is not a multiple of micro tile 7 along N}}
#p = #blas.plan<macro = [64, 64, 8], micro = [4, 7], lanes = [4, 8], a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: micro tile 6 is not a multiple of vector 4 along M}}
#p = #blas.plan<macro = [96, 64, 8], micro = [6, 4], lanes = [4, 8], vector = 4, a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: 16 threads along M are not a multiple of 32 lanes}}
#p = #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [32, 1], a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{argument: scalar does not go with a; alpha and beta are scalars, a, b and c are not}}
#a = #blas.arg<scalar a>

// -----

// expected-error @+1 {{argument: dimension 1 of a pointer}}
#a = #blas.arg<pointer a[1]>

// -----

// expected-error @+1 {{argument: align = 12 of a pointer; a pointer may have a power of 2}}
#a = #blas.arg<pointer a align 12>

// -----

// expected-error @+1 {{contract: tile needs 2 positive sizes (M, N)}}
#c = #blas.contract<args = [], tile = [64], workgroup = 256, sharedBytes = 0>

// -----

// expected-error @+1 {{contract: structure = unit_lower: of C it is general, lower or upper}}
#c = #blas.contract<args = [], tile = [64, 64], workgroup = 256, sharedBytes = 0, structure = unit_lower>

// -----

// expected-error @+1 {{contract: structure = upper needs square tiles, got 64x32}}
#c = #blas.contract<args = [], tile = [64, 32], workgroup = 256, sharedBytes = 0, structure = upper>

// -----

// expected-error @+1 {{contract: matrices = 0 is not positive}}
#c = #blas.contract<args = [], tile = [64, 64], workgroup = 256, sharedBytes = 0, matrices = 0>

// -----

// expected-error @+1 {{contract: workgroup = 0 is not positive}}
#c = #blas.contract<args = [], tile = [64, 64], workgroup = 0, sharedBytes = 0>

// -----

// expected-error @+1 {{contract: sharedBytes = -1 is negative}}
#c = #blas.contract<args = [], tile = [64, 64], workgroup = 256, sharedBytes = -1>

// -----

// expected-error @+1 {{contract: #blas.arg<pointer a> appears twice}}
#c = #blas.contract<args = [<pointer a>, <pointer a>], tile = [64, 64], workgroup = 256, sharedBytes = 0>

// -----

// expected-error @+1 {{target 'toy': units = 0 is not positive}}
#t = #blas.target<chip = "toy", vendor = nvidia, arch = "sm_90a", units = 0, clockMHz = 1000, subgroup = 32, schedulersPerUnit = 4, registersPerUnit = 65536, registersPerThread = 255, registerGranule = 256, sharedBytesPerUnit = 65536, sharedBytesPerBlock = 49152, sharedBytesReserved = 1024, sharedGranule = 128, sharedBytesPerClock = 128, sharedBanks = 32, threadsPerUnit = 2048, threadsPerBlock = 1024, blocksPerUnit = 32, fmaF32PerClock = 128, fmaF64PerClock = 64, l2Bytes = 1048576, l2GBps = 8000, dramReadGBps = 4000, dramCopyGBps = 4000, dramWriteGBps = 4000, dramLatencyCycles = 600, l2LatencyCycles = 250, sharedLatencyCycles = 30, fmaLatencyCycles = 4, launchNs = 3000>

// -----

// expected-error @+1 {{target: chip and arch must be named}}
#t = #blas.target<chip = "toy", vendor = nvidia, arch = "", units = 4, clockMHz = 1000, subgroup = 32, schedulersPerUnit = 4, registersPerUnit = 65536, registersPerThread = 255, registerGranule = 256, sharedBytesPerUnit = 65536, sharedBytesPerBlock = 49152, sharedBytesReserved = 1024, sharedGranule = 128, sharedBytesPerClock = 128, sharedBanks = 32, threadsPerUnit = 2048, threadsPerBlock = 1024, blocksPerUnit = 32, fmaF32PerClock = 128, fmaF64PerClock = 64, l2Bytes = 1048576, l2GBps = 8000, dramReadGBps = 4000, dramCopyGBps = 4000, dramWriteGBps = 4000, dramLatencyCycles = 600, l2LatencyCycles = 250, sharedLatencyCycles = 30, fmaLatencyCycles = 4, launchNs = 3000>

// -----

// expected-error @+1 {{target lacks the key 'arch', architecture, as the vendor's assembler names it}}
#t = #blas.target<chip = "toy", vendor = nvidia>

// -----

// expected-error @+1 {{path: lanes = -1 is not in 0 .. 1024}}
#p = #blas.path<via = shared, lanes = -1>

// -----

// expected-error @+1 {{plan: products = 6 multiplies copies in parts: that needs pack = 1 of both operands, major = mn}}
#p = #blas.plan<macro = [64, 64, 32], micro = [8, 8], lanes = [8, 4], mma = m16n8k16_bf16, products = 6, promote = 12,
  a = <via = shared, pack = 1, major = k>, b = <via = shared, pack = 1>>

// -----

// expected-error @+1 {{plan: products = 6 multiplies copies in parts: that needs pack = 1 of both operands, major = mn, summation = plain, no tail = split, and after promote = 0 steps a multiple of 64 K elements, 6 products each}}
#p = #blas.plan<macro = [64, 64, 32], micro = [8, 8], lanes = [8, 4], mma = m16n8k16_bf16, products = 6, a = <via = shared, pack = 1>, b = <via = shared, pack = 1>>

// -----

// expected-error @+1 {{plan: products = 6 multiplies copies in parts: that needs pack = 1 of both operands, major = mn, summation = plain, no tail = split, and after promote = 7 steps a multiple of 64 K elements, 6 products each}}
#p = #blas.plan<macro = [64, 64, 32], micro = [8, 8], lanes = [8, 4], mma = m16n8k16_bf16, products = 6, promote = 7, a = <via = shared, pack = 1>, b = <via = shared, pack = 1>>

// -----

// expected-error @+1 {{plan: products = 6 multiplies copies in parts: that needs pack = 1 of both operands, major = mn, summation = plain, no tail = split, and after promote = 12 steps a multiple of 64 K elements, 6 products each}}
#p = #blas.plan<macro = [64, 64, 32], micro = [8, 8], lanes = [8, 4], mma = m16n8k16_bf16, products = 6, promote = 12, a = <via = shared, pack = 1>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: promote = 4 is not in 0 .. 1048576: steps after which accumulators of a matrix instruction are added to totals, with summation = plain and without products = 3}}
#p = #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], promote = 4, a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: promote = -1 is not in 0 .. 1048576: steps after which accumulators of a matrix instruction are added to totals, with summation = plain and without products = 3}}
#p = #blas.plan<macro = [64, 64, 32], micro = [8, 8], lanes = [8, 4], mma = m16n8k16_bf16, promote = -1, a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: products = 2 is not 3, 4 or 6}}
#p = #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], products = 2, a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{path: layout = planar is a layout of complex elements in shared memory, one by one: it belongs to via = shared and copy = register or async}}
#p = #blas.path<via = shared, copy = bulk, layout = planar>

// -----

// expected-error @+1 {{path: layout = planar is a layout of complex elements in shared memory, one by one: it belongs to via = shared and copy = register or async}}
#p = #blas.path<via = register, layout = planar>

// -----

// expected-error @+1 {{plan: slicedK = 0 is not in 1 .. 1024}}
#p = #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], slicedK = 0, a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: slicedK = 2048 is not in 1 .. 1024}}
#p = #blas.plan<macro = [64, 64, 64], micro = [4, 4], lanes = [4, 8], slicedK = 2048, a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: macro tile 8 along K does not divide among 3 parts in slices of 1}}
#p = #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], slicedK = 3, a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: macro tile 8 along K does not divide among 4 parts in slices of 4}}
#p = #blas.plan<macro = [64, 64, 8], micro = [4, 8], lanes = [8, 4], slicedK = 4, mma = m16n8k4_f64, a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: prefetch = 2 is not 0 or 1}}
#p = #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>, prefetch = 2>

// -----

// expected-error @+1 {{plan: unroll = 9 is not in 0 .. 8, the slices of a step}}
#p = #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>, unroll = 9>

// -----

// expected-error @+1 {{extent: least = 8 is more than most = 4}}
func.func private @extent() attributes {x = #blas.extent<least = 8, most = 4>}

// -----

// expected-error @+1 {{extent: least = -1, most = 0 must not be negative}}
func.func private @extent() attributes {x = #blas.extent<least = -1>}

// -----

// expected-error @+1 {{extent: multiple = 0 is not positive}}
func.func private @extent() attributes {x = #blas.extent<multiple = 0>}

// -----

// expected-error @+1 {{given: b = 3 is not 1, 2, 4, 8 or 16}}
func.func private @given() attributes {x = #blas.given<b = 3>}

// -----

// expected-error @+1 {{address: align = 12 is not a power of 2}}
func.func private @address(memref<8x8xf32> {blas.given = #blas.address<align = 12>})

// -----

// expected-error @+1 {{argument 1: 'blas.given' is 4 : i64, expected a #blas.address}}
func.func private @address_of_bytes(memref<8x8xf32>, memref<8x8xf32> {blas.given = 4 : i64})

// -----

// expected-error @+1 {{argument 0: 'blas.given' is a fact about memrefs, not about 'f32'}}
func.func private @address_of_number(f32 {blas.given = #blas.address<align = 4>})

// -----

// expected-error @+1 {{path: swizzle = 6 is not 0 or a power of 2 up to 64}}
#p = #blas.path<via = shared, swizzle = 6>

// -----

// expected-error @+1 {{plan: mma = m16n8k5_f64 does not exist; there are fma, m8n8k4_f64, m16n8k4_f64, m16n8k8_f64, m16n8k16_f64}}
#p = #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [8, 4], mma = m16n8k5_f64, a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: lanes = [4, 8], but those of m16n8k8_f64 lie [8, 4]}}
#p = #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [4, 8], mma = m16n8k8_f64, a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: macro tile 8 is not a multiple of 16 along K, a slice of m16n8k16_f64}}
#p = #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [8, 4], mma = m16n8k16_f64, a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: the 24 elements of a subgroup along M are not a multiple of 16, for m16n8k8_f64 in runs of 1}}
#p = #blas.plan<macro = [72, 64, 8], micro = [3, 4], lanes = [8, 4], mma = m16n8k8_f64, a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: the 8 elements of a subgroup along N are not a multiple of 16, for m16n8k8_f64 in runs of 2}}
#p = #blas.plan<macro = [64, 64, 8], micro = [4, 2], lanes = [8, 4], vector = 2, mma = m16n8k8_f64, a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{instruction 'm9' does not exist; there are m8n8k4_f64, m16n8k4_f64}}
#t = #blas.target<instructions = [m9 = 1]>

// -----

// expected-error @+1 {{unknown target key 'unit', did you mean 'units'?}}
#t = #blas.target<unit = 4>

// -----

// expected-error @+1 {{target: key 'units' appears twice}}
#t = #blas.target<units = 4, units = 5>

// -----

// expected-error @+1 {{target: bulkCopy = 'yes' is none of true, false}}
#t = #blas.target<bulkCopy = yes>

// -----

// expected-error @+1 {{target: vendor = 'nvidea' is none of nvidia, amd, did you mean 'nvidia'?}}
#t = #blas.target<vendor = nvidea>

// -----

// expected-error @+1 {{target 'toy': launchNs = -1 is negative}}
#t = #blas.target<chip = "toy", vendor = nvidia, arch = "sm_90a", units = 4, clockMHz = 1000, subgroup = 32, schedulersPerUnit = 4, registersPerUnit = 65536, registersPerThread = 255, registerGranule = 256, sharedBytesPerUnit = 65536, sharedBytesPerBlock = 49152, sharedBytesReserved = 1024, sharedGranule = 128, sharedBytesPerClock = 128, sharedBanks = 32, threadsPerUnit = 2048, threadsPerBlock = 1024, blocksPerUnit = 32, fmaF32PerClock = 128, fmaF64PerClock = 64, l2Bytes = 1048576, l2GBps = 8000, dramReadGBps = 4000, dramCopyGBps = 4000, dramWriteGBps = 4000, dramLatencyCycles = 600, l2LatencyCycles = 250, sharedLatencyCycles = 30, fmaLatencyCycles = 4, launchNs = -1>

// -----

// expected-error @+1 {{target 'toy': instruction m8n16k4_f64 is m16n8k4_f64 with operands exchanged: chips have the rate of that}}
#t = #blas.target<chip = "toy", vendor = nvidia, arch = "sm_90a", units = 4, clockMHz = 1000, subgroup = 32, schedulersPerUnit = 4, registersPerUnit = 65536, registersPerThread = 255, registerGranule = 256, sharedBytesPerUnit = 65536, sharedBytesPerBlock = 49152, sharedBytesReserved = 1024, sharedGranule = 128, sharedBytesPerClock = 128, sharedBanks = 32, threadsPerUnit = 2048, threadsPerBlock = 1024, blocksPerUnit = 32, fmaF32PerClock = 128, fmaF64PerClock = 64, l2Bytes = 1048576, l2GBps = 8000, dramReadGBps = 4000, dramCopyGBps = 4000, dramWriteGBps = 4000, dramLatencyCycles = 600, l2LatencyCycles = 250, sharedLatencyCycles = 30, fmaLatencyCycles = 4, launchNs = 3000, instructions = [m8n16k4_f64 = 1]>

// -----

// expected-error @+1 {{target 'toy': instruction m8n8k4_f64: gflops = 0 is not positive}}
#t = #blas.target<chip = "toy", vendor = nvidia, arch = "sm_90a", units = 4, clockMHz = 1000, subgroup = 32, schedulersPerUnit = 4, registersPerUnit = 65536, registersPerThread = 255, registerGranule = 256, sharedBytesPerUnit = 65536, sharedBytesPerBlock = 49152, sharedBytesReserved = 1024, sharedGranule = 128, sharedBytesPerClock = 128, sharedBanks = 32, threadsPerUnit = 2048, threadsPerBlock = 1024, blocksPerUnit = 32, fmaF32PerClock = 128, fmaF64PerClock = 64, l2Bytes = 1048576, l2GBps = 8000, dramReadGBps = 4000, dramCopyGBps = 4000, dramWriteGBps = 4000, dramLatencyCycles = 600, l2LatencyCycles = 250, sharedLatencyCycles = 30, fmaLatencyCycles = 4, launchNs = 3000, instructions = [m8n8k4_f64 = 0]>

// -----

// expected-error @+1 {{target 'toy': instruction m8n8k4_f64 appears twice}}
#t = #blas.target<chip = "toy", vendor = nvidia, arch = "sm_90a", units = 4, clockMHz = 1000, subgroup = 32, schedulersPerUnit = 4, registersPerUnit = 65536, registersPerThread = 255, registerGranule = 256, sharedBytesPerUnit = 65536, sharedBytesPerBlock = 49152, sharedBytesReserved = 1024, sharedGranule = 128, sharedBytesPerClock = 128, sharedBanks = 32, threadsPerUnit = 2048, threadsPerBlock = 1024, blocksPerUnit = 32, fmaF32PerClock = 128, fmaF64PerClock = 64, l2Bytes = 1048576, l2GBps = 8000, dramReadGBps = 4000, dramCopyGBps = 4000, dramWriteGBps = 4000, dramLatencyCycles = 600, l2LatencyCycles = 250, sharedLatencyCycles = 30, fmaLatencyCycles = 4, launchNs = 3000, instructions = [m8n8k4_f64 = 1, m8n8k4_f64 = 2]>

// -----

// expected-error @+1 {{target 'toy': instruction mfma_m16n16k4_f64 is one of AMD GPUs, but vendor = nvidia}}
#t = #blas.target<chip = "toy", vendor = nvidia, arch = "sm_90a", units = 4, clockMHz = 1000, subgroup = 32, schedulersPerUnit = 4, registersPerUnit = 65536, registersPerThread = 255, registerGranule = 256, sharedBytesPerUnit = 65536, sharedBytesPerBlock = 49152, sharedBytesReserved = 1024, sharedGranule = 128, sharedBytesPerClock = 128, sharedBanks = 32, threadsPerUnit = 2048, threadsPerBlock = 1024, blocksPerUnit = 32, fmaF32PerClock = 128, fmaF64PerClock = 64, l2Bytes = 1048576, l2GBps = 8000, dramReadGBps = 4000, dramCopyGBps = 4000, dramWriteGBps = 4000, dramLatencyCycles = 600, l2LatencyCycles = 250, sharedLatencyCycles = 30, fmaLatencyCycles = 4, launchNs = 3000, instructions = [mfma_m16n16k4_f64 = 1]>

// -----

// expected-error @+1 {{target 'toy': instruction m8n8k4_f64 is one of NVIDIA GPUs, but vendor = amd}}
#t = #blas.target<chip = "toy", vendor = amd, arch = "gfx1100", units = 4, clockMHz = 1000, subgroup = 32, schedulersPerUnit = 4, registersPerUnit = 65536, registersPerThread = 255, registerGranule = 256, sharedBytesPerUnit = 65536, sharedBytesPerBlock = 49152, sharedBytesReserved = 1024, sharedGranule = 128, sharedBytesPerClock = 128, sharedBanks = 32, threadsPerUnit = 2048, threadsPerBlock = 1024, blocksPerUnit = 32, fmaF32PerClock = 128, fmaF64PerClock = 64, l2Bytes = 1048576, l2GBps = 8000, dramReadGBps = 4000, dramCopyGBps = 4000, dramWriteGBps = 4000, dramLatencyCycles = 600, l2LatencyCycles = 250, sharedLatencyCycles = 30, fmaLatencyCycles = 4, launchNs = 3000, instructions = [m8n8k4_f64 = 1]>

// -----

// expected-error @+1 {{target 'toy': instruction mfma_m16n16k4_f64 has 64 lanes, but subgroup = 32}}
#t = #blas.target<chip = "toy", vendor = amd, arch = "gfx1100", units = 4, clockMHz = 1000, subgroup = 32, schedulersPerUnit = 4, registersPerUnit = 65536, registersPerThread = 255, registerGranule = 256, sharedBytesPerUnit = 65536, sharedBytesPerBlock = 49152, sharedBytesReserved = 1024, sharedGranule = 128, sharedBytesPerClock = 128, sharedBanks = 32, threadsPerUnit = 2048, threadsPerBlock = 1024, blocksPerUnit = 32, fmaF32PerClock = 128, fmaF64PerClock = 64, l2Bytes = 1048576, l2GBps = 8000, dramReadGBps = 4000, dramCopyGBps = 4000, dramWriteGBps = 4000, dramLatencyCycles = 600, l2LatencyCycles = 250, sharedLatencyCycles = 30, fmaLatencyCycles = 4, launchNs = 3000, instructions = [mfma_m16n16k4_f64 = 1]>

// -----

// expected-error @+1 {{target 'toy': subgroup = 33 is no power of 2}}
#t = #blas.target<chip = "toy", vendor = nvidia, arch = "sm_90a", units = 4, clockMHz = 1000, subgroup = 33, schedulersPerUnit = 4, registersPerUnit = 65536, registersPerThread = 255, registerGranule = 256, sharedBytesPerUnit = 65536, sharedBytesPerBlock = 49152, sharedBytesReserved = 1024, sharedGranule = 128, sharedBytesPerClock = 128, sharedBanks = 32, threadsPerUnit = 2048, threadsPerBlock = 1024, blocksPerUnit = 32, fmaF32PerClock = 128, fmaF64PerClock = 64, l2Bytes = 1048576, l2GBps = 8000, dramReadGBps = 4000, dramCopyGBps = 4000, dramWriteGBps = 4000, dramLatencyCycles = 600, l2LatencyCycles = 250, sharedLatencyCycles = 30, fmaLatencyCycles = 4, launchNs = 3000>

// -----

// expected-error @+1 {{target 'toy': subgroup = 128 is not in 1 .. 64}}
#t = #blas.target<chip = "toy", vendor = nvidia, arch = "sm_90a", units = 4, clockMHz = 1000, subgroup = 128, schedulersPerUnit = 4, registersPerUnit = 65536, registersPerThread = 255, registerGranule = 256, sharedBytesPerUnit = 65536, sharedBytesPerBlock = 49152, sharedBytesReserved = 1024, sharedGranule = 128, sharedBytesPerClock = 128, sharedBanks = 32, threadsPerUnit = 2048, threadsPerBlock = 1024, blocksPerUnit = 32, fmaF32PerClock = 128, fmaF64PerClock = 64, l2Bytes = 1048576, l2GBps = 8000, dramReadGBps = 4000, dramCopyGBps = 4000, dramWriteGBps = 4000, dramLatencyCycles = 600, l2LatencyCycles = 250, sharedLatencyCycles = 30, fmaLatencyCycles = 4, launchNs = 3000>

// -----

// expected-error @+1 {{target 'toy': arch = "gfx942" does not begin with sm_, as those of vendor = nvidia do}}
#t = #blas.target<chip = "toy", vendor = nvidia, arch = "gfx942", units = 4, clockMHz = 1000, subgroup = 32, schedulersPerUnit = 4, registersPerUnit = 65536, registersPerThread = 255, registerGranule = 256, sharedBytesPerUnit = 65536, sharedBytesPerBlock = 49152, sharedBytesReserved = 1024, sharedGranule = 128, sharedBytesPerClock = 128, sharedBanks = 32, threadsPerUnit = 2048, threadsPerBlock = 1024, blocksPerUnit = 32, fmaF32PerClock = 128, fmaF64PerClock = 64, l2Bytes = 1048576, l2GBps = 8000, dramReadGBps = 4000, dramCopyGBps = 4000, dramWriteGBps = 4000, dramLatencyCycles = 600, l2LatencyCycles = 250, sharedLatencyCycles = 30, fmaLatencyCycles = 4, launchNs = 3000>

// -----

// expected-error @+1 {{target 'toy': arch = "sm_90a" does not begin with gfx, as those of vendor = amd do}}
#t = #blas.target<chip = "toy", vendor = amd, arch = "sm_90a", units = 4, clockMHz = 1000, subgroup = 32, schedulersPerUnit = 4, registersPerUnit = 65536, registersPerThread = 255, registerGranule = 256, sharedBytesPerUnit = 65536, sharedBytesPerBlock = 49152, sharedBytesReserved = 1024, sharedGranule = 128, sharedBytesPerClock = 128, sharedBanks = 32, threadsPerUnit = 2048, threadsPerBlock = 1024, blocksPerUnit = 32, fmaF32PerClock = 128, fmaF64PerClock = 64, l2Bytes = 1048576, l2GBps = 8000, dramReadGBps = 4000, dramCopyGBps = 4000, dramWriteGBps = 4000, dramLatencyCycles = 600, l2LatencyCycles = 250, sharedLatencyCycles = 30, fmaLatencyCycles = 4, launchNs = 3000>

// -----

// expected-error @+1 {{path: copy = tensor moves whole tiles, at the request of one thread: it has no pad}}
#p = #blas.path<via = shared, copy = tensor, vector = 4, pad = 4>

// -----

// expected-error @+1 {{path: copy = tensor moves whole rows along M or N: it has no major = k}}
#p = #blas.path<via = shared, copy = tensor, vector = 4, major = k>

// -----

// expected-error @+1 {{argument: a descriptor with a box of 0 sizes; a descriptor has the vectors of one, the real elements of each, and bytes of a swizzle, if there is one}}
#p = #blas.arg<descriptor a>

// -----

// expected-error @+1 {{argument: a pointer with a box of 2 sizes; a descriptor has the vectors of one, the real elements of each, and bytes of a swizzle, if there is one}}
#p = #blas.arg<pointer a box [4, 4]>

// -----

// expected-error @+1 {{path: flat copies vectors as they follow each other: it belongs to via = shared and copy = register or async, without pack, pad, swizzle or lanes}}
#p = #blas.path<via = shared, pad = 2, flat = 7>

// -----

// expected-error @+1 {{path: flat copies vectors as they follow each other: it belongs to via = shared and copy = register or async, without pack, pad, swizzle or lanes}}
#p = #blas.path<via = shared, copy = bulk, flat = 8>

// -----

// expected-error @+1 {{path: flat = -1 is not in 0 .. 2^20}}
#p = #blas.path<via = shared, flat = -1>

// -----

// expected-error @+1 {{tiling: 32 threads do not divide among 5 groups}}
#t = #blas.tiling<tile = [1, 32], threads = 32, groups = 5>

// -----

// expected-error @+1 {{tiling: groups share out the slices of a tile of one row, not of 4}}
#t = #blas.tiling<tile = [4, 32], threads = 32, groups = 2>

// -----

// expected-error @+1 {{plan: flat = 9 writes whole rows of C as one: they have at most 8 elements, those of a tile, with c = shared, reduction = none and slicedK = 1}}
#p = #blas.plan<macro = [8, 8, 8], micro = [2, 2], lanes = [4, 4], a = <via = shared>, b = <via = shared>, c = shared, flat = 9>

// -----

// expected-error @+1 {{plan: flat = 5 writes whole rows of C as one: they have at most 8 elements, those of a tile, with c = shared, reduction = none and slicedK = 1}}
#p = #blas.plan<macro = [8, 8, 8], micro = [2, 2], lanes = [4, 4], a = <via = shared>, b = <via = shared>, flat = 5>

// -----

// expected-error @+1 {{plan: depth = 17 is not in 1 .. 16}}
#p = #blas.plan<macro = [8, 8, 8], micro = [2, 2], lanes = [4, 4], depth = 17, a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: macro tile 8 along K does not divide among 1 parts in slices of 3}}
#p = #blas.plan<macro = [8, 8, 8], micro = [2, 2], lanes = [4, 4], depth = 3, a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: depth = 2, but slices of m8n8k4_f64 have 8}}
#p = #blas.plan<macro = [8, 8, 8], micro = [1, 2], lanes = [8, 4], depth = 2, mma = m8n8k4_f64, a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: complex = induced needs four real products and slices of partial sums: it belongs to reduction = workspace, without products = 3 or tail = split, and without pack or copy = tensor unless products = 6}}
#p = #blas.plan<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], complex = induced, a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: complex = induced needs four real products and slices of partial sums}}
#p = #blas.plan<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], complex = induced, a = <via = shared, pack = 1>, b = <via = shared>, reduction = workspace, splits = 2>

// -----

// expected-error @+1 {{plan: complex = induced needs four real products and slices of partial sums}}
#p = #blas.plan<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], complex = induced, a = <via = shared, copy = tensor, vector = 2>, b = <via = shared>, reduction = workspace, splits = 2>

// -----

// expected-error @+1 {{unknown plan key 'stage', did you mean 'stages'?}}
#p = #blas.plan<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], a = <via = shared>, b = <via = shared>, stage = 1>

// -----

// expected-error @+1 {{unknown plan key 'groups', it is called 'slicedK' now}}
#p = #blas.plan<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], groups = 2, a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{unknown plan key 'ahead', it is called 'prefetch' now}}
#p = #blas.plan<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], a = <via = shared>, b = <via = shared>, ahead = 1>

// -----

// expected-error @+1 {{unknown plan key 'numbers', it is called 'complex' now}}
#p = #blas.plan<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], numbers = real, a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{unknown plan key 'sums', it is called 'summation' now}}
#p = #blas.plan<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], sums = plain, a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{unknown path key 'parts', it is called 'layout' now}}
#p = #blas.plan<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], a = <via = shared, parts = apart>, b = <via = shared>>

// -----

// expected-error @+1 {{unknown plan key 'warps'; there are macro, micro, lanes, slicedK, depth, vector, mma, products, complex, summation, promote, a, b, c, flat, loadsC, stages, prefetch, unroll, reduction, splits, tail, raster, residency}}
#p = #blas.plan<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], warps = 2, a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{plan lacks the key 'micro', elements of C that one thread accumulates}}
#p = #blas.plan<macro = [16, 16, 8], lanes = [8, 4], a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{path 'b' of the plan lacks the key 'via', where the operand is staged}}
#p = #blas.plan<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], a = <via = shared>, b = <vector = 4>>

// -----

// expected-error @+1 {{path lacks the key 'via'}}
#p = #blas.path<>

// -----

// expected-error @+1 {{path 'a' of the plan: copy = 'asynk' is none of register, async, bulk, tensor, did you mean 'async'?}}
#p = #blas.plan<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], a = <via = shared, copy = asynk>, b = <via = shared>>

// -----

// expected-error @+1 {{plan: key 'vector' appears twice}}
#p = #blas.plan<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], vector = 1, vector = 1, a = <via = shared>, b = <via = shared>>

// -----

// expected-error @+1 {{path: pad = -4 is not in 0 .. 1024}}
#p = #blas.plan<macro = [16, 16, 8], micro = [2, 4], lanes = [8, 4], a = <via = shared>, b = <via = shared, pad = -4>>

// -----

// expected-error @+1 {{blocks: diagonal = 24 is not base = 16 times a power of 2}}
func.func private @not_doubled() attributes {test.blocks = #blas.blocks<diagonal = 24, method = invert, base = 16>}

// -----

// expected-error @+1 {{blocks: base = 4 is for method = invert, but method = substitute}}
func.func private @base_of_nothing() attributes {test.blocks = #blas.blocks<diagonal = 8, base = 4>}
