// RUN: gemm-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{calibration lacks the key 'peer', time of bytes from other units, over that from L2}}
#c = #blas.calibration<multiply = 0.9831, multiplyWide = 0.1787, issueMultiply = 0.5274, issueRead = 1.019, issueStore = 10.95, issueCopy = 12.24, copyPort = 0.1467, loadLine = 1.087, copyLine = 1.244, scatter = 0.08193, step = 38.3, barrier = 73.41, loadLatency = 1.853, readRun = 17.91, write = 0.8, writeLine = 1.879, atomic = 4.0, exchange = 0.9, cluster = 221.9, workgroup = 15.52, concurrent = 0.4914, startup = 0.5952, instruction = 0.1583, nextLaunch = 835.1, allocation = 1227.0>

// -----

// expected-error @+1 {{calibration: multiply = 3.00 is not in 0.90 .. 1.50}}
#c = #blas.calibration<multiply = 3.0, multiplyWide = 0.1787, issueMultiply = 0.5274, issueRead = 1.019, issueStore = 10.95, issueCopy = 12.24, copyPort = 0.1467, loadLine = 1.087, copyLine = 1.244, scatter = 0.08193, step = 38.3, barrier = 73.41, loadLatency = 1.853, readRun = 17.91, write = 0.8, writeLine = 1.879, atomic = 4.0, exchange = 0.9, peer = 3.969, cluster = 221.9, workgroup = 15.52, concurrent = 0.4914, startup = 0.5952, instruction = 0.1583, nextLaunch = 835.1, allocation = 1227.0>

// -----

// expected-error @+1 {{unknown calibration key 'issueReads', did you mean 'issueRead'?}}
#c = #blas.calibration<issueReads = 1.0>

// -----

// expected-error @+1 {{calibration: key 'step' appears twice}}
#c = #blas.calibration<step = 1.0, step = 1.0>

// -----

// expected-error @+1 {{expected floating point literal}}
#c = #blas.calibration<step = one>

// -----

// expected-error @+1 {{calibration: leastBulkK = 0 is not positive}}
#c = #blas.calibration<multiply = 1.0, multiplyWide = 0.1787, issueMultiply = 0.5274, issueRead = 1.019, issueStore = 10.95, issueCopy = 12.24, copyPort = 0.1467, loadLine = 1.087, copyLine = 1.244, scatter = 0.08193, step = 38.3, barrier = 73.41, loadLatency = 1.853, readRun = 17.91, write = 0.8, writeLine = 1.879, atomic = 4.0, exchange = 0.9, peer = 3.969, cluster = 221.9, workgroup = 15.52, concurrent = 0.4914, startup = 0.5952, instruction = 0.1583, nextLaunch = 835.1, allocation = 1227.0, leastBulkK = 0>

// -----

// expected-error @+1 {{calibration: a form of bulkForms is 6 positive integers (multiply-adds of an element, micro M, micro N, macro K, stages, unroll)}}
#c = #blas.calibration<bulkForms = [[1, 8, 16]]>
