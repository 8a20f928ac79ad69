// Convolutions as products of gathered patches, for mlir-opt: docs/Embedding.md has the command.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%module: !transform.any_op {transform.readonly}) {
    %convolutions = transform.structured.match ops{["linalg.conv_2d_nhwc_fhwc"]} in %module
      : (!transform.any_op) -> !transform.any_op
    %patches, %products = transform.structured.convert_conv2d_to_img2col %convolutions
      : (!transform.any_op) -> (!transform.any_op, !transform.any_op)
    transform.yield
  }
}
