// tile-select as a step of a transform script.
module attributes {transform.with_named_sequence} {
  transform.named_sequence @__transform_main(%root: !transform.any_op {transform.consumed}) {
    %planned = transform.apply_registered_pass "tile-select" with options = { "chip" = "h200" } to %root
      : (!transform.any_op) -> !transform.any_op
    transform.yield
  }
}
