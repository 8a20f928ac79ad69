// Coefficients of the cost model: read back as they are, and what planning goes by.
// RUN: gemm-opt %s | gemm-opt | FileCheck %s
// RUN: gemm-opt %s --emit-bytecode | gemm-opt | FileCheck %s
// RUN: gemm-opt %s --tile-select 2>&1 >/dev/null | FileCheck %s --check-prefix=REMARK

// CHECK: launchNs = 3000, calibration = <multiply = {{.*}}, issueRead = 8.0, {{.*}}, allocation = {{.*}}, bulkForms = {{\[\[1, 8, 8, 16, 2, 8\]\]}}, leastSpreadSteps = 48>>
// REMARK-NOT: calibration:
// REMARK: limit: {{.*}}issue slots
#c = #blas.calibration<multiply = 0.9831, multiplyWide = 0.1787, issueMultiply = 2.0, issueRead = 8.0, issueStore = 10.95, issueCopy = 12.24, copyPort = 0.1467, loadLine = 1.087, copyLine = 1.244, scatter = 0.08193, step = 38.3, barrier = 73.41, loadLatency = 1.853, readRun = 17.91, write = 0.8, writeLine = 1.879, atomic = 4.0, exchange = 0.9, peer = 3.969, cluster = 221.9, workgroup = 15.52, concurrent = 0.4914, startup = 0.5952, instruction = 0.1583, nextLaunch = 835.1, allocation = 1227.0, bulkForms = [[1, 8, 8, 16, 2, 8]], leastBulkK = 1024, leastSpreadSteps = 48>
#t = #blas.target<chip = "toy", vendor = nvidia, arch = "sm_90a", units = 4, clockMHz = 1000, subgroup = 32, schedulersPerUnit = 4, registersPerUnit = 65536, registersPerThread = 255, registerGranule = 256, sharedBytesPerUnit = 65536, sharedBytesPerBlock = 49152, sharedBytesReserved = 1024, sharedGranule = 128, sharedBytesPerClock = 128, sharedBanks = 32, threadsPerUnit = 2048, threadsPerBlock = 1024, blocksPerUnit = 32, fmaF32PerClock = 128, fmaF64PerClock = 64, l2Bytes = 1048576, l2GBps = 8000, dramReadGBps = 4000, dramCopyGBps = 4000, dramWriteGBps = 4000, dramLatencyCycles = 600, l2LatencyCycles = 250, sharedLatencyCycles = 30, fmaLatencyCycles = 4, launchNs = 3000, calibration = #c>
module attributes {blas.target = #t} {
  func.func @f(%a: tensor<512x512xf32>, %b: tensor<512x512xf32>, %c: tensor<512x512xf32>) -> tensor<512x512xf32> {
    %one = arith.constant 1.0 : f32
    %0 = blas.gemm ins(%a, %b : tensor<512x512xf32>, tensor<512x512xf32>) outs(%c : tensor<512x512xf32>) alpha(%one : f32) beta(%one : f32) -> tensor<512x512xf32>
    return %0 : tensor<512x512xf32>
  }
}
