// What is no list of refusals is an error, whatever it is.
// RUN: gemm-opt %s --tile-select=chip=mi60 --split-input-file --verify-diagnostics

// expected-error @below {{attribute 'blas.refused' has 1 : i64, expected an array of {plan = #blas.plan<...>, kernel = "name", scratch = bytes of a thread, registers = of a thread}}}
module attributes {blas.refused = 1} {}

// -----

// expected-error @below {{attribute 'blas.refused' has "x", expected an array}}
module attributes {blas.refused = ["x"]} {}

// -----

// expected-error @below {{attribute 'blas.refused' has {kernel = "x"}, expected an array}}
module attributes {blas.refused = [{kernel = "x"}]} {}

// -----

#plan = #blas.plan<macro = [64, 64, 8], micro = [4, 4], lanes = [8, 8], a = <via = shared>, b = <via = shared>>
// expected-error @below {{expected an array}}
module attributes {blas.refused = [{plan = #plan, kernel = "x", scratch = 1 : i32, registers = 1 : i64}]} {}
