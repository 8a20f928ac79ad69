// RUN: gemm-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{map: mode 0:(1, 0) needs a positive size and strides of at least 0}}
#m = #tile.map<threads = [0:(1, 0)], values = []>

// -----

// expected-error @+1 {{map: mode 4:(0, -1) needs a positive size and strides of at least 0}}
#m = #tile.map<threads = [], values = [4:(0, -1)]>

// -----

// expected-error @+1 {{matrix: expected rows and columns, got 1 sizes}}
func.func private @rank(!tile.matrix<4xf32, <threads = [], values = [4:(1, 0)]>>)

// -----

// expected-error @+1 {{matrix: the map reaches 8x1 but the matrix is 4x1}}
func.func private @reach(!tile.matrix<4x1xf32, <threads = [4:(2, 0)], values = [2:(1, 0)]>>)

// -----

// expected-error @+1 {{buffer: 0 stages}}
func.func private @stages(!tile.buffer<0 x 4x2xf32, strides = [1, 4]>)

// -----

// expected-error @+1 {{buffer: expected 2 sizes and 2 strides, got 2 and 1}}
func.func private @strides(!tile.buffer<1 x 4x2xf32, strides = [1]>)

// -----

// expected-error @+1 {{buffer: strides [0, 4] must be positive}}
func.func private @stride(!tile.buffer<1 x 4x2xf32, strides = [0, 4]>)

// -----

// expected-error @+1 {{buffer: element type 'index' is neither integer nor float, nor complex}}
func.func private @element(!tile.buffer<1 x 4x2xindex, strides = [1, 4]>)

// -----

func.func @coord(%size: index) {
  // expected-error @+1 {{tile needs 2 positive sizes}}
  %batch, %m, %n = tile.coord %size, %size tile [4]
  return
}

// -----

func.func @raster(%size: index) {
  // expected-error @+1 {{raster must be positive}}
  %batch, %m, %n = tile.coord %size, %size tile [4, 4] raster 0
  return
}

// -----

func.func @no_batches(%size: index) {
  // expected-error @+1 {{byRows is the order in which matrices of a batch are walked, but batches are missing}}
  %batch, %m, %n = tile.coord %size, %size byRows tile [4, 4]
  return
}

// -----

func.func @triangle_of_batches(%size: index) {
  // expected-error @+1 {{triangle: matrices of a batch are walked one after the other, not side by side as in batches}}
  %batch, %m, %n = tile.coord %size, %size batches %size triangle lower tile [4, 4]
  return
}

// -----

func.func @triangle_raster(%size: index) {
  // expected-error @+1 {{triangle: tiles are walked row by row, but raster is 2}}
  %batch, %m, %n = tile.coord %size, %size triangle lower tile [4, 4] raster 2
  return
}

// -----

func.func @triangle_tile(%size: index) {
  // expected-error @+1 {{triangle: tiles must be square, got 4x8}}
  %batch, %m, %n = tile.coord %size, %size triangle upper tile [4, 8]
  return
}

// -----

func.func @triangle_of_rectangle() {
  %rows = arith.constant 9 : index
  %columns = arith.constant 10 : index
  // expected-error @+1 {{triangle: the matrix must be square, got 9x10}}
  %batch, %m, %n = tile.coord %rows, %columns triangle lower tile [4, 4]
  return
}

// -----

func.func @triangle_word(%size: index) {
  // expected-error @+2 {{expected one of [lower, upper] for a half of a square matrix, with the diagonal, got: left}}
  // expected-error @+1 {{failed to parse}}
  %batch, %m, %n = tile.coord %size, %size triangle left tile [4, 4]
  return
}

// -----

func.func @view_stages(%ring: !tile.buffer<2 x 4x2xf32, strides = [1, 4]>, %i: index) {
  // expected-error @+1 {{a view has one stage, got 2}}
  %view = tile.view %ring[%i] [%i, %i] : !tile.buffer<2 x 4x2xf32, strides = [1, 4]> -> !tile.buffer<2 x 4x1xf32, strides = [1, 4]>
  return
}

// -----

func.func @view_strides(%ring: !tile.buffer<2 x 4x2xf32, strides = [1, 4]>, %i: index) {
  // expected-error @+1 {{a view keeps element type, strides, swizzle and parts of its buffer}}
  %view = tile.view %ring[%i] [%i, %i] : !tile.buffer<2 x 4x2xf32, strides = [1, 4]> -> !tile.buffer<1 x 4x1xf32, strides = [1, 8]>
  return
}

// -----

func.func @view_transposed(%ring: !tile.buffer<2 x 4x2xf32, strides = [1, 4]>, %i: index) {
  // expected-error @+1 {{a view keeps element type, strides, swizzle and parts of its buffer}}
  %view = tile.view %ring[%i] [%i, %i] transposed : !tile.buffer<2 x 4x2xf32, strides = [1, 4]> -> !tile.buffer<1 x 2x4xf32, strides = [1, 4]>
  return
}

// -----

func.func @view_transposed_size(%ring: !tile.buffer<2 x 4x2xf32, strides = [1, 4]>, %i: index) {
  // expected-error @+1 {{view size 4 exceeds 2 along dimension 0}}
  %view = tile.view %ring[%i] [%i, %i] transposed : !tile.buffer<2 x 4x2xf32, strides = [1, 4]> -> !tile.buffer<1 x 4x2xf32, strides = [4, 1]>
  return
}

// -----

func.func @realDiagonal(%sum: !tile.matrix<4x4xf32, <threads = [2:(0, 2), 2:(2, 0)], values = [2:(0, 1), 2:(1, 0)]>>, %C: memref<8x8xf32>, %i: index) {
  // expected-error @+1 {{realDiagonal belongs to a triangle of complex elements, got elements of 'f32'}}
  tile.update %sum, %C[%i, %i] triangle lower realDiagonal : !tile.matrix<4x4xf32, <threads = [2:(0, 2), 2:(2, 0)], values = [2:(0, 1), 2:(1, 0)]>>, memref<8x8xf32>
  return
}

// -----

func.func @view_size(%ring: !tile.buffer<2 x 4x2xf32, strides = [1, 4]>, %i: index) {
  // expected-error @+1 {{view size 3 exceeds 2 along dimension 1}}
  %view = tile.view %ring[%i] [%i, %i] : !tile.buffer<2 x 4x2xf32, strides = [1, 4]> -> !tile.buffer<1 x 4x3xf32, strides = [1, 4]>
  return
}

// -----

func.func @fill(%zero: f64) {
  // expected-error @+1 {{value is 'f64' but elements are 'f32'}}
  %matrix = tile.fill %zero : f64 -> !tile.matrix<4x1xf32, <threads = [4:(1, 0)], values = []>>
  return
}

// -----

func.func @load_ring(%ring: !tile.buffer<2 x 4x1xf32, strides = [1, 4]>) {
  // expected-error @+1 {{needs a view of one stage, got 2 stages}}
  %matrix = tile.load %ring : !tile.buffer<2 x 4x1xf32, strides = [1, 4]> -> !tile.matrix<4x1xf32, <threads = [4:(1, 0)], values = []>>
  return
}

// -----

func.func @load_shape(%view: !tile.buffer<1 x 8x1xf32, strides = [1, 8]>) {
  // expected-error @+1 {{matrix is 4x1 but the view is 8x1}}
  %matrix = tile.load %view : !tile.buffer<1 x 8x1xf32, strides = [1, 8]> -> !tile.matrix<4x1xf32, <threads = [4:(1, 0)], values = []>>
  return
}

// -----

func.func @load_element(%view: !tile.buffer<1 x 4x1xf64, strides = [1, 4]>) {
  // expected-error @+1 {{matrix of 'f32' but view of 'f64'}}
  %matrix = tile.load %view : !tile.buffer<1 x 4x1xf64, strides = [1, 4]> -> !tile.matrix<4x1xf32, <threads = [4:(1, 0)], values = []>>
  return
}

// -----

func.func @load_view_vector(%view: !tile.buffer<1 x 4x1xf32, strides = [1, 4]>) {
  // expected-error @+1 {{from a buffer has no row, column or vector}}
  %matrix = tile.load %view vector 4 : !tile.buffer<1 x 4x1xf32, strides = [1, 4]> -> !tile.matrix<4x1xf32, <threads = [], values = [4:(1, 0)]>>
  return
}

// -----

func.func @load_place(%A: memref<8x8xf32>) {
  // expected-error @+1 {{from a memref needs a row and a column}}
  %matrix = tile.load %A : memref<8x8xf32> -> !tile.matrix<4x1xf32, <threads = [4:(1, 0)], values = []>>
  return
}

// -----

func.func @load_rank(%A: memref<8x8x8xf32>, %i: index) {
  // expected-error @+1 {{from a memref of rank 3, expected 2}}
  %matrix = tile.load %A[%i, %i] : memref<8x8x8xf32> -> !tile.matrix<4x1xf32, <threads = [4:(1, 0)], values = []>>
  return
}

// -----

func.func @load_global_element(%A: memref<8x8xf64>, %i: index) {
  // expected-error @+1 {{memref of 'f64' but matrix of 'f32'}}
  %matrix = tile.load %A[%i, %i] : memref<8x8xf64> -> !tile.matrix<4x1xf32, <threads = [4:(1, 0)], values = []>>
  return
}

// -----

func.func @load_guard(%A: memref<8x8xf32>, %i: index) {
  // expected-error @+1 {{edge guard belongs to update}}
  %matrix = tile.load %A[%i, %i] edges <guard, inside> : memref<8x8xf32> -> !tile.matrix<4x1xf32, <threads = [4:(1, 0)], values = []>>
  return
}

// -----

func.func @load_vector(%A: memref<8x8xf32>, %i: index) {
  // expected-error @+1 {{vector must be positive, got 0}}
  %matrix = tile.load %A[%i, %i] vector 0 : memref<8x8xf32> -> !tile.matrix<4x1xf32, <threads = [4:(1, 0)], values = []>>
  return
}

// -----

// Only the first, fastest, value mode is a run: the registers of an access are neighbours.
func.func @load_run(%A: memref<8x8xf32>, %i: index) {
  // expected-error @+1 {{the first values of the map are no runs of 4 elements}}
  %matrix = tile.load %A[%i, %i] vector 4 : memref<8x8xf32> -> !tile.matrix<8x4xf32, <threads = [4:(1, 0)], values = [2:(4, 0), 4:(0, 1)]>>
  return
}

// -----

func.func @store_shape(%matrix: !tile.matrix<4x1xf32, <threads = [4:(1, 0)], values = []>>, %view: !tile.buffer<1 x 4x2xf32, strides = [1, 4]>) {
  // expected-error @+1 {{matrix is 4x1 but the view is 4x2}}
  tile.store %matrix, %view : !tile.matrix<4x1xf32, <threads = [4:(1, 0)], values = []>>, !tile.buffer<1 x 4x2xf32, strides = [1, 4]>
  return
}

// -----

#a = #tile.map<threads = [2:(0, 0), 2:(2, 0)], values = [2:(1, 0)]>
#b = #tile.map<threads = [2:(0, 2), 2:(0, 0)], values = [2:(0, 1)]>
#c = #tile.map<threads = [2:(0, 2), 2:(2, 0)], values = [2:(0, 1), 2:(1, 0)]>
func.func @mma_shape(%a: !tile.matrix<4x1xf32, #a>, %b: !tile.matrix<2x4xf32, #b>, %c: !tile.matrix<4x4xf32, #c>) {
  // expected-error @+1 {{shapes do not match: a is 4x1, b is 2x4, c is 4x4}}
  %sum = tile.mma %a, %b, %c : !tile.matrix<4x1xf32, #a>, !tile.matrix<2x4xf32, #b>, !tile.matrix<4x4xf32, #c>
  return
}

// -----

#a = #tile.map<threads = [2:(2, 0), 2:(0, 0)], values = [2:(1, 0)]>
#b = #tile.map<threads = [2:(0, 2), 2:(0, 0)], values = [2:(0, 1)]>
#c = #tile.map<threads = [2:(0, 2), 2:(2, 0)], values = [2:(0, 1), 2:(1, 0)]>
func.func @mma_rows(%a: !tile.matrix<4x1xf32, #a>, %b: !tile.matrix<1x4xf32, #b>, %c: !tile.matrix<4x4xf32, #c>) {
  // expected-error @+1 {{threads of a do not hold the rows that they hold of c}}
  %sum = tile.mma %a, %b, %c : !tile.matrix<4x1xf32, #a>, !tile.matrix<1x4xf32, #b>, !tile.matrix<4x4xf32, #c>
  return
}

// -----

#a = #tile.map<threads = [2:(0, 0), 2:(2, 0)], values = [2:(1, 0)]>
#b = #tile.map<threads = [2:(0, 0), 2:(0, 2)], values = [2:(0, 1)]>
#c = #tile.map<threads = [2:(0, 2), 2:(2, 0)], values = [2:(0, 1), 2:(1, 0)]>
func.func @mma_columns(%a: !tile.matrix<4x1xf32, #a>, %b: !tile.matrix<1x4xf32, #b>, %c: !tile.matrix<4x4xf32, #c>) {
  // expected-error @+1 {{threads of b do not hold the columns that they hold of c}}
  %sum = tile.mma %a, %b, %c : !tile.matrix<4x1xf32, #a>, !tile.matrix<1x4xf32, #b>, !tile.matrix<4x4xf32, #c>
  return
}

// -----

#a = #tile.map<threads = [2:(0, 0), 2:(2, 0)], values = [2:(1, 0)]>
#b = #tile.map<threads = [2:(0, 2), 2:(0, 0)], values = [2:(0, 1)]>
#c = #tile.map<threads = [2:(0, 2), 2:(2, 0)], values = [2:(0, 1), 2:(1, 0)]>
func.func @mma_stacked(%a: !tile.matrix<4x1xf32, #a>, %b: !tile.matrix<1x4xf32, #b>, %c: !tile.matrix<8x4xf32, #c>) {
  // expected-error @+1 {{c has 2 times the rows of a, but 1 groups of threads share out K}}
  %sum = tile.mma %a, %b, %c : !tile.matrix<4x1xf32, #a>, !tile.matrix<1x4xf32, #b>, !tile.matrix<8x4xf32, #c>
  return
}

// -----

#a = #tile.map<threads = [2:(0, 1), 2:(2, 0)], values = [2:(1, 0)]>
#b = #tile.map<threads = [2:(1, 0), 2:(0, 0)], values = [4:(0, 1)]>
#c = #tile.map<threads = [2:(0, 0), 2:(2, 0)], values = [4:(0, 1), 2:(1, 0)]>
func.func @mma_same_sums(%a: !tile.matrix<4x2xf32, #a>, %b: !tile.matrix<2x4xf32, #b>, %c: !tile.matrix<4x4xf32, #c>) {
  // expected-error @+1 {{threads that share out K sum up in the same rows of c}}
  %sum = tile.mma %a, %b, %c : !tile.matrix<4x2xf32, #a>, !tile.matrix<2x4xf32, #b>, !tile.matrix<4x4xf32, #c>
  return
}

// -----

#a = #tile.map<threads = [2:(0, 1), 2:(2, 0)], values = [2:(1, 0)]>
#b = #tile.map<threads = [2:(0, 0), 2:(0, 0)], values = [4:(0, 1), 2:(1, 0)]>
#c = #tile.map<threads = [2:(4, 0), 2:(2, 0)], values = [4:(0, 1), 2:(1, 0)]>
func.func @mma_parts_of_k(%a: !tile.matrix<4x2xf32, #a>, %b: !tile.matrix<2x4xf32, #b>, %c: !tile.matrix<8x4xf32, #c>) {
  // expected-error @+1 {{threads of a do not hold the part of K that they hold of b}}
  %sum = tile.mma %a, %b, %c : !tile.matrix<4x2xf32, #a>, !tile.matrix<2x4xf32, #b>, !tile.matrix<8x4xf32, #c>
  return
}

// -----

#a = #tile.map<threads = [2:(0, 0), 2:(2, 0)], values = [2:(1, 0)]>
#b = #tile.map<threads = [2:(0, 2), 2:(0, 0)], values = [2:(0, 1)]>
#c = #tile.map<threads = [2:(0, 2), 2:(2, 0)], values = [2:(0, 1), 2:(1, 0)]>
func.func @mma_elements(%a: !tile.matrix<4x1xf64, #a>, %b: !tile.matrix<1x4xf32, #b>, %c: !tile.matrix<4x4xf32, #c>) {
  // expected-error @+1 {{multiplies 'f64' by 'f32' into 'f32', which does not hold the products}}
  %sum = tile.mma %a, %b, %c : !tile.matrix<4x1xf64, #a>, !tile.matrix<1x4xf32, #b>, !tile.matrix<4x4xf32, #c>
  return
}

// -----

func.func @update_target(%sum: !tile.matrix<4x1xf32, <threads = [4:(1, 0)], values = []>>, %C: memref<8x8xf64>, %i: index) {
  // expected-error @+1 {{target must be a rank 2 memref of 'f32' or narrower, got 'memref<8x8xf64>'}}
  tile.update %sum, %C[%i, %i] : !tile.matrix<4x1xf32, <threads = [4:(1, 0)], values = []>>, memref<8x8xf64>
  return
}

// -----

func.func @update_scalar(%sum: !tile.matrix<4x1xf32, <threads = [4:(1, 0)], values = []>>, %C: memref<8x8xf32>, %i: index, %beta: f64) {
  // expected-error @+1 {{scalar is 'f64' but elements are 'f32'}}
  tile.update %sum, %C[%i, %i] beta(%beta : f64) : !tile.matrix<4x1xf32, <threads = [4:(1, 0)], values = []>>, memref<8x8xf32>
  return
}

// -----

func.func @update_edge(%sum: !tile.matrix<4x1xf32, <threads = [4:(1, 0)], values = []>>, %C: memref<8x8xf32>, %i: index) {
  // expected-error @+1 {{edges of an update are inside or guard}}
  tile.update %sum, %C[%i, %i] edges <clamp, inside> : !tile.matrix<4x1xf32, <threads = [4:(1, 0)], values = []>>, memref<8x8xf32>
  return
}

// -----

func.func @update_vector(%sum: !tile.matrix<4x1xf32, <threads = [4:(1, 0)], values = []>>, %C: memref<8x8xf32>, %i: index) {
  // expected-error @+1 {{the first values of the map are no runs of 2 elements}}
  tile.update %sum, %C[%i, %i] vector 2 : !tile.matrix<4x1xf32, <threads = [4:(1, 0)], values = []>>, memref<8x8xf32>
  return
}

// -----

func.func @no_splits(%n: index) {
  // expected-error @+1 {{splits must be positive}}
  %batch, %row, %column = tile.coord %n, %n tile [4, 4] splits 0
  return
}

// -----

#four = #tile.map<threads = [4:(1, 0)], values = [4:(0, 1)]>
func.func @copy_rank(%A: memref<8xf32>, %stage: !tile.buffer<1 x 4x4xf32, strides = [1, 4]>, %i: index) {
  // expected-error @+1 {{'tile.copy' op from a memref of rank 1, expected 2}}
  tile.copy %A[%i, %i], %stage map #four : memref<8xf32>, !tile.buffer<1 x 4x4xf32, strides = [1, 4]>
  return
}

// -----

func.func @atomic_beta(%a: !tile.matrix<2x2xf32, <threads = [], values = [2:(0, 1), 2:(1, 0)]>>, %c: memref<2x2xf32>, %beta: f32) {
  %c0 = arith.constant 0 : index
  // expected-error @+1 {{atomic additions accept no beta}}
  tile.update atomic %a, %c[%c0, %c0] beta(%beta : f32)
    : !tile.matrix<2x2xf32, <threads = [], values = [2:(0, 1), 2:(1, 0)]>>, memref<2x2xf32>
  return
}

// -----

#four = #tile.map<threads = [4:(1, 0)], values = [4:(0, 1)]>
func.func @copy_type(%A: memref<8x8xf64>, %stage: !tile.buffer<1 x 4x4xf32, strides = [1, 4]>, %i: index) {
  // expected-error @+1 {{'tile.copy' op memref of 'f64' but view of 'f32'}}
  tile.copy %A[%i, %i], %stage map #four : memref<8x8xf64>, !tile.buffer<1 x 4x4xf32, strides = [1, 4]>
  return
}

// -----

#four = #tile.map<threads = [4:(1, 0)], values = [4:(0, 1)]>
func.func @copy_bytes(%A: memref<8x8xf16>, %stage: !tile.buffer<1 x 4x4xf16, strides = [1, 4]>, %i: index) {
  // expected-error @+1 {{'tile.copy' op moves 2 bytes at a time of 'f16', expected 4 or more}}
  tile.copy %A[%i, %i], %stage map #four : memref<8x8xf16>, !tile.buffer<1 x 4x4xf16, strides = [1, 4]>
  return
}

// -----

#four = #tile.map<threads = [4:(1, 0)], values = [4:(0, 1)]>
func.func @copy_ring(%A: memref<8x8xf32>, %ring: !tile.buffer<2 x 4x4xf32, strides = [1, 4]>, %i: index) {
  // expected-error @+1 {{'tile.copy' op needs a view of one stage, got 2 stages}}
  tile.copy %A[%i, %i], %ring map #four : memref<8x8xf32>, !tile.buffer<2 x 4x4xf32, strides = [1, 4]>
  return
}

// -----

#four = #tile.map<threads = [4:(1, 0)], values = [4:(0, 1)]>
func.func @copy_reach(%A: memref<8x8xf32>, %stage: !tile.buffer<1 x 4x2xf32, strides = [1, 4]>, %i: index) {
  // expected-error @+1 {{matrix: the map reaches 4x4 but the matrix is 4x2}}
  tile.copy %A[%i, %i], %stage map #four : memref<8x8xf32>, !tile.buffer<1 x 4x2xf32, strides = [1, 4]>
  return
}

// -----

#four = #tile.map<threads = [4:(1, 0)], values = [4:(0, 1)]>
func.func @copy_edge(%A: memref<8x8xf32>, %stage: !tile.buffer<1 x 4x4xf32, strides = [1, 4]>, %i: index) {
  // expected-error @+1 {{'tile.copy' op edge guard belongs to update}}
  tile.copy %A[%i, %i], %stage map #four edges <guard, inside> : memref<8x8xf32>, !tile.buffer<1 x 4x4xf32, strides = [1, 4]>
  return
}

// -----

#four = #tile.map<threads = [4:(1, 0)], values = [4:(0, 1)]>
func.func @copy_vector(%A: memref<8x8xf32>, %stage: !tile.buffer<1 x 4x4xf32, strides = [1, 4]>, %i: index) {
  // expected-error @+1 {{'tile.copy' op the first values of the map are no runs of 8 elements}}
  tile.copy %A[%i, %i], %stage map #four vector 8 : memref<8x8xf32>, !tile.buffer<1 x 4x4xf32, strides = [1, 4]>
  return
}

// -----

// expected-error @+1 {{buffer: planeStride = 320, but 'f64' has no parts}}
func.func private @apart_real(!tile.buffer<1 x 16x16xf64, strides = [20, 1], planeStride = 320>)

// -----

// expected-error @+1 {{buffer: planeStride = 314, but the real components need 316}}
func.func private @apart_near(!tile.buffer<1 x 16x16xcomplex<f64>, strides = [20, 1], planeStride = 314>)

// -----

// expected-error @+1 {{buffer: planeStride = 318 of 'f32' is no multiple of 16 bytes}}
func.func private @apart_odd(!tile.buffer<1 x 16x16xcomplex<f32>, strides = [20, 1], planeStride = 318>)

// -----

func.func @apart_view(%ring: !tile.buffer<2 x 16x16xcomplex<f64>, strides = [20, 1], planeStride = 320>, %i: index) {
  // expected-error @+1 {{'tile.view' op a view keeps element type, strides, swizzle and parts of its buffer}}
  %view = tile.view %ring[%i] [%i, %i] : !tile.buffer<2 x 16x16xcomplex<f64>, strides = [20, 1], planeStride = 320> -> !tile.buffer<1 x 16x16xcomplex<f64>, strides = [20, 1]>
  return
}

// -----

#copy = #tile.map<threads = [16:(1, 0)], values = [16:(0, 1)]>
!stage = !tile.buffer<1 x 16x16xcomplex<f64>, strides = [20, 1], planeStride = 320>
func.func @apart_copy(%A: memref<16x16xcomplex<f64>>, %stage: !stage, %i: index) {
  // expected-error @+1 {{'tile.copy' op bulk copies move whole elements, but the view is planar}}
  tile.copy %A[%i, %i], %stage map #copy bulk : memref<16x16xcomplex<f64>>, !stage
  return
}

// -----

// expected-error @+1 {{buffer: swizzle = 3 is no power of 2}}
func.func private @swizzle(!tile.buffer<1 x 16x16xf32, strides = [1, 20], swizzle = 3>)

// -----

// expected-error @+1 {{buffer: a swizzle needs a stride of 1, got [2, 40]}}
func.func private @swizzle_stride(!tile.buffer<1 x 16x16xf32, strides = [2, 40], swizzle = 4>)

// -----

func.func @swizzle_lines() {
  // expected-error @+1 {{'tile.alloc' op swizzle = 8 over 16 vectors changes places of 16 elements, which do not divide vectors of 24}}
  %ring = tile.alloc : !tile.buffer<1 x 24x16xf32, strides = [1, 28], swizzle = 8>
  return
}

// -----

func.func @swizzle_view(%ring: !tile.buffer<2 x 16x16xf32, strides = [1, 20], swizzle = 4>, %i: index) {
  // expected-error @+1 {{'tile.view' op a view keeps element type, strides, swizzle and parts of its buffer}}
  %view = tile.view %ring[%i] [%i, %i] : !tile.buffer<2 x 16x16xf32, strides = [1, 20], swizzle = 4> -> !tile.buffer<1 x 16x16xf32, strides = [1, 20]>
  return
}

// -----

#one = #tile.map<threads = [], values = []>
func.func @complex_into_real(%a: !tile.matrix<1x1xcomplex<f32>, #one>, %b: !tile.matrix<1x1xf32, #one>,
                             %c: !tile.matrix<1x1xf32, #one>) {
  // expected-error @+1 {{'tile.mma' op multiplies 'complex<f32>' by 'f32' into 'f32', which does not hold the products}}
  %d = tile.mma %a, %b, %c : !tile.matrix<1x1xcomplex<f32>, #one>, !tile.matrix<1x1xf32, #one>, !tile.matrix<1x1xf32, #one>
  return
}

// -----

#one = #tile.map<threads = [], values = []>
func.func @halves(%a: !tile.matrix<1x1xf16, #one>, %b: !tile.matrix<1x1xbf16, #one>,
                  %c: !tile.matrix<1x1xf16, #one>) {
  // expected-error @+1 {{'tile.mma' op multiplies 'f16' by 'bf16' into 'f16', which does not hold the products}}
  %d = tile.mma %a, %b, %c : !tile.matrix<1x1xf16, #one>, !tile.matrix<1x1xbf16, #one>, !tile.matrix<1x1xf16, #one>
  return
}

// -----

#one = #tile.map<threads = [], values = []>
func.func @conjugate(%a: !tile.matrix<1x1xcomplex<f32>, #one>, %b: !tile.matrix<1x1xf32, #one>,
                     %c: !tile.matrix<1x1xcomplex<f32>, #one>) {
  // expected-error @+1 {{'tile.mma' op conjugates 'f32', which is real}}
  %d = tile.mma %a, %b, %c conjugateB : !tile.matrix<1x1xcomplex<f32>, #one>, !tile.matrix<1x1xf32, #one>, !tile.matrix<1x1xcomplex<f32>, #one>
  return
}

// -----

#one = #tile.map<threads = [], values = []>
func.func @parts(%x: !tile.matrix<1x1xcomplex<f32>, #one>, %C: memref<8x8xf32>, %i: index) {
  // expected-error @+1 {{'tile.update' op target must be a rank 2 memref of 'complex<f32>' or narrower, got 'memref<8x8xf32>'}}
  tile.update %x, %C[%i, %i] : !tile.matrix<1x1xcomplex<f32>, #one>, memref<8x8xf32>
  return
}

// -----

#one = #tile.map<threads = [], values = []>
func.func @rounded_atomics(%x: !tile.matrix<1x1xf32, #one>, %C: memref<8x8xf16>, %i: index) {
  // expected-error @+1 {{'tile.update' op atomic additions of 'f32' to elements of 'f16'}}
  tile.update atomic %x, %C[%i, %i] : !tile.matrix<1x1xf32, #one>, memref<8x8xf16>
  return
}

// -----

#part = #tile.map<threads = [4:(0, 1)], values = [4:(1, 0)]>
!one = !tile.buffer<1 x 8x4xf32, strides = [1, 8]>
func.func @bulk_of_parts(%A: memref<8x4xf32, strided<[1, 8]>>, %stage: !one, %i: index) {
  // expected-error @+1 {{'tile.copy' op bulk: the first values of the map are no vector of 8 elements}}
  tile.copy %A[%i, %i], %stage map #part vector 4 bulk : memref<8x4xf32, strided<[1, 8]>>, !one
  return
}

// -----

#lines = #tile.map<threads = [16:(0, 1)], values = [64:(1, 0)]>
!one = !tile.buffer<1 x 64x16xf32, strides = [1, 64], swizzle = 8>
func.func @swizzled_bulk(%A: memref<64x16xf32, strided<[1, 64]>>, %stage: !one, %i: index) {
  // expected-error @+1 {{'tile.copy' op bulk copies move whole vectors, but the view has a swizzle}}
  tile.copy %A[%i, %i], %stage map #lines vector 4 bulk : memref<64x16xf32, strided<[1, 64]>>, !one
  return
}

// -----

#lines = #tile.map<threads = [4:(0, 1)], values = [8:(1, 0)]>
!one = !tile.buffer<1 x 8x4xf32, strides = [1, 9]>
func.func @crooked_bulk(%A: memref<8x4xf32, strided<[1, 8]>>, %stage: !one, %i: index) {
  // expected-error @+1 {{'tile.copy' op bulk: vectors of 32 bytes begin 36 bytes apart, no multiples of 16}}
  tile.copy %A[%i, %i], %stage map #lines vector 4 bulk : memref<8x4xf32, strided<[1, 8]>>, !one
  return
}

// -----

#lines = #tile.map<threads = [4:(0, 1)], values = [8:(1, 0)]>
!one = !tile.buffer<1 x 8x4xf32, strides = [1, 8]>
func.func @clamped_bulk(%A: memref<8x4xf32, strided<[1, 8]>>, %stage: !one, %i: index) {
  // expected-error @+1 {{'tile.copy' op bulk copies have no edges: vectors lie inside the matrix}}
  tile.copy %A[%i, %i], %stage map #lines edges <inside, zero> vector 4 bulk : memref<8x4xf32, strided<[1, 8]>>, !one
  return
}

// -----

#whole = #tile.map<threads = [4:(0, 0)], values = [8:(1, 0), 4:(0, 1)]>
!one = !tile.buffer<1 x 8x4xf32, strides = [1, 8]>
func.func @described_alone(%A: memref<8x4xf32, strided<[1, 8]>>, %stage: !one, %d: !llvm.array<16 x i64>, %i: index) {
  // expected-error @+1 {{'tile.copy' op descriptor belongs to bulk}}
  tile.copy %A[%i, %i], %stage map #whole vector 4 descriptor(%d : !llvm.array<16 x i64>) : memref<8x4xf32, strided<[1, 8]>>, !one
  return
}

// -----

#lines = #tile.map<threads = [4:(0, 1)], values = [8:(1, 0)]>
!one = !tile.buffer<1 x 8x4xf32, strides = [1, 8]>
func.func @described_lines(%A: memref<8x4xf32, strided<[1, 8]>>, %stage: !one, %d: !llvm.array<16 x i64>, %i: index) {
  // expected-error @+1 {{'tile.copy' op descriptor: one thread has all of the 32 elements copied, to vectors without padding}}
  tile.copy %A[%i, %i], %stage map #lines vector 4 bulk descriptor(%d : !llvm.array<16 x i64>) : memref<8x4xf32, strided<[1, 8]>>, !one
  return
}

// -----

#whole = #tile.map<threads = [4:(0, 0)], values = [8:(1, 0), 4:(0, 1)]>
!one = !tile.buffer<1 x 8x4xf32, strides = [1, 12]>
func.func @described_padding(%A: memref<8x4xf32, strided<[1, 8]>>, %stage: !one, %d: !llvm.array<16 x i64>, %i: index) {
  // expected-error @+1 {{'tile.copy' op descriptor: one thread has all of the 32 elements copied, to vectors without padding}}
  tile.copy %A[%i, %i], %stage map #whole vector 4 bulk descriptor(%d : !llvm.array<16 x i64>) : memref<8x4xf32, strided<[1, 8]>>, !one
  return
}

// -----

#whole = #tile.map<threads = [4:(0, 0)], values = [512:(1, 0), 4:(0, 1)]>
!one = !tile.buffer<1 x 512x4xf32, strides = [1, 512]>
func.func @described_large(%A: memref<512x4xf32, strided<[1, 512]>>, %stage: !one, %d: !llvm.array<16 x i64>, %i: index) {
  // expected-error @+1 {{'tile.copy' op descriptor: a box of 4 vectors of 512 real elements, but hardware moves at most 256 along each side}}
  tile.copy %A[%i, %i], %stage map #whole vector 4 bulk descriptor(%d : !llvm.array<16 x i64>) : memref<512x4xf32, strided<[1, 512]>>, !one
  return
}

// -----

#map = #tile.map<threads = [4:(1, 0)], values = [4:(0, 1)]>
func.func @parts_of_reals(%a: !tile.matrix<4x4xf32, #map>) {
  // expected-error @+1 {{splits complex elements, got 'f32'}}
  %re, %im = tile.components %a : !tile.matrix<4x4xf32, #map> -> !tile.matrix<4x4xf32, #map>
  return
}

// -----

#map = #tile.map<threads = [4:(1, 0)], values = [4:(0, 1)]>
func.func @parts_of_another_type(%a: !tile.matrix<4x4xcomplex<f32>, #map>) {
  // expected-error @+1 {{parts of '!tile.matrix<4x4xcomplex<f32>, <threads = [4:(1, 0)], values = [4:(0, 1)]>>' are not '!tile.matrix<4x4xf64, <threads = [4:(1, 0)], values = [4:(0, 1)]>>'}}
  %re, %im = tile.components %a : !tile.matrix<4x4xcomplex<f32>, #map> -> !tile.matrix<4x4xf64, #map>
  return
}

// -----

#map = #tile.map<threads = [4:(1, 0)], values = [4:(0, 1)]>
#other = #tile.map<threads = [4:(0, 1)], values = [4:(1, 0)]>
func.func @parts_elsewhere(%re: !tile.matrix<4x4xf32, #map>) {
  // expected-error @+1 {{parts of '!tile.matrix<4x4xcomplex<f32>, <threads = [4:(0, 1)], values = [4:(1, 0)]>>' are not}}
  %a = tile.join %re, %re : !tile.matrix<4x4xf32, #map> -> !tile.matrix<4x4xcomplex<f32>, #other>
  return
}

// -----

func.func @edges(%view: !tile.buffer<1 x 7x1xf32, strides = [1, 7]>) {
  // expected-error @+1 {{from a buffer accepts edges inside, clamp and zero, without a swizzle}}
  %matrix = tile.load %view edges <guard, inside> : !tile.buffer<1 x 7x1xf32, strides = [1, 7]> -> !tile.matrix<8x1xf32, <threads = [], values = [8:(1, 0)]>>
  return
}

// -----

func.func @store_edges(%view: !tile.buffer<1 x 7x1xf32, strides = [1, 7]>,
                       %matrix: !tile.matrix<8x1xf32, <threads = [], values = [8:(1, 0)]>>) {
  // expected-error @+1 {{to a buffer accepts edges inside and guard, without a swizzle}}
  tile.store %matrix, %view edges <clamp, inside> : !tile.matrix<8x1xf32, <threads = [], values = [8:(1, 0)]>>, !tile.buffer<1 x 7x1xf32, strides = [1, 7]>
  return
}

// -----

func.func @no_clamp(%view: !tile.buffer<1 x 7x1xf32, strides = [1, 7]>) {
  // expected-error @+1 {{matrix is 8x1 but the view is 7x1}}
  %matrix = tile.load %view : !tile.buffer<1 x 7x1xf32, strides = [1, 7]> -> !tile.matrix<8x1xf32, <threads = [], values = [8:(1, 0)]>>
  return
}

// -----

func.func @gaps(%ring: !tile.buffer<2 x 7x4xf32, strides = [1, 8]>, %i: index) {
  // expected-error @+1 {{view size 28 exceeds 7 along dimension 0}}
  %line = tile.view %ring[%i] [%i, %i] : !tile.buffer<2 x 7x4xf32, strides = [1, 8]> -> !tile.buffer<1 x 28x1xf32, strides = [1, 8]>
  return
}

// -----

func.func @long(%ring: !tile.buffer<2 x 7x4xf32, strides = [1, 7]>, %i: index) {
  // expected-error @+1 {{view size 29 exceeds 7 along dimension 0}}
  %line = tile.view %ring[%i] [%i, %i] : !tile.buffer<2 x 7x4xf32, strides = [1, 7]> -> !tile.buffer<1 x 29x1xf32, strides = [1, 7]>
  return
}

// -----

#map = #tile.map<threads = [4:(1, 0)], values = [4:(0, 1)]>
func.func @known(%a: !tile.matrix<4x4xcomplex<f32>, #map>) {
  // expected-error @+1 {{adds real elements, got elements of 'complex<f32>'}}
  %sum = tile.add_known %a, %a : !tile.matrix<4x4xcomplex<f32>, #map>
  return
}

// -----

#map = #tile.map<threads = [4:(1, 0)], values = [4:(0, 1)]>
func.func @step(%A: memref<8x8xf32>, %i: index) {
  // expected-error @+1 {{edges: a step of 0 elements, expected 1 or more}}
  %a = tile.load %A[%i, %i] edges <step, inside> : memref<8x8xf32> -> !tile.matrix<4x4xf32, #map>
  return
}

// -----

#map = #tile.map<threads = [4:(1, 0)], values = [4:(0, 1)]>
func.func @ends(%A: memref<8x8xf32>, %i: index) {
  // expected-error @+1 {{a step of 7 elements ends within an access of 2}}
  %a = tile.load %A[%i, %i] edges <inside, step, of 7> vector 2 : memref<8x8xf32> -> !tile.matrix<4x4xf32, #map>
  return
}
