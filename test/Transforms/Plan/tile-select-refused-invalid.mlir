// Any value but a list of refusals is an error.
// RUN: gemm-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{attribute 'blas.refused' is 1 : i64, expected an array of #blas.refusal}}
module attributes {blas.refused = 1} {}

// -----

// expected-error @below {{attribute 'blas.refused' is ["x"], expected an array of #blas.refusal}}
module attributes {blas.refused = ["x"]} {}

// -----

// expected-error @below {{expected an array of #blas.refusal}}
module attributes {blas.refused = [{kernel = "x", scratch = 1 : i64, registers = 1 : i64}]} {}

// -----

// expected-error @below {{refusal of x: expected a plan or blocks, got none}}
module attributes {blas.refused = [#blas.refusal<kernel = "x", scratch = 1, registers = 1>]} {}
