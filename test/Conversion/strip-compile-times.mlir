// RUN: gemm-opt %s --strip-compile-times | FileCheck %s

// Times go, other properties stay; an object that has nothing else has no properties.
// CHECK: gpu.binary @two [#gpu.object<#nvvm.target, properties = {O = 3 : i32}, bin = "a">, #gpu.object<#nvvm.target<chip = "sm_90">, bin = "b">]
gpu.binary @two [
  #gpu.object<#nvvm.target, properties = {ISAToBinaryTimeInMs = 9 : i64, LLVMIRToISATimeInMs = 4 : i64, O = 3 : i32}, bin = "a">,
  #gpu.object<#nvvm.target<chip = "sm_90">, properties = {ISAToBinaryTimeInMs = 9 : i64}, bin = "b">]
