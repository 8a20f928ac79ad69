// A = L L^T by blocks, from left to right: what is right of a block of columns is updated as soon as
// these are known. The lower triangle of A becomes L; the upper one is neither read nor written.
//
//   for blocks of 64 columns j:
//     L[j, j] = Cholesky(A[j, j])                    sequential code on one small block
//     L[>j, j] = A[>j, j] L[j, j]^-T                 blas.trsm
//     A[>j, >j] -= L[>j, j] L[>j, j]^T               blas.syrk, the triangle alone

// Rows of any order, and any distance from each other.
!matrix = memref<?x?xf64, strided<[?, 1], offset: ?>>

// The lower triangle of one block, column by column.
func.func private @factor(%a: !matrix) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %n = memref.dim %a, %c0 : !matrix
  scf.for %j = %c0 to %n step %c1 {
    %square = memref.load %a[%j, %j] : !matrix
    %pivot = math.sqrt %square : f64
    memref.store %pivot, %a[%j, %j] : !matrix
    %below = arith.addi %j, %c1 : index
    scf.for %i = %below to %n step %c1 {
      %x = memref.load %a[%i, %j] : !matrix
      %l = arith.divf %x, %pivot : f64
      memref.store %l, %a[%i, %j] : !matrix
    }
    scf.for %k = %below to %n step %c1 {
      %right = memref.load %a[%k, %j] : !matrix
      scf.for %i = %k to %n step %c1 {
        %left = memref.load %a[%i, %j] : !matrix
        %product = arith.mulf %left, %right : f64
        %x = memref.load %a[%i, %k] : !matrix
        %y = arith.subf %x, %product : f64
        memref.store %y, %a[%i, %k] : !matrix
      }
    }
  }
  return
}

func.func @cholesky(%a: !matrix) attributes {llvm.emit_c_interface} {
  %c0 = arith.constant 0 : index
  %block = arith.constant 64 : index
  %n = memref.dim %a, %c0 : !matrix
  %minus = arith.constant -1.0 : f64
  %one = arith.constant 1.0 : f64
  scf.for %j = %c0 to %n step %block {
    %left = arith.subi %n, %j : index
    %width = arith.minsi %left, %block : index
    %next = arith.addi %j, %width : index
    %rest = arith.subi %n, %next : index
    %diagonal = memref.subview %a[%j, %j] [%width, %width] [1, 1] : !matrix to !matrix
    %below = memref.subview %a[%next, %j] [%rest, %width] [1, 1] : !matrix to !matrix
    %behind = memref.subview %a[%next, %next] [%rest, %rest] [1, 1] : !matrix to !matrix
    func.call @factor(%diagonal) : (!matrix) -> ()
    blas.trsm side<right> uplo<lower> opA<t> ins(%diagonal : !matrix) outs(%below : !matrix)
    blas.syrk uplo<lower> ins(%below : !matrix) outs(%behind : !matrix) alpha(%minus : f64) beta(%one : f64)
  }
  return
}
