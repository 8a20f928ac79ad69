// A transformer block: 4 heads, sequence 128, width 256, an MLP of 4 times the width, norms first,
// with the structure of what torch-mlir makes at its level linalg-on-tensors:
//
//   y = x + heads(softmax(q k^T / sqrt(64)) v) wo^T + bo,  q, k, v = norm(x) w^T + b
//   z = y + gelu(norm(y) w1^T + b1) w2^T + b2
//
// 8 products in each function; the weights are arguments. What a front end prints itself is in
// test/FrontEnds/Inputs, and docs/Embedding.md says how it was made.
//
//   gemm-opt --tile-select examples/transformer.mlir    what is done with each product, and why
//   gemm-run examples/transformer.mlir                  every product run and verified

// Matrices: (token, channel).
#matrix = affine_map<(t, c) -> (t, c)>
#columns = affine_map<(t, c) -> (c)>
#matrix_by_column = {indexing_maps = [#matrix, #columns, #matrix],
                     iterator_types = ["parallel", "parallel"]}

// The stream of the block: (sample, position, channel).
#stream = affine_map<(s, p, c) -> (s, p, c)>
#of_token = affine_map<(s, p, c) -> (s, p, 0)>
#of_channel = affine_map<(s, p, c) -> (c)>
#stream_map = {indexing_maps = [#stream, #stream],
               iterator_types = ["parallel", "parallel", "parallel"]}
#stream_zip = {indexing_maps = [#stream, #stream, #stream],
               iterator_types = ["parallel", "parallel", "parallel"]}
#stream_by_token = {indexing_maps = [#stream, #of_token, #stream],
                    iterator_types = ["parallel", "parallel", "parallel"]}
#stream_by_channel = {indexing_maps = [#stream, #of_channel, #of_channel, #stream],
                      iterator_types = ["parallel", "parallel", "parallel"]}
#sum_of_token = {indexing_maps = [#stream, #of_token],
                 iterator_types = ["parallel", "parallel", "reduction"]}

// The scores of attention: (sample, head, query, key).
#scores = affine_map<(s, h, q, k) -> (s, h, q, k)>
#of_query = affine_map<(s, h, q, k) -> (s, h, q, 0)>
#scores_map = {indexing_maps = [#scores, #scores],
               iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
#scores_by_query = {indexing_maps = [#scores, #of_query, #scores],
                    iterator_types = ["parallel", "parallel", "parallel", "parallel"]}
#fold_of_query = {indexing_maps = [#scores, #of_query],
                  iterator_types = ["parallel", "parallel", "parallel", "reduction"]}

// Weights.
!row = tensor<256xf32>
!square = tensor<256x256xf32>
!up = tensor<1024x256xf32>
!down = tensor<256x1024xf32>
// Of a batch of 2, ...
!stream2 = tensor<2x128x256xf32>
!of_token2 = tensor<2x128x1xf32>
!matrix2 = tensor<256x256xf32>
!hidden2 = tensor<256x1024xf32>
!hidden_stream2 = tensor<2x128x1024xf32>
!beside2 = tensor<2x128x4x64xf32>
!apart2 = tensor<2x4x128x64xf32>
!apart_t2 = tensor<2x4x64x128xf32>
!heads2 = tensor<8x128x64xf32>
!heads_t2 = tensor<8x64x128xf32>
!scores2 = tensor<2x4x128x128xf32>
!of_query2 = tensor<2x4x128x1xf32>
!products2 = tensor<8x128x128xf32>
// ... and of any batch.
!stream = tensor<?x128x256xf32>
!of_token = tensor<?x128x1xf32>
!matrix = tensor<?x256xf32>
!hidden = tensor<?x1024xf32>
!hidden_stream = tensor<?x128x1024xf32>
!beside = tensor<?x128x4x64xf32>
!apart = tensor<?x4x128x64xf32>
!apart_t = tensor<?x4x64x128xf32>
!heads = tensor<?x128x64xf32>
!heads_t = tensor<?x64x128xf32>
!scores = tensor<?x4x128x128xf32>
!of_query = tensor<?x4x128x1xf32>
!products = tensor<?x128x128xf32>

module {
  // A batch of 2.
  func.func @block(
      %x: !stream2,
      %gain1: !row, %shift1: !row,
      %wq: !square, %bq: !row, %wk: !square, %bk: !row, %wv: !square, %bv: !row,
      %wo: !square, %bo: !row,
      %gain2: !row, %shift2: !row,
      %w1: !up, %b1: tensor<1024xf32>,
      %w2: !down, %b2: !row) -> !stream2 {
    %zero = arith.constant 0.000000e+00 : f32
    %half = arith.constant 5.000000e-01 : f32
    %one = arith.constant 1.000000e+00 : f32
    %sqrt2 = arith.constant 1.41421354 : f32
    %sqrt64 = arith.constant 8.000000e+00 : f32
    %width = arith.constant 2.560000e+02 : f32
    %epsilon = arith.constant 9.99999974E-6 : f32
    %lowest = arith.constant 0xFF800000 : f32

    // Layer norm 1: the mean of every token, ...
    %norm1_sums0 = tensor.empty() : !of_token2
    %norm1_sums1 = linalg.fill ins(%zero : f32) outs(%norm1_sums0 : !of_token2) -> !of_token2
    %norm1_sums = linalg.generic #sum_of_token
        ins(%x : !stream2) outs(%norm1_sums1 : !of_token2) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    } -> !of_token2
    %norm1_mean = linalg.generic #stream_map
        ins(%norm1_sums : !of_token2) outs(%norm1_sums0 : !of_token2) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.divf %in, %width : f32
      linalg.yield %0 : f32
    } -> !of_token2
    // ... the differences, ...
    %norm1_stream = tensor.empty() : !stream2
    %norm1_centred = linalg.generic #stream_by_token
        ins(%x, %norm1_mean : !stream2, !of_token2) outs(%norm1_stream : !stream2) {
    ^bb0(%in: f32, %mean: f32, %out: f32):
      %0 = arith.subf %in, %mean : f32
      linalg.yield %0 : f32
    } -> !stream2
    // ... 1 / sqrt(variance + 1e-5), ...
    %norm1_squares = linalg.generic #stream_zip
        ins(%norm1_centred, %norm1_centred : !stream2, !stream2) outs(%norm1_stream : !stream2) {
    ^bb0(%in: f32, %same: f32, %out: f32):
      %0 = arith.mulf %in, %same : f32
      linalg.yield %0 : f32
    } -> !stream2
    %norm1_total = linalg.generic #sum_of_token
        ins(%norm1_squares : !stream2) outs(%norm1_sums1 : !of_token2) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    } -> !of_token2
    %norm1_scale = linalg.generic #stream_map
        ins(%norm1_total : !of_token2) outs(%norm1_sums0 : !of_token2) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.divf %in, %width : f32
      %1 = arith.addf %0, %epsilon : f32
      %2 = math.rsqrt %1 : f32
      linalg.yield %2 : f32
    } -> !of_token2
    // ... and the gain and shift of every channel.
    %norm1_unit = linalg.generic #stream_by_token
        ins(%norm1_centred, %norm1_scale : !stream2, !of_token2) outs(%norm1_stream : !stream2) {
    ^bb0(%in: f32, %scale: f32, %out: f32):
      %0 = arith.mulf %in, %scale : f32
      linalg.yield %0 : f32
    } -> !stream2
    %normed1 = linalg.generic #stream_by_channel
        ins(%norm1_unit, %gain1, %shift1 : !stream2, !row, !row) outs(%norm1_stream : !stream2) {
    ^bb0(%in: f32, %gain: f32, %shift: f32, %out: f32):
      %0 = arith.mulf %in, %gain : f32
      %1 = arith.addf %0, %shift : f32
      linalg.yield %1 : f32
    } -> !stream2

    // All tokens as one matrix.
    %tokens1 = tensor.collapse_shape %normed1 [[0, 1], [2]] : !stream2 into !matrix2

    // Products 1 to 3: queries, keys and values. A weight is stored (out, in).
    %query_w0 = tensor.empty() : !square
    %query_w = linalg.transpose ins(%wq : !square) outs(%query_w0 : !square)
                permutation = [1, 0]
    %query_0 = tensor.empty() : !matrix2
    %query_1 = linalg.fill ins(%zero : f32) outs(%query_0 : !matrix2) -> !matrix2
    %query_2 = linalg.matmul ins(%tokens1, %query_w : !matrix2, !square)
                          outs(%query_1 : !matrix2) -> !matrix2
    %query = linalg.generic #matrix_by_column
        ins(%query_2, %bq : !matrix2, !row) outs(%query_0 : !matrix2) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %0 = arith.addf %in, %bias : f32
      linalg.yield %0 : f32
    } -> !matrix2

    // Keys.
    %key_w0 = tensor.empty() : !square
    %key_w = linalg.transpose ins(%wk : !square) outs(%key_w0 : !square)
                permutation = [1, 0]
    %key_0 = tensor.empty() : !matrix2
    %key_1 = linalg.fill ins(%zero : f32) outs(%key_0 : !matrix2) -> !matrix2
    %key_2 = linalg.matmul ins(%tokens1, %key_w : !matrix2, !square)
                          outs(%key_1 : !matrix2) -> !matrix2
    %key = linalg.generic #matrix_by_column
        ins(%key_2, %bk : !matrix2, !row) outs(%key_0 : !matrix2) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %0 = arith.addf %in, %bias : f32
      linalg.yield %0 : f32
    } -> !matrix2

    // Values.
    %value_w0 = tensor.empty() : !square
    %value_w = linalg.transpose ins(%wv : !square) outs(%value_w0 : !square)
                permutation = [1, 0]
    %value_0 = tensor.empty() : !matrix2
    %value_1 = linalg.fill ins(%zero : f32) outs(%value_0 : !matrix2) -> !matrix2
    %value_2 = linalg.matmul ins(%tokens1, %value_w : !matrix2, !square)
                          outs(%value_1 : !matrix2) -> !matrix2
    %value = linalg.generic #matrix_by_column
        ins(%value_2, %bv : !matrix2, !row) outs(%value_0 : !matrix2) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %0 = arith.addf %in, %bias : f32
      linalg.yield %0 : f32
    } -> !matrix2

    // A matrix for every head: from (sample, position, head, 64) to (sample, head, position, 64),
    // and keys to (sample, head, 64, position).
    %apart0 = tensor.empty() : !apart2
    %query4 = tensor.expand_shape %query [[0, 1], [2, 3]] output_shape [2, 128, 4, 64]
                : !matrix2 into !beside2
    %queries = linalg.transpose ins(%query4 : !beside2) outs(%apart0 : !apart2)
                   permutation = [0, 2, 1, 3]
    %key4 = tensor.expand_shape %key [[0, 1], [2, 3]] output_shape [2, 128, 4, 64]
              : !matrix2 into !beside2
    %apart_t = tensor.empty() : !apart_t2
    %keys = linalg.transpose ins(%key4 : !beside2) outs(%apart_t : !apart_t2)
                permutation = [0, 2, 3, 1]
    %value4 = tensor.expand_shape %value [[0, 1], [2, 3]] output_shape [2, 128, 4, 64]
                : !matrix2 into !beside2
    %values = linalg.transpose ins(%value4 : !beside2) outs(%apart0 : !apart2)
                  permutation = [0, 2, 1, 3]

    // Product 4: the scores of all heads, one batch.
    %queries3 = tensor.collapse_shape %queries [[0, 1], [2], [3]] : !apart2 into !heads2
    %keys3 = tensor.collapse_shape %keys [[0, 1], [2], [3]] : !apart_t2 into !heads_t2
    %scores0 = tensor.empty() : !products2
    %scores1 = linalg.fill ins(%zero : f32) outs(%scores0 : !products2) -> !products2
    %scores3 = linalg.batch_matmul ins(%queries3, %keys3 : !heads2, !heads_t2)
                                   outs(%scores1 : !products2) -> !products2
    %scores4 = tensor.expand_shape %scores3 [[0, 1], [2], [3]] output_shape [2, 4, 128, 128]
                 : !products2 into !scores2
    %scaled0 = tensor.empty() : !scores2
    %scaled = linalg.generic #scores_map
        ins(%scores4 : !scores2) outs(%scaled0 : !scores2) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.divf %in, %sqrt64 : f32
      linalg.yield %0 : f32
    } -> !scores2

    // Softmax over the keys: the greatest of each query, ...
    %row0 = tensor.empty() : !of_query2
    %row1 = linalg.fill ins(%lowest : f32) outs(%row0 : !of_query2) -> !of_query2
    %greatest = linalg.generic #fold_of_query
        ins(%scaled : !scores2) outs(%row1 : !of_query2) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.maximumf %in, %out : f32
      linalg.yield %0 : f32
    } -> !of_query2
    // ... the exponentials of the differences, ...
    %below = linalg.generic #scores_by_query
        ins(%scaled, %greatest : !scores2, !of_query2) outs(%scaled0 : !scores2) {
    ^bb0(%in: f32, %max: f32, %out: f32):
      %0 = arith.subf %in, %max : f32
      linalg.yield %0 : f32
    } -> !scores2
    %powers = linalg.generic #scores_map
        ins(%below : !scores2) outs(%scaled0 : !scores2) {
    ^bb0(%in: f32, %out: f32):
      %0 = math.exp %in : f32
      linalg.yield %0 : f32
    } -> !scores2
    // ... and their quotients by the sum.
    %row2 = linalg.fill ins(%zero : f32) outs(%row0 : !of_query2) -> !of_query2
    %sum = linalg.generic #fold_of_query
        ins(%powers : !scores2) outs(%row2 : !of_query2) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    } -> !of_query2
    %weights = linalg.generic #scores_by_query
        ins(%powers, %sum : !scores2, !of_query2) outs(%scaled0 : !scores2) {
    ^bb0(%in: f32, %of_all: f32, %out: f32):
      %0 = arith.divf %in, %of_all : f32
      linalg.yield %0 : f32
    } -> !scores2

    // Product 5: the weighted values, and the heads side by side again.
    %weights3 = tensor.collapse_shape %weights [[0, 1], [2], [3]] : !scores2 into !products2
    %values3 = tensor.collapse_shape %values [[0, 1], [2], [3]] : !apart2 into !heads2
    %mixed0 = tensor.empty() : !heads2
    %mixed1 = linalg.fill ins(%zero : f32) outs(%mixed0 : !heads2) -> !heads2
    %mixed3 = linalg.batch_matmul ins(%weights3, %values3 : !products2, !heads2)
                                  outs(%mixed1 : !heads2) -> !heads2
    %mixed4 = tensor.expand_shape %mixed3 [[0, 1], [2], [3]] output_shape [2, 4, 128, 64]
                : !heads2 into !apart2
    %beside0 = tensor.empty() : !beside2
    %beside = linalg.transpose ins(%mixed4 : !apart2) outs(%beside0 : !beside2)
                  permutation = [0, 2, 1, 3]
    %mixed = tensor.collapse_shape %beside [[0, 1], [2, 3]] : !beside2 into !matrix2

    // Product 6: the output projection.
    %output_w0 = tensor.empty() : !square
    %output_w = linalg.transpose ins(%wo : !square) outs(%output_w0 : !square)
                permutation = [1, 0]
    %output_0 = tensor.empty() : !matrix2
    %output_1 = linalg.fill ins(%zero : f32) outs(%output_0 : !matrix2) -> !matrix2
    %output_2 = linalg.matmul ins(%mixed, %output_w : !matrix2, !square)
                          outs(%output_1 : !matrix2) -> !matrix2
    %attended = linalg.generic #matrix_by_column
        ins(%output_2, %bo : !matrix2, !row) outs(%output_0 : !matrix2) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %0 = arith.addf %in, %bias : f32
      linalg.yield %0 : f32
    } -> !matrix2

    // The residual.
    %y_in = tensor.expand_shape %attended [[0, 1], [2]] output_shape [2, 128, 256]
              : !matrix2 into !stream2
    %y_0 = tensor.empty() : !stream2
    %y = linalg.generic #stream_zip
        ins(%x, %y_in : !stream2, !stream2) outs(%y_0 : !stream2) {
    ^bb0(%in: f32, %branch: f32, %out: f32):
      %0 = arith.addf %in, %branch : f32
      linalg.yield %0 : f32
    } -> !stream2

    // Layer norm 2: the mean of every token, ...
    %norm2_sums0 = tensor.empty() : !of_token2
    %norm2_sums1 = linalg.fill ins(%zero : f32) outs(%norm2_sums0 : !of_token2) -> !of_token2
    %norm2_sums = linalg.generic #sum_of_token
        ins(%y : !stream2) outs(%norm2_sums1 : !of_token2) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    } -> !of_token2
    %norm2_mean = linalg.generic #stream_map
        ins(%norm2_sums : !of_token2) outs(%norm2_sums0 : !of_token2) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.divf %in, %width : f32
      linalg.yield %0 : f32
    } -> !of_token2
    // ... the differences, ...
    %norm2_stream = tensor.empty() : !stream2
    %norm2_centred = linalg.generic #stream_by_token
        ins(%y, %norm2_mean : !stream2, !of_token2) outs(%norm2_stream : !stream2) {
    ^bb0(%in: f32, %mean: f32, %out: f32):
      %0 = arith.subf %in, %mean : f32
      linalg.yield %0 : f32
    } -> !stream2
    // ... 1 / sqrt(variance + 1e-5), ...
    %norm2_squares = linalg.generic #stream_zip
        ins(%norm2_centred, %norm2_centred : !stream2, !stream2) outs(%norm2_stream : !stream2) {
    ^bb0(%in: f32, %same: f32, %out: f32):
      %0 = arith.mulf %in, %same : f32
      linalg.yield %0 : f32
    } -> !stream2
    %norm2_total = linalg.generic #sum_of_token
        ins(%norm2_squares : !stream2) outs(%norm2_sums1 : !of_token2) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    } -> !of_token2
    %norm2_scale = linalg.generic #stream_map
        ins(%norm2_total : !of_token2) outs(%norm2_sums0 : !of_token2) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.divf %in, %width : f32
      %1 = arith.addf %0, %epsilon : f32
      %2 = math.rsqrt %1 : f32
      linalg.yield %2 : f32
    } -> !of_token2
    // ... and the gain and shift of every channel.
    %norm2_unit = linalg.generic #stream_by_token
        ins(%norm2_centred, %norm2_scale : !stream2, !of_token2) outs(%norm2_stream : !stream2) {
    ^bb0(%in: f32, %scale: f32, %out: f32):
      %0 = arith.mulf %in, %scale : f32
      linalg.yield %0 : f32
    } -> !stream2
    %normed2 = linalg.generic #stream_by_channel
        ins(%norm2_unit, %gain2, %shift2 : !stream2, !row, !row) outs(%norm2_stream : !stream2) {
    ^bb0(%in: f32, %gain: f32, %shift: f32, %out: f32):
      %0 = arith.mulf %in, %gain : f32
      %1 = arith.addf %0, %shift : f32
      linalg.yield %1 : f32
    } -> !stream2

    %tokens2 = tensor.collapse_shape %normed2 [[0, 1], [2]] : !stream2 into !matrix2

    // Product 7, and gelu: h (erf(h / sqrt(2)) + 1) / 2.
    %up_w0 = tensor.empty() : !down
    %up_w = linalg.transpose ins(%w1 : !up) outs(%up_w0 : !down)
                permutation = [1, 0]
    %up_0 = tensor.empty() : !hidden2
    %up_1 = linalg.fill ins(%zero : f32) outs(%up_0 : !hidden2) -> !hidden2
    %up_2 = linalg.matmul ins(%tokens2, %up_w : !matrix2, !down)
                          outs(%up_1 : !hidden2) -> !hidden2
    %up = linalg.generic #matrix_by_column
        ins(%up_2, %b1 : !hidden2, tensor<1024xf32>) outs(%up_0 : !hidden2) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %0 = arith.addf %in, %bias : f32
      linalg.yield %0 : f32
    } -> !hidden2
    %up3 = tensor.expand_shape %up [[0, 1], [2]] output_shape [2, 128, 1024]
             : !hidden2 into !hidden_stream2
    %gelu0 = tensor.empty() : !hidden_stream2
    %gelu = linalg.generic #stream_map
        ins(%up3 : !hidden_stream2) outs(%gelu0 : !hidden_stream2) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.divf %in, %sqrt2 : f32
      %1 = math.erf %0 : f32
      %2 = arith.addf %1, %one : f32
      %3 = arith.mulf %2, %half : f32
      %4 = arith.mulf %in, %3 : f32
      linalg.yield %4 : f32
    } -> !hidden_stream2
    %hidden = tensor.collapse_shape %gelu [[0, 1], [2]] : !hidden_stream2 into !hidden2

    // Product 8, and the residual.
    %down_w0 = tensor.empty() : !up
    %down_w = linalg.transpose ins(%w2 : !down) outs(%down_w0 : !up)
                permutation = [1, 0]
    %down_0 = tensor.empty() : !matrix2
    %down_1 = linalg.fill ins(%zero : f32) outs(%down_0 : !matrix2) -> !matrix2
    %down_2 = linalg.matmul ins(%hidden, %down_w : !hidden2, !up)
                          outs(%down_1 : !matrix2) -> !matrix2
    %down = linalg.generic #matrix_by_column
        ins(%down_2, %b2 : !matrix2, !row) outs(%down_0 : !matrix2) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %0 = arith.addf %in, %bias : f32
      linalg.yield %0 : f32
    } -> !matrix2

    // The stream behind the block.
    %z_in = tensor.expand_shape %down [[0, 1], [2]] output_shape [2, 128, 256]
              : !matrix2 into !stream2
    %z_0 = tensor.empty() : !stream2
    %z = linalg.generic #stream_zip
        ins(%y, %z_in : !stream2, !stream2) outs(%z_0 : !stream2) {
    ^bb0(%in: f32, %branch: f32, %out: f32):
      %0 = arith.addf %in, %branch : f32
      linalg.yield %0 : f32
    } -> !stream2
    return %z : !stream2
  }

  // Any batch: the same block, sizes from the input. gemm-run calls it with a batch of 1.
  func.func @block_of_any_batch(
      %x: !stream {rooftile.sizes = array<i64: 1, 128, 256>},
      %gain1: !row, %shift1: !row,
      %wq: !square, %bq: !row, %wk: !square, %bk: !row, %wv: !square, %bv: !row,
      %wo: !square, %bo: !row,
      %gain2: !row, %shift2: !row,
      %w1: !up, %b1: tensor<1024xf32>,
      %w2: !down, %b2: !row) -> !stream {
    %zero = arith.constant 0.000000e+00 : f32
    %half = arith.constant 5.000000e-01 : f32
    %one = arith.constant 1.000000e+00 : f32
    %sqrt2 = arith.constant 1.41421354 : f32
    %sqrt64 = arith.constant 8.000000e+00 : f32
    %width = arith.constant 2.560000e+02 : f32
    %epsilon = arith.constant 9.99999974E-6 : f32
    %lowest = arith.constant 0xFF800000 : f32
    %c0 = arith.constant 0 : index
    %c4 = arith.constant 4 : index
    %c128 = arith.constant 128 : index

    // The batch, the rows of a matrix of all tokens, and the matrices of all heads.
    %batch = tensor.dim %x, %c0 : !stream
    %rows = arith.muli %batch, %c128 : index
    %heads = arith.muli %batch, %c4 : index

    // Layer norm 1: the mean of every token, ...
    %norm1_sums0 = tensor.empty(%batch) : !of_token
    %norm1_sums1 = linalg.fill ins(%zero : f32) outs(%norm1_sums0 : !of_token) -> !of_token
    %norm1_sums = linalg.generic #sum_of_token
        ins(%x : !stream) outs(%norm1_sums1 : !of_token) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    } -> !of_token
    %norm1_mean = linalg.generic #stream_map
        ins(%norm1_sums : !of_token) outs(%norm1_sums0 : !of_token) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.divf %in, %width : f32
      linalg.yield %0 : f32
    } -> !of_token
    // ... the differences, ...
    %norm1_stream = tensor.empty(%batch) : !stream
    %norm1_centred = linalg.generic #stream_by_token
        ins(%x, %norm1_mean : !stream, !of_token) outs(%norm1_stream : !stream) {
    ^bb0(%in: f32, %mean: f32, %out: f32):
      %0 = arith.subf %in, %mean : f32
      linalg.yield %0 : f32
    } -> !stream
    // ... 1 / sqrt(variance + 1e-5), ...
    %norm1_squares = linalg.generic #stream_zip
        ins(%norm1_centred, %norm1_centred : !stream, !stream) outs(%norm1_stream : !stream) {
    ^bb0(%in: f32, %same: f32, %out: f32):
      %0 = arith.mulf %in, %same : f32
      linalg.yield %0 : f32
    } -> !stream
    %norm1_total = linalg.generic #sum_of_token
        ins(%norm1_squares : !stream) outs(%norm1_sums1 : !of_token) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    } -> !of_token
    %norm1_scale = linalg.generic #stream_map
        ins(%norm1_total : !of_token) outs(%norm1_sums0 : !of_token) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.divf %in, %width : f32
      %1 = arith.addf %0, %epsilon : f32
      %2 = math.rsqrt %1 : f32
      linalg.yield %2 : f32
    } -> !of_token
    // ... and the gain and shift of every channel.
    %norm1_unit = linalg.generic #stream_by_token
        ins(%norm1_centred, %norm1_scale : !stream, !of_token) outs(%norm1_stream : !stream) {
    ^bb0(%in: f32, %scale: f32, %out: f32):
      %0 = arith.mulf %in, %scale : f32
      linalg.yield %0 : f32
    } -> !stream
    %normed1 = linalg.generic #stream_by_channel
        ins(%norm1_unit, %gain1, %shift1 : !stream, !row, !row) outs(%norm1_stream : !stream) {
    ^bb0(%in: f32, %gain: f32, %shift: f32, %out: f32):
      %0 = arith.mulf %in, %gain : f32
      %1 = arith.addf %0, %shift : f32
      linalg.yield %1 : f32
    } -> !stream

    // All tokens as one matrix.
    %tokens1 = tensor.collapse_shape %normed1 [[0, 1], [2]] : !stream into !matrix

    // Products 1 to 3: queries, keys and values. A weight is stored (out, in).
    %query_w0 = tensor.empty() : !square
    %query_w = linalg.transpose ins(%wq : !square) outs(%query_w0 : !square)
                permutation = [1, 0]
    %query_0 = tensor.empty(%rows) : !matrix
    %query_1 = linalg.fill ins(%zero : f32) outs(%query_0 : !matrix) -> !matrix
    %query_2 = linalg.matmul ins(%tokens1, %query_w : !matrix, !square)
                          outs(%query_1 : !matrix) -> !matrix
    %query = linalg.generic #matrix_by_column
        ins(%query_2, %bq : !matrix, !row) outs(%query_0 : !matrix) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %0 = arith.addf %in, %bias : f32
      linalg.yield %0 : f32
    } -> !matrix

    // Keys.
    %key_w0 = tensor.empty() : !square
    %key_w = linalg.transpose ins(%wk : !square) outs(%key_w0 : !square)
                permutation = [1, 0]
    %key_0 = tensor.empty(%rows) : !matrix
    %key_1 = linalg.fill ins(%zero : f32) outs(%key_0 : !matrix) -> !matrix
    %key_2 = linalg.matmul ins(%tokens1, %key_w : !matrix, !square)
                          outs(%key_1 : !matrix) -> !matrix
    %key = linalg.generic #matrix_by_column
        ins(%key_2, %bk : !matrix, !row) outs(%key_0 : !matrix) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %0 = arith.addf %in, %bias : f32
      linalg.yield %0 : f32
    } -> !matrix

    // Values.
    %value_w0 = tensor.empty() : !square
    %value_w = linalg.transpose ins(%wv : !square) outs(%value_w0 : !square)
                permutation = [1, 0]
    %value_0 = tensor.empty(%rows) : !matrix
    %value_1 = linalg.fill ins(%zero : f32) outs(%value_0 : !matrix) -> !matrix
    %value_2 = linalg.matmul ins(%tokens1, %value_w : !matrix, !square)
                          outs(%value_1 : !matrix) -> !matrix
    %value = linalg.generic #matrix_by_column
        ins(%value_2, %bv : !matrix, !row) outs(%value_0 : !matrix) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %0 = arith.addf %in, %bias : f32
      linalg.yield %0 : f32
    } -> !matrix

    // A matrix for every head: from (sample, position, head, 64) to (sample, head, position, 64),
    // and keys to (sample, head, 64, position).
    %apart0 = tensor.empty(%batch) : !apart
    %query4 = tensor.expand_shape %query [[0, 1], [2, 3]] output_shape [%batch, 128, 4, 64]
                : !matrix into !beside
    %queries = linalg.transpose ins(%query4 : !beside) outs(%apart0 : !apart)
                   permutation = [0, 2, 1, 3]
    %key4 = tensor.expand_shape %key [[0, 1], [2, 3]] output_shape [%batch, 128, 4, 64]
              : !matrix into !beside
    %apart_t = tensor.empty(%batch) : !apart_t
    %keys = linalg.transpose ins(%key4 : !beside) outs(%apart_t : !apart_t)
                permutation = [0, 2, 3, 1]
    %value4 = tensor.expand_shape %value [[0, 1], [2, 3]] output_shape [%batch, 128, 4, 64]
                : !matrix into !beside
    %values = linalg.transpose ins(%value4 : !beside) outs(%apart0 : !apart)
                  permutation = [0, 2, 1, 3]

    // Product 4: the scores of all heads, one batch.
    %queries3 = tensor.collapse_shape %queries [[0, 1], [2], [3]] : !apart into !heads
    %keys3 = tensor.collapse_shape %keys [[0, 1], [2], [3]] : !apart_t into !heads_t
    %scores0 = tensor.empty(%heads) : !products
    %scores1 = linalg.fill ins(%zero : f32) outs(%scores0 : !products) -> !products
    %scores3 = linalg.batch_matmul ins(%queries3, %keys3 : !heads, !heads_t)
                                   outs(%scores1 : !products) -> !products
    %scores4 = tensor.expand_shape %scores3 [[0, 1], [2], [3]] output_shape [%batch, 4, 128, 128]
                 : !products into !scores
    %scaled0 = tensor.empty(%batch) : !scores
    %scaled = linalg.generic #scores_map
        ins(%scores4 : !scores) outs(%scaled0 : !scores) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.divf %in, %sqrt64 : f32
      linalg.yield %0 : f32
    } -> !scores

    // Softmax over the keys: the greatest of each query, ...
    %row0 = tensor.empty(%batch) : !of_query
    %row1 = linalg.fill ins(%lowest : f32) outs(%row0 : !of_query) -> !of_query
    %greatest = linalg.generic #fold_of_query
        ins(%scaled : !scores) outs(%row1 : !of_query) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.maximumf %in, %out : f32
      linalg.yield %0 : f32
    } -> !of_query
    // ... the exponentials of the differences, ...
    %below = linalg.generic #scores_by_query
        ins(%scaled, %greatest : !scores, !of_query) outs(%scaled0 : !scores) {
    ^bb0(%in: f32, %max: f32, %out: f32):
      %0 = arith.subf %in, %max : f32
      linalg.yield %0 : f32
    } -> !scores
    %powers = linalg.generic #scores_map
        ins(%below : !scores) outs(%scaled0 : !scores) {
    ^bb0(%in: f32, %out: f32):
      %0 = math.exp %in : f32
      linalg.yield %0 : f32
    } -> !scores
    // ... and their quotients by the sum.
    %row2 = linalg.fill ins(%zero : f32) outs(%row0 : !of_query) -> !of_query
    %sum = linalg.generic #fold_of_query
        ins(%powers : !scores) outs(%row2 : !of_query) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    } -> !of_query
    %weights = linalg.generic #scores_by_query
        ins(%powers, %sum : !scores, !of_query) outs(%scaled0 : !scores) {
    ^bb0(%in: f32, %of_all: f32, %out: f32):
      %0 = arith.divf %in, %of_all : f32
      linalg.yield %0 : f32
    } -> !scores

    // Product 5: the weighted values, and the heads side by side again.
    %weights3 = tensor.collapse_shape %weights [[0, 1], [2], [3]] : !scores into !products
    %values3 = tensor.collapse_shape %values [[0, 1], [2], [3]] : !apart into !heads
    %mixed0 = tensor.empty(%heads) : !heads
    %mixed1 = linalg.fill ins(%zero : f32) outs(%mixed0 : !heads) -> !heads
    %mixed3 = linalg.batch_matmul ins(%weights3, %values3 : !products, !heads)
                                  outs(%mixed1 : !heads) -> !heads
    %mixed4 = tensor.expand_shape %mixed3 [[0, 1], [2], [3]] output_shape [%batch, 4, 128, 64]
                : !heads into !apart
    %beside0 = tensor.empty(%batch) : !beside
    %beside = linalg.transpose ins(%mixed4 : !apart) outs(%beside0 : !beside)
                  permutation = [0, 2, 1, 3]
    %mixed = tensor.collapse_shape %beside [[0, 1], [2, 3]] : !beside into !matrix

    // Product 6: the output projection.
    %output_w0 = tensor.empty() : !square
    %output_w = linalg.transpose ins(%wo : !square) outs(%output_w0 : !square)
                permutation = [1, 0]
    %output_0 = tensor.empty(%rows) : !matrix
    %output_1 = linalg.fill ins(%zero : f32) outs(%output_0 : !matrix) -> !matrix
    %output_2 = linalg.matmul ins(%mixed, %output_w : !matrix, !square)
                          outs(%output_1 : !matrix) -> !matrix
    %attended = linalg.generic #matrix_by_column
        ins(%output_2, %bo : !matrix, !row) outs(%output_0 : !matrix) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %0 = arith.addf %in, %bias : f32
      linalg.yield %0 : f32
    } -> !matrix

    // The residual.
    %y_in = tensor.expand_shape %attended [[0, 1], [2]] output_shape [%batch, 128, 256]
              : !matrix into !stream
    %y_0 = tensor.empty(%batch) : !stream
    %y = linalg.generic #stream_zip
        ins(%x, %y_in : !stream, !stream) outs(%y_0 : !stream) {
    ^bb0(%in: f32, %branch: f32, %out: f32):
      %0 = arith.addf %in, %branch : f32
      linalg.yield %0 : f32
    } -> !stream

    // Layer norm 2: the mean of every token, ...
    %norm2_sums0 = tensor.empty(%batch) : !of_token
    %norm2_sums1 = linalg.fill ins(%zero : f32) outs(%norm2_sums0 : !of_token) -> !of_token
    %norm2_sums = linalg.generic #sum_of_token
        ins(%y : !stream) outs(%norm2_sums1 : !of_token) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    } -> !of_token
    %norm2_mean = linalg.generic #stream_map
        ins(%norm2_sums : !of_token) outs(%norm2_sums0 : !of_token) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.divf %in, %width : f32
      linalg.yield %0 : f32
    } -> !of_token
    // ... the differences, ...
    %norm2_stream = tensor.empty(%batch) : !stream
    %norm2_centred = linalg.generic #stream_by_token
        ins(%y, %norm2_mean : !stream, !of_token) outs(%norm2_stream : !stream) {
    ^bb0(%in: f32, %mean: f32, %out: f32):
      %0 = arith.subf %in, %mean : f32
      linalg.yield %0 : f32
    } -> !stream
    // ... 1 / sqrt(variance + 1e-5), ...
    %norm2_squares = linalg.generic #stream_zip
        ins(%norm2_centred, %norm2_centred : !stream, !stream) outs(%norm2_stream : !stream) {
    ^bb0(%in: f32, %same: f32, %out: f32):
      %0 = arith.mulf %in, %same : f32
      linalg.yield %0 : f32
    } -> !stream
    %norm2_total = linalg.generic #sum_of_token
        ins(%norm2_squares : !stream) outs(%norm2_sums1 : !of_token) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.addf %in, %out : f32
      linalg.yield %0 : f32
    } -> !of_token
    %norm2_scale = linalg.generic #stream_map
        ins(%norm2_total : !of_token) outs(%norm2_sums0 : !of_token) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.divf %in, %width : f32
      %1 = arith.addf %0, %epsilon : f32
      %2 = math.rsqrt %1 : f32
      linalg.yield %2 : f32
    } -> !of_token
    // ... and the gain and shift of every channel.
    %norm2_unit = linalg.generic #stream_by_token
        ins(%norm2_centred, %norm2_scale : !stream, !of_token) outs(%norm2_stream : !stream) {
    ^bb0(%in: f32, %scale: f32, %out: f32):
      %0 = arith.mulf %in, %scale : f32
      linalg.yield %0 : f32
    } -> !stream
    %normed2 = linalg.generic #stream_by_channel
        ins(%norm2_unit, %gain2, %shift2 : !stream, !row, !row) outs(%norm2_stream : !stream) {
    ^bb0(%in: f32, %gain: f32, %shift: f32, %out: f32):
      %0 = arith.mulf %in, %gain : f32
      %1 = arith.addf %0, %shift : f32
      linalg.yield %1 : f32
    } -> !stream

    %tokens2 = tensor.collapse_shape %normed2 [[0, 1], [2]] : !stream into !matrix

    // Product 7, and gelu: h (erf(h / sqrt(2)) + 1) / 2.
    %up_w0 = tensor.empty() : !down
    %up_w = linalg.transpose ins(%w1 : !up) outs(%up_w0 : !down)
                permutation = [1, 0]
    %up_0 = tensor.empty(%rows) : !hidden
    %up_1 = linalg.fill ins(%zero : f32) outs(%up_0 : !hidden) -> !hidden
    %up_2 = linalg.matmul ins(%tokens2, %up_w : !matrix, !down)
                          outs(%up_1 : !hidden) -> !hidden
    %up = linalg.generic #matrix_by_column
        ins(%up_2, %b1 : !hidden, tensor<1024xf32>) outs(%up_0 : !hidden) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %0 = arith.addf %in, %bias : f32
      linalg.yield %0 : f32
    } -> !hidden
    %up3 = tensor.expand_shape %up [[0, 1], [2]] output_shape [%batch, 128, 1024]
             : !hidden into !hidden_stream
    %gelu0 = tensor.empty(%batch) : !hidden_stream
    %gelu = linalg.generic #stream_map
        ins(%up3 : !hidden_stream) outs(%gelu0 : !hidden_stream) {
    ^bb0(%in: f32, %out: f32):
      %0 = arith.divf %in, %sqrt2 : f32
      %1 = math.erf %0 : f32
      %2 = arith.addf %1, %one : f32
      %3 = arith.mulf %2, %half : f32
      %4 = arith.mulf %in, %3 : f32
      linalg.yield %4 : f32
    } -> !hidden_stream
    %hidden = tensor.collapse_shape %gelu [[0, 1], [2]] : !hidden_stream into !hidden

    // Product 8, and the residual.
    %down_w0 = tensor.empty() : !up
    %down_w = linalg.transpose ins(%w2 : !down) outs(%down_w0 : !up)
                permutation = [1, 0]
    %down_0 = tensor.empty(%rows) : !matrix
    %down_1 = linalg.fill ins(%zero : f32) outs(%down_0 : !matrix) -> !matrix
    %down_2 = linalg.matmul ins(%hidden, %down_w : !hidden, !up)
                          outs(%down_1 : !matrix) -> !matrix
    %down = linalg.generic #matrix_by_column
        ins(%down_2, %b2 : !matrix, !row) outs(%down_0 : !matrix) {
    ^bb0(%in: f32, %bias: f32, %out: f32):
      %0 = arith.addf %in, %bias : f32
      linalg.yield %0 : f32
    } -> !matrix

    // The stream behind the block.
    %z_in = tensor.expand_shape %down [[0, 1], [2]] output_shape [%batch, 128, 256]
              : !matrix into !stream
    %z_0 = tensor.empty(%batch) : !stream
    %z = linalg.generic #stream_zip
        ins(%y, %z_in : !stream, !stream) outs(%z_0 : !stream) {
    ^bb0(%in: f32, %branch: f32, %out: f32):
      %0 = arith.addf %in, %branch : f32
      linalg.yield %0 : f32
    } -> !stream
    return %z : !stream
  }
}
