// RUN: gemm-opt %s -verify-diagnostics -split-input-file

func.func @m(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<5x6xf32>) -> tensor<5x6xf32> {
  // expected-error @+1 {{M differs: op(A) has 4 rows but C has 5 rows}}
  %d = blas.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<5x6xf32>) -> tensor<5x6xf32>
  return %d : tensor<5x6xf32>
}

// -----

func.func @n(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<4x7xf32>) {
  // expected-error @+1 {{N differs: op(B) has 6 columns but C has 7 columns}}
  blas.gemm ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<4x7xf32>)
  return
}

// -----

func.func @k(%a: memref<4x8xf32>, %b: memref<9x6xf32>, %c: memref<4x6xf32>) {
  // expected-error @+1 {{K differs: op(A) has 8 columns but op(B) has 9 rows}}
  blas.gemm ins(%a, %b : memref<4x8xf32>, memref<9x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

// The sizes are those of op(A) and op(B), not of the matrices as stored.
func.func @k_transposed(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<8x6xf32>) {
  // expected-error @+1 {{K differs: op(A) has 4 columns but op(B) has 8 rows}}
  blas.gemm opA<t> ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<8x6xf32>)
  return
}

// -----

func.func @batch(%a: memref<3x4x8xf32>, %b: memref<2x8x6xf32>, %c: memref<3x4x6xf32>) {
  // expected-error @+1 {{batch dimension 0 of operand B is 2 but that of C is 3}}
  blas.gemm ins(%a, %b : memref<3x4x8xf32>, memref<2x8x6xf32>) outs(%c : memref<3x4x6xf32>)
  return
}

// -----

func.func @rank_of_a(%a: memref<4x8xf32>, %b: memref<2x8x6xf32>, %c: memref<3x2x4x6xf32>) {
  // expected-error @+1 {{operand B has rank 3, expected 2 or the rank of C, 4}}
  blas.gemm ins(%a, %b : memref<4x8xf32>, memref<2x8x6xf32>) outs(%c : memref<3x2x4x6xf32>)
  return
}

// -----

func.func @rank_of_c(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<6xf32>) {
  // expected-error @+1 {{operand C has rank 1, expected at least 2}}
  blas.gemm ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<6xf32>)
  return
}

// -----

func.func @unranked(%a: tensor<*xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>) {
  // expected-error @+1 {{operand #0 must be ranked tensor or memref, but got 'tensor<*xf32>'}}
  blas.gemm ins(%a, %b : tensor<*xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

func.func @element(%a: memref<4x8xi32>, %b: memref<8x6xi32>, %c: memref<4x6xi32>) {
  // expected-error @+1 {{operand A has elements of 'i32', expected f16, bf16, f32, f64, complex<f32> or complex<f64>}}
  blas.gemm ins(%a, %b : memref<4x8xi32>, memref<8x6xi32>) outs(%c : memref<4x6xi32>)
  return
}

// -----

func.func @layout(%a: memref<4x8xf32, affine_map<(i, j) -> (i floordiv 2, j, i mod 2)>>, %b: memref<8x6xf32>, %c: memref<4x6xf32>) {
  // expected-error @+1 {{operand A has no strides: 'memref<4x8xf32, affine_map<(d0, d1) -> (d0 floordiv 2, d1, d0 mod 2)>>'}}
  blas.gemm ins(%a, %b : memref<4x8xf32, affine_map<(i, j) -> (i floordiv 2, j, i mod 2)>>, memref<8x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

func.func @mixed_forms(%a: tensor<4x8xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>) {
  // expected-error @+1 {{mixes tensors and memrefs: operand A is 'tensor<4x8xf32>', C is 'memref<4x6xf32>'}}
  blas.gemm ins(%a, %b : tensor<4x8xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

func.func @no_result(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) {
  // expected-error @+1 {{on tensors has one result}}
  blas.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>)
  return
}

// -----

func.func @result_type(%a: tensor<4x8xf32>, %b: tensor<8x6xf32>, %c: tensor<4x6xf32>) -> tensor<4x?xf32> {
  // expected-error @+1 {{result is 'tensor<4x?xf32>' but C is 'tensor<4x6xf32>'}}
  %d = blas.gemm ins(%a, %b : tensor<4x8xf32>, tensor<8x6xf32>) outs(%c : tensor<4x6xf32>) -> tensor<4x?xf32>
  return %d : tensor<4x?xf32>
}

// -----

func.func @complex_into_real(%a: memref<4x8xcomplex<f32>>, %b: memref<8x6xf32>, %c: memref<4x6xf32>) {
  // expected-error @+1 {{operand types do not match: A is 'complex<f32>', B is 'f32', C is 'f32'; C is complex exactly when A or B is}}
  blas.gemm ins(%a, %b : memref<4x8xcomplex<f32>>, memref<8x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

func.func @wide_operand(%a: memref<4x8xf64>, %b: memref<8x6xf32>, %c: memref<4x6xf32>) {
  // expected-error @+1 {{operand types do not match: A is 'f64', B is 'f32', C is 'f32'; a wider operand than C needs an explicit acc}}
  blas.gemm ins(%a, %b : memref<4x8xf64>, memref<8x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

func.func @narrow_accumulator(%a: memref<4x8xf64>, %b: memref<8x6xf64>, %c: memref<4x6xf64>) {
  // expected-error @+1 {{accumulator type 'f32' cannot hold operand A of 'f64'}}
  blas.gemm acc(f32) ins(%a, %b : memref<4x8xf64>, memref<8x6xf64>) outs(%c : memref<4x6xf64>)
  return
}

// -----

func.func @accumulator_range(%a: memref<4x8xf16>, %b: memref<8x6xbf16>, %c: memref<4x6xf16>) {
  // expected-error @+1 {{accumulator type 'f16' cannot hold operand B of 'bf16'}}
  blas.gemm acc(f16) ins(%a, %b : memref<4x8xf16>, memref<8x6xbf16>) outs(%c : memref<4x6xf16>)
  return
}

// -----

func.func @accumulator_below_c(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf64>) {
  // expected-error @+1 {{accumulator type 'f32' is narrower than C of 'f64'}}
  blas.gemm acc(f32) ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf64>)
  return
}

// -----

func.func @odd_accumulator(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>) {
  // expected-error @+1 {{accumulator type 'index' does not fit C of 'f32'}}
  blas.gemm acc(index) ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf32>)
  return
}

// -----

func.func @odd_complex_accumulator(%a: memref<4x8xcomplex<f32>>, %b: memref<8x6xcomplex<f32>>, %c: memref<4x6xcomplex<f32>>) {
  // expected-error @+1 {{accumulator type 'complex<i64>' does not fit C of 'complex<f32>'}}
  blas.gemm acc(complex<i64>) ins(%a, %b : memref<4x8xcomplex<f32>>, memref<8x6xcomplex<f32>>) outs(%c : memref<4x6xcomplex<f32>>)
  return
}

// -----

func.func @alpha(%a: memref<4x8xf16>, %b: memref<8x6xf16>, %c: memref<4x6xf16>, %alpha: f16) {
  // expected-error @+1 {{operand alpha is 'f16' but products are summed in 'f32'}}
  blas.gemm ins(%a, %b : memref<4x8xf16>, memref<8x6xf16>) outs(%c : memref<4x6xf16>) alpha(%alpha : f16)
  return
}

// -----

func.func @beta(%a: memref<4x8xf32>, %b: memref<8x6xf32>, %c: memref<4x6xf32>, %beta: f64) {
  // expected-error @+1 {{operand beta is 'f64' but products are summed in 'f32'}}
  blas.gemm ins(%a, %b : memref<4x8xf32>, memref<8x6xf32>) outs(%c : memref<4x6xf32>) beta(%beta : f64)
  return
}

// -----

func.func @output_is_input(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  // expected-error @+1 {{output C is also operand B: the output must not overlap an input}}
  blas.gemm ins(%a, %b : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>)
  return
}

// -----

func.func @output_overlaps_itself(%a: memref<4x4xf32>, %c: memref<4x4xf32, strided<[0, 1]>>) {
  // expected-error @+1 {{output C has stride 0 along dimension 0: its elements overlap}}
  blas.gemm ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32, strided<[0, 1]>>)
  return
}

// -----

func.func @result_on_memrefs(%a: memref<4x4xf32>, %b: memref<4x4xf32>) {
  // expected-error @+1 {{on memrefs has no result}}
  %c = blas.gemm ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%b : memref<4x4xf32>) -> tensor<4x4xf32>
  return
}

// -----

func.func @unknown_op(%a: memref<4x4xf32>, %c: memref<4x4xf32>) {
  // expected-error @+2 {{expected one of [n, t, c, j] for how an operand enters the product, got: h}}
  // expected-error @+1 {{failed to parse}}
  blas.gemm opA<h> ins(%a, %a : memref<4x4xf32>, memref<4x4xf32>) outs(%c : memref<4x4xf32>)
  return
}

// -----

// expected-error @+1 {{attribute 'blas.target' is "h200", expected a #blas.target}}
module attributes {blas.target = "h200"} {}

// -----

// expected-error @+1 {{attribute 'blas.contract' is 1 : i64, expected a #blas.contract}}
module attributes {blas.contract = 1} {}

// -----

func.func @given_size(%a: memref<?x6xf32>, %b: memref<6x?xf32>, %c: memref<?x?xf32>) {
  // expected-error @+1 {{given: k = #blas.extent<multiple = 4> but K is 6}}
  blas.gemm ins(%a, %b : memref<?x6xf32>, memref<6x?xf32>) outs(%c : memref<?x?xf32>)
    given(<k = <multiple = 4>>)
  return
}

// -----

func.func @given_least(%a: memref<32x?xf32>, %b: memref<?x?xf32>, %c: memref<32x?xf32>) {
  // expected-error @+1 {{given: m = #blas.extent<least = 64> but M is 32}}
  blas.gemm ins(%a, %b : memref<32x?xf32>, memref<?x?xf32>) outs(%c : memref<32x?xf32>)
    given(<m = <least = 64>>)
  return
}

// -----

func.func @given_stride(%a: memref<?x?xf32, strided<[6, 1]>>, %b: memref<?x?xf32, strided<[6, 1]>>, %c: memref<?x?xf32, strided<[6, 1]>>) {
  // expected-error @+1 {{given: b = 4 but operand B, 'memref<?x?xf32, strided<[6, 1]>>', allows 2}}
  blas.gemm ins(%a, %b : memref<?x?xf32, strided<[6, 1]>>, memref<?x?xf32, strided<[6, 1]>>) outs(%c : memref<?x?xf32, strided<[6, 1]>>)
    given(<b = 4>)
  return
}

// -----

func.func @given_nowhere(%a: memref<?x?xf32, strided<[?, ?]>>, %b: memref<?x?xf32, strided<[?, ?]>>, %c: memref<?x?xf32, strided<[?, ?]>>) {
  // expected-error @+1 {{given: c = 2 but operand C, 'memref<?x?xf32, strided<[?, ?]>>', allows 1}}
  blas.gemm ins(%a, %b : memref<?x?xf32, strided<[?, ?]>>, memref<?x?xf32, strided<[?, ?]>>) outs(%c : memref<?x?xf32, strided<[?, ?]>>)
    given(<c = 2>)
  return
}

// -----

func.func @plan_and_plans(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // expected-error @+1 {{has a plan and a set of plans: one of them decides}}
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
    plan(<macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>) plans([#blas.case<plan = <macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>>])
  return
}

// -----

func.func @no_cases(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // expected-error @+1 {{plans: the set is empty}}
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
    plans([])
  return
}

// -----

func.func @no_fallback(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // expected-error @+1 {{plans: case 0 is the last and serves what is left, but has a condition}}
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
    plans([#blas.case<when = <a = 2>, plan = <macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>>])
  return
}

// -----

func.func @hidden(%a: memref<?x?xf32>, %b: memref<?x?xf32>, %c: memref<?x?xf32>) {
  // expected-error @+1 {{plans: case 0 has no condition: later ones would never run}}
  blas.gemm ins(%a, %b : memref<?x?xf32>, memref<?x?xf32>) outs(%c : memref<?x?xf32>)
    plans([#blas.case<plan = <macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>>, #blas.case<plan = <macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>>])
  return
}

// -----

func.func @shadowed(%a: memref<?x4xf32>, %b: memref<4x4xf32>, %c: memref<?x4xf32>) {
  // expected-error @+1 {{plans: case 1 never runs: case 0 holds wherever it does}}
  blas.gemm ins(%a, %b : memref<?x4xf32>, memref<4x4xf32>) outs(%c : memref<?x4xf32>)
    plans([#blas.case<when = <m = <least = 64>>, plan = <macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>>,
           #blas.case<when = <m = <least = 128, multiple = 2>, a = 4>, plan = <macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>>,
           #blas.case<plan = <macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>>])
  return
}

// -----

// expected-error @+1 {{extent: no multiple of 8 is from 1 to 7}}
func.func private @no_multiple() attributes {test.extent = #blas.extent<least = 1, most = 7, multiple = 8>}

// -----

func.func @order(%a: memref<?x4xf32, strided<[4, 2]>>, %b: memref<4x4xf32>, %c: memref<?x4xf32>) {
  // expected-error @+1 {{given: orderA = row_major but operand A, 'memref<?x4xf32, strided<[4, 2]>>', has another stride along dimension 1}}
  blas.gemm ins(%a, %b : memref<?x4xf32, strided<[4, 2]>>, memref<4x4xf32>) outs(%c : memref<?x4xf32>) given(<orderA = row_major>)
  return
}

// -----

// The access is judged by the strides as the order has them.
func.func @order_and_access(%a: memref<?x6xf32, strided<[?, ?]>>, %b: memref<6x4xf32>, %c: memref<?x4xf32>) {
  // expected-error @+1 {{given: a = 4 but operand A, 'memref<?x6xf32, strided<[?, 1]>>', allows 2}}
  blas.gemm ins(%a, %b : memref<?x6xf32, strided<[?, ?]>>, memref<6x4xf32>) outs(%c : memref<?x4xf32>) given(<a = 4, orderA = row_major>)
  return
}

// -----

func.func @overlap(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32, strided<[3, 1]>>) {
  // expected-error @+1 {{output C overlaps itself: 1 steps of stride 3 along dimension 0, of size 4, and 3 of stride 1 along dimension 1, of size 4, are as long}}
  blas.gemm ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>) outs(%c : memref<4x4xf32, strided<[3, 1]>>)
  return
}

// -----

func.func @overlap_pointers(%t: memref<5xi64>, %a: memref<16x16xf32>) {
  %c = blas.batch %t : memref<5xi64> to memref<5x16x16xf32, #blas.pointers<strides = [8, 1]>>
  // expected-error @+1 {{output C overlaps itself: 1 steps of stride 8 along dimension 1, of size 16, and 8 of stride 1 along dimension 2, of size 16, are as long}}
  blas.gemm ins(%a, %a : memref<16x16xf32>, memref<16x16xf32>)
    outs(%c : memref<5x16x16xf32, #blas.pointers<strides = [8, 1]>>)
  return
}

// -----

// Interleaved, reversed and with gaps: every element has an address of its own.
func.func @distinct(%a: memref<4x8xf32>, %b: memref<8x4xf32>, %c: memref<4x4xf32, strided<[2, 9]>>,
                    %d: memref<4x4xf32, strided<[-8, 2], offset: 24>>, %e: memref<3x4x4xf32, strided<[1, 12, 3]>>) {
  blas.gemm ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>) outs(%c : memref<4x4xf32, strided<[2, 9]>>)
  blas.gemm ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>) outs(%d : memref<4x4xf32, strided<[-8, 2], offset: 24>>)
  blas.gemm ins(%a, %b : memref<4x8xf32>, memref<8x4xf32>) outs(%e : memref<3x4x4xf32, strided<[1, 12, 3]>>)
  return
}

// -----

// Cases with a price compete; one without runs before them.
func.func @shadowed_price(%a: memref<?x4xf32>, %b: memref<4x4xf32>, %c: memref<?x4xf32>) {
  // expected-error @+1 {{plans: case 1 never runs: case 0 holds wherever it does}}
  blas.gemm ins(%a, %b : memref<?x4xf32>, memref<4x4xf32>) outs(%c : memref<?x4xf32>)
    plans([#blas.case<when = <m = <least = 64>>, plan = <macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>>,
           #blas.case<when = <m = <least = 128>>, plan = <macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>, price = <units = 4, blocks = 1, start = 0, step = 1, rest = 1, fullStep = 1, fullRest = 1>>,
           #blas.case<plan = <macro = [32, 32, 8], micro = [4, 4], lanes = [4, 8], a = <via = shared>, b = <via = shared>>>])
  return
}

// -----

// expected-error @+1 {{price: units = 0, blocks = 1 are not positive}}
func.func private @no_units() attributes {test.price = #blas.price<units = 0, blocks = 1, start = 0, step = 1, rest = 1, fullStep = 1, fullRest = 1>}

// -----

// expected-error @+1 {{price: start = 0, step = -1, rest = 1 must not be negative}}
func.func private @negative_step() attributes {test.price = #blas.price<units = 1, blocks = 1, start = 0, step = -1, rest = 1, fullStep = 1, fullRest = 1>}

// -----

// expected-error @+1 {{price: a full wave lasts less than one workgroup: fullStep = 5, fullRest = 2}}
func.func private @full_is_less() attributes {test.price = #blas.price<units = 1, blocks = 2, start = 0, step = 4, rest = 3, fullStep = 5, fullRest = 2>}

// -----

func.func @unit_factor(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @below {{operand B is unit_upper, but of a product it is known to be lower, upper or general}}
  blas.gemm structureB<unit_upper> ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}

// -----

func.func @masked_general(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @below {{masked needs the structure of an operand: structureA, structureB}}
  blas.gemm masked ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}

// -----

func.func @masked_symmetric(%a: memref<8x8xf32>, %b: memref<8x8xf32>, %c: memref<8x8xf32>) {
  // expected-error @below {{operand A is symmetric_lower, but of a product it is masked to be lower, upper, unit_lower, unit_upper or general}}
  blas.gemm structureA<symmetric_lower> masked ins(%a, %b : memref<8x8xf32>, memref<8x8xf32>) outs(%c : memref<8x8xf32>)
  return
}
