// What the verifiers of the tile dialect refuse, and the numbers that they name.
// RUN: gemm-opt %s --split-input-file --verify-diagnostics

// expected-error@+1 {{matrix: the map reaches 16x1 but the matrix is 8x8}}
func.func private @map_too_large(!tile.matrix<8x8xf32, <threads = [16:(1, 0)], values = []>>)

// -----

// expected-error@+1 {{buffer: 0 stages}}
func.func private @no_stage(!tile.buffer<0 x 8x8xf32, strides = [1, 8]>)

// -----

// expected-error@+1 {{buffer: strides [1, 0] must be positive}}
func.func private @no_stride(!tile.buffer<1 x 8x8xf32, strides = [1, 0]>)

// -----

// expected-error@+1 {{buffer: element type 'index' is neither integer nor float}}
func.func private @element(!tile.buffer<1 x 8x8xindex, strides = [1, 8]>)

// -----

func.func @coord(%n: index) {
  // expected-error@+1 {{tile takes 2 positive sizes}}
  %b, %r, %c = tile.coord %n, %n tile [16, 0]
  return
}

// -----

func.func @view_stages(%i: index, %ring: !tile.buffer<2 x 8x8xf32, strides = [1, 8]>) {
  // expected-error@+1 {{a view has one stage, got 2}}
  %v = tile.view %ring[%i] [%i, %i] : !tile.buffer<2 x 8x8xf32, strides = [1, 8]>
    -> !tile.buffer<2 x 8x8xf32, strides = [1, 8]>
  return
}

// -----

func.func @view_size(%i: index, %ring: !tile.buffer<2 x 8x8xf32, strides = [1, 8]>) {
  // expected-error@+1 {{view size 16 exceeds 8 along dimension 0}}
  %v = tile.view %ring[%i] [%i, %i] : !tile.buffer<2 x 8x8xf32, strides = [1, 8]>
    -> !tile.buffer<1 x 16x8xf32, strides = [1, 8]>
  return
}

// -----

func.func @fill(%x: f64) {
  // expected-error@+1 {{value is 'f64' but elements are 'f32'}}
  %m = tile.fill %x : f64 -> !tile.matrix<8x8xf32, <threads = [8:(1, 0)], values = [8:(0, 1)]>>
  return
}

// -----

func.func @load_rank(%i: index, %m: memref<8xf32>) {
  // expected-error@+1 {{from a memref of rank 1, expected 2}}
  %v = tile.load %m[%i, %i] : memref<8xf32>
    -> !tile.matrix<8x8xf32, <threads = [8:(1, 0)], values = [8:(0, 1)]>>
  return
}

// -----

func.func @load_guard(%i: index, %m: memref<8x8xf32>) {
  // expected-error@+1 {{edge guard belongs to update}}
  %v = tile.load %m[%i, %i] edges <guard, inside> : memref<8x8xf32>
    -> !tile.matrix<8x8xf32, <threads = [8:(1, 0)], values = [8:(0, 1)]>>
  return
}

// -----

func.func @load_vector(%i: index, %m: memref<8x8xf32>) {
  // expected-error@+1 {{map has no runs of 4 elements}}
  %v = tile.load %m[%i, %i] vector 4 : memref<8x8xf32>
    -> !tile.matrix<8x8xf32, <threads = [8:(1, 0)], values = [2:(0, 1), 4:(0, 2)]>>
  return
}

// -----

!part = !tile.matrix<8x1xf32, <threads = [8:(1, 0)], values = []>>
!slot = !tile.buffer<1 x 16x1xf32, strides = [1, 16]>
func.func @store(%m: !part, %v: !slot) {
  // expected-error@+1 {{matrix is 8x1 but the view is 16x1}}
  tile.store %m, %v : !part, !slot
  return
}

// -----

!a = !tile.matrix<8x1xf32, <threads = [8:(1, 0)], values = []>>
!b = !tile.matrix<1x16xf32, <threads = [8:(0, 1)], values = [2:(0, 8)]>>
!c = !tile.matrix<8x8xf32, <threads = [8:(1, 0)], values = [8:(0, 1)]>>
func.func @mma_shape(%a: !a, %b: !b, %c: !c) {
  // expected-error@+1 {{shapes do not match: a is 8x1, b is 1x16, c is 8x8}}
  %d = tile.mma %a, %b, %c : !a, !b, !c
  return
}

// -----

!a = !tile.matrix<8x1xf32, <threads = [8:(0, 0)], values = [8:(1, 0)]>>
!b = !tile.matrix<1x8xf32, <threads = [8:(0, 0)], values = [8:(0, 1)]>>
!c = !tile.matrix<8x8xf32, <threads = [8:(1, 0)], values = [8:(0, 1)]>>
func.func @mma_threads(%a: !a, %b: !b, %c: !c) {
  // expected-error@+1 {{threads of a do not hold the rows that they hold of c}}
  %d = tile.mma %a, %b, %c : !a, !b, !c
  return
}

// -----

!c = !tile.matrix<8x8xf32, <threads = [8:(1, 0)], values = [8:(0, 1)]>>
func.func @update(%i: index, %x: f64, %c: !c, %m: memref<8x8xf32>) {
  // expected-error@+1 {{scalar is 'f64' but elements are 'f32'}}
  tile.update %c, %m[%i, %i] alpha(%x : f64) : !c, memref<8x8xf32>
  return
}
