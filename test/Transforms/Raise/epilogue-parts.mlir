// The parts of an operation have the parts of its extra operands; partial sums have none, their reduction does.
// RUN: gemm-opt %s --tail-split | FileCheck %s --check-prefix=TAIL
// RUN: gemm-opt %s --reduction-select | FileCheck %s --check-prefix=SUM
// RUN: gemm-opt %s --plan-dispatch | FileCheck %s --check-prefix=CHOICE

// TAIL-LABEL: func.func @tails
// TAIL-SAME: %[[BIAS:[a-z0-9]+]]: memref<37xf32>, %[[COLUMN:[a-z0-9]+]]: memref<33xf32>, %[[R:[a-z0-9]+]]: memref<37x33xf32>
// TAIL: %[[X:.*]] = memref.subview %[[BIAS]][0] [32] [1]
// TAIL: %[[Y:.*]] = memref.subview %[[COLUMN]][0] [32] [1]
// TAIL: %[[Z:.*]] = memref.subview %[[R]][0, 0] [32, 32] [1, 1]
// TAIL: epilogue(%{{.*}}: f32, %{{.*}} = %[[X]][1] : {{.*}}, %{{.*}} = %[[Y]][0] : {{.*}}, %{{.*}} = %[[Z]][1, 0]
// TAIL: %[[X2:.*]] = memref.subview %[[BIAS]][32] [5] [1]
// TAIL: %[[Y2:.*]] = memref.subview %[[COLUMN]][0] [32] [1]
// TAIL: %[[Z2:.*]] = memref.subview %[[R]][32, 0] [5, 32] [1, 1]
// TAIL: epilogue(%{{.*}}: f32, %{{.*}} = %[[X2]][1] : {{.*}}, %{{.*}} = %[[Y2]][0] : {{.*}}, %{{.*}} = %[[Z2]][1, 0]
// TAIL: %[[Y3:.*]] = memref.subview %[[COLUMN]][32] [1] [1]
// TAIL: %[[Z3:.*]] = memref.subview %[[R]][0, 32] [37, 1] [1, 1]
// TAIL: epilogue(%{{.*}}: f32, %{{.*}} = %[[BIAS]][1] : memref<37xf32>, %{{.*}} = %[[Y3]][0] : {{.*}}, %{{.*}} = %[[Z3]][1, 0]
func.func @tails(%a: memref<33x8xf32>, %b: memref<8x37xf32>, %c: memref<33x37xf32>, %bias: memref<37xf32>, %column: memref<33xf32>, %r: memref<37x33xf32>) {
  blas.gemm ins(%a, %b : memref<33x8xf32>, memref<8x37xf32>) outs(%c : memref<33x37xf32>)
      plan(<macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4], a = <via = shared>, b = <via = shared>, tail = split>)
    epilogue(%sum: f32, %x = %bias[1] : memref<37xf32>, %y = %column[0] : memref<33xf32>, %z = %r[1, 0] : memref<37x33xf32>) {
      %0 = arith.addf %sum, %x : f32
      %1 = arith.addf %0, %y : f32
      %2 = arith.addf %1, %z : f32
      blas.yield %2 : f32
    }
  return
}

// SUM-LABEL: func.func @sums
// SUM: blas.gemm partial ins
// SUM-NOT: epilogue
// SUM: blas.reduce ins({{.*}}) outs({{.*}}) beta(%{{.*}} : f32) epilogue(%[[S:.*]]: f32, %[[X:.*]] = %{{.*}}[1] : memref<16xf32>) {
// SUM-NEXT: %[[T:.*]] = arith.addf %[[S]], %[[X]]
// SUM-NEXT: blas.yield %[[T]]
func.func @sums(%a: memref<16x64xf32>, %b: memref<64x16xf32>, %c: memref<16x16xf32>, %bias: memref<16xf32>, %beta: f32) {
  blas.gemm ins(%a, %b : memref<16x64xf32>, memref<64x16xf32>) outs(%c : memref<16x16xf32>) beta(%beta : f32)
      plan(<macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4], a = <via = shared>, b = <via = shared>, reduction = workspace, splits = 4>)
    epilogue(%sum: f32, %x = %bias[1] : memref<16xf32>) {
      %0 = arith.addf %sum, %x : f32
      blas.yield %0 : f32
    }
  return
}

// CHOICE-LABEL: func.func @plans
// CHOICE: scf.index_switch
// CHOICE: blas.gemm {{.*}} epilogue(
// CHOICE: blas.gemm {{.*}} epilogue(
func.func @plans(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>, %bias: memref<?xf32>) {
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
      plans([#blas.case<when = <m = <multiple = 16>>, plan = <macro = [16, 16, 8], micro = [4, 4], lanes = [4, 4], a = <via = shared>, b = <via = shared>>>,
             #blas.case<plan = <macro = [8, 8, 8], micro = [2, 2], lanes = [4, 4], a = <via = shared>, b = <via = shared>>>])
    epilogue(%sum: f32, %x = %bias[1] : memref<?xf32>) {
      %0 = arith.addf %sum, %x : f32
      blas.yield %0 : f32
    }
  return
}
