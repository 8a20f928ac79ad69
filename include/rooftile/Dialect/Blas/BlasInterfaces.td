//===- BlasInterfaces.td - What all level-3 operations answer ---*- tablegen -*-===//
#ifndef ROOFTILE_DIALECT_BLAS_BLASINTERFACES_TD
#define ROOFTILE_DIALECT_BLAS_BLASINTERFACES_TD

include "mlir/IR/OpBase.td"

def Blas_Level3OpInterface : OpInterface<"Level3OpInterface"> {
  let cppNamespace = "::rooftile::blas";
  let description = [{
    A BLAS level-3 operation C = alpha * op(A) * op(B) + beta * C. Sizes are
    static values or `ShapedType::kDynamic`; bytes and flops of a dynamic
    operation are answered for given sizes.
  }];
  let methods = [
    InterfaceMethod<"Rows of op(A) and C.", "int64_t", "getM">,
    InterfaceMethod<"Columns of op(B) and C.", "int64_t", "getN">,
    InterfaceMethod<"Columns of op(A), rows of op(B).", "int64_t", "getK">,
    InterfaceMethod<"Product of the batch sizes.", "int64_t", "getBatch">,
    InterfaceMethod<"The left matrix.", "::mlir::Value", "getMatrixA">,
    InterfaceMethod<"The right matrix.", "::mlir::Value", "getMatrixB">,
    InterfaceMethod<"The output matrix.", "::mlir::Value", "getMatrixC">,
    InterfaceMethod<"False where beta is known to be 0: C is only written.", "bool", "readsC">,
    InterfaceMethod<"How A enters.", "::rooftile::blas::Transpose", "getTransposeA">,
    InterfaceMethod<"How B enters.", "::rooftile::blas::Transpose", "getTransposeB">,
    InterfaceMethod<"Type in which products are summed.", "::mlir::Type", "getAccumulatorType">,
    InterfaceMethod<"Facts that the types do not say, or null.", "::rooftile::blas::GivenAttr",
                    "getGivenAttr", (ins), "", "return {};">,
    InterfaceMethod<"Plans with conditions, or null.", "::mlir::ArrayAttr", "getPlansAttr", (ins),
                    "", "return {};">,
    InterfaceMethod<"The plan, or null.", "::rooftile::blas::PlanAttr", "getPlanAttr">,
    InterfaceMethod<"Sets the plan.", "void", "setPlanAttr",
                    (ins "::rooftile::blas::PlanAttr":$plan)>,
    InterfaceMethod<"Real floating-point operations for the given sizes.", "double", "getFlops",
                    (ins "int64_t":$batch, "int64_t":$m, "int64_t":$n, "int64_t":$k)>,
    InterfaceMethod<"Bytes that must move for the given sizes: each operand once, C twice if read.",
                    "double", "getBytes",
                    (ins "int64_t":$batch, "int64_t":$m, "int64_t":$n, "int64_t":$k)>
  ];
}

#endif
