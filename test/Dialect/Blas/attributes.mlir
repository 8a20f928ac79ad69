// RUN: gemm-opt %s | gemm-opt | FileCheck %s
// RUN: gemm-opt %s --emit-bytecode | gemm-opt | FileCheck %s

// CHECK: module attributes {blas.target = #blas.target<chip = "toy", vendor = nvidia, arch = "sm_90a", units = 4, clockMHz = 1000, {{.*}}, launchNs = 3000>}
module attributes {blas.target = #blas.target<chip = "toy", vendor = nvidia, arch = "sm_90a", units = 4, clockMHz = 1000, subgroup = 32, schedulersPerUnit = 4, registersPerUnit = 65536, registersPerThread = 255, registerGranule = 256, sharedBytesPerUnit = 65536, sharedBytesPerBlock = 49152, sharedBytesReserved = 1024, sharedGranule = 128, sharedBytesPerClock = 128, sharedBanks = 32, threadsPerUnit = 2048, threadsPerBlock = 1024, blocksPerUnit = 32, fmaF32PerClock = 128, fmaF64PerClock = 64, l2Bytes = 1048576, l2GBps = 8000, dramReadGBps = 4000, dramCopyGBps = 4000, dramWriteGBps = 4000, dramLatencyCycles = 600, l2LatencyCycles = 250, sharedLatencyCycles = 30, fmaLatencyCycles = 4, launchNs = 3000>} {
  // Every decision written out; the ones that are the default are not printed.
  // CHECK: test.plan = #blas.plan<macro = [128, 64, 16], micro = [8, 4], lanes = [4, 8], vector = 4, a = <via = shared, vector = 4, pad = 4>, b = <via = register>, raster = 8>
  func.func private @full() attributes {test.plan = #blas.plan<macro = [128, 64, 16], micro = [8, 4], lanes = [4, 8], vector = 4, mma = fma,
    a = <via = shared, copy = register, vector = 4, pad = 4>, b = <via = register, vector = 1, pad = 0>, stages = 2, reduction = none, tail = overlap, raster = 8>}

  // CHECK: test.plan = #blas.plan<macro = [128, 64, 16], micro = [8, 4], lanes = [4, 8], a = <via = shared, copy = async, pad = 4, swizzle = 2, lanes = 8>, b = <via = shared>, stages = 4, prefetch = 1, unroll = 8>
  func.func private @copies() attributes {test.plan = #blas.plan<macro = [128, 64, 16], micro = [8, 4], lanes = [4, 8],
    a = <via = shared, copy = async, vector = 1, pad = 4, swizzle = 2, lanes = 8>, b = <via = shared, lanes = 0>, stages = 4, prefetch = 1, unroll = 8>}

  // CHECK: test.plan = #blas.plan<macro = [6, 10, 1], micro = [3, 5], lanes = [2, 2], a = <via = shared>, b = <via = shared>, stages = 1>
  func.func private @odd() attributes {test.plan = #blas.plan<macro = [6, 10, 1], micro = [3, 5], lanes = [2, 2], a = <via = shared>, b = <via = shared>, stages = 1>}

  // CHECK: test.contract = #blas.contract<args = [], tile = [64, 64], workgroup = 256, sharedBytes = 0, structure = lower>
  func.func private @contract_of_triangle() attributes {test.contract = #blas.contract<args = [], tile = [64, 64], workgroup = 256, sharedBytes = 0, structure = lower>}
  // CHECK: test.contract = #blas.contract<args = [<pointer a align 16>, <offset a>, <size a[1]>, <stride b>, <scalar beta>, <workspace c>], tile = [128, 64], workgroup = 256, sharedBytes = 0>
  func.func private @contract() attributes {test.contract = #blas.contract<args = [<pointer a align 16>, <offset a>, <size a[1]>, <stride b[0]>, <scalar beta>, <workspace c>], tile = [128, 64], workgroup = 256, sharedBytes = 0>}

  // CHECK: test.given = #blas.given<m = <least = 128>, k = <most = 64, multiple = 16>, b = 4>
  func.func private @given() attributes {test.given = #blas.given<m = <least = 128, most = 0>, k = <multiple = 16, most = 64>, a = 1, b = 4>}

  // CHECK: func.func private @address(memref<8x8xf32> {blas.given = #blas.address<align = 8>}, memref<8x8xf32> {blas.given = #blas.address<align = ?>})
  func.func private @address(memref<8x8xf32> {blas.given = #blas.address<align = 8>}, memref<8x8xf32> {blas.given = #blas.address<align = ?>})

  // CHECK: test.blocks = #blas.blocks<diagonal = 256, method = invert, base = 32>
  func.func private @blocks() attributes {test.blocks = #blas.blocks<diagonal = 256, workgroup = 64, method = invert, base = 32>}

  // CHECK: test.price = #blas.price<units = 132, blocks = 2, start = 1000, step = 300, rest = 2000, fullStep = 500, fullRest = 2500>
  func.func private @price() attributes {test.price = #blas.price<units = 132, blocks = 2, start = 1000, step = 300, rest = 2000, fullStep = 500, fullRest = 2500>}

  // CHECK: test.cases = [#blas.case<when = <n = <most = 16>, c = 2>, plan = <macro = [6, 10, 1], micro = [3, 5], lanes = [2, 2], a = <via = shared>, b = <via = shared>, tail = guard>>, #blas.case<plan = <macro = [6, 10, 1], micro = [3, 5], lanes = [2, 2], a = <via = shared>, b = <via = shared>, tail = split>>]
  func.func private @cases() attributes {test.cases = [
    #blas.case<when = <n = <most = 16>, c = 2>, plan = <macro = [6, 10, 1], micro = [3, 5], lanes = [2, 2], a = <via = shared>, b = <via = shared>, tail = guard>>,
    #blas.case<plan = <macro = [6, 10, 1], micro = [3, 5], lanes = [2, 2], a = <via = shared>, b = <via = shared>, tail = split>>]}
}
