//===- CaseKeys.cpp - What a case can say ---------------------------------===//

#include "CaseKeys.h"

using namespace rooftile::run;

static const Key kKeys[] = {
    {"routine", "gemm", ValueKind::Word, "gemm|trmm|trsm"},
    {"type", "f32", ValueKind::Types},
    {"op", "nn", ValueKind::Op},
    {"m", "16", ValueKind::Number},
    {"n", "16", ValueKind::Number},
    {"k", "16", ValueKind::Number},
    {"batch", "1", ValueKind::Number},
    {"share", "none", ValueKind::Word, "none|a|b"},
    {"pointers", "none", ValueKind::Word, "none|a|b|c|ab|ac|bc|abc"},
    {"align", "0", ValueKind::Number},
    {"alpha", "none", ValueKind::Scalar},
    {"beta", "none", ValueKind::Scalar},
    {"scalars", "const", ValueKind::Word, "const|arg"},
    {"layout", "row", ValueKind::Layout},
    {"dynamic", "0", ValueKind::Number},
    {"macro", "auto", ValueKind::Sizes3},
    {"micro", "4x4", ValueKind::Sizes2},
    {"lanes", "auto", ValueKind::Sizes2},
    {"groups", "1", ValueKind::Number},
    {"mma", "fma", ValueKind::Word,
     "fma|m8n8k4_f64|m16n8k4_f64|m16n8k8_f64|m16n8k16_f64|"
     "m8n16k4_f64|m8n16k8_f64|m8n16k16_f64"},
    {"products", "4", ValueKind::Word, "3|4"},
    {"vector", "1", ValueKind::Number},
    {"load", "1", ValueKind::Number},
    {"pad", "0", ValueKind::Number},
    {"stages", "1", ValueKind::Number},
    {"raster", "1", ValueKind::Number},
    {"ahead", "0", ValueKind::Number},
    {"unroll", "0", ValueKind::Number},
    {"copy", "register", ValueKind::Word, "register|async|a|b|bulk|tensor"},
    {"pack", "none", ValueKind::Word, "none|a|b|both"},
    {"major", "none", ValueKind::Word, "none|a|b|both"},
    {"apart", "none", ValueKind::Word, "none|a|b|both"},
    {"out", "register", ValueKind::Word, "register|shared"},
    {"reduction", "none", ValueKind::Word, "none|workspace|atomic|cluster"},
    {"splits", "1", ValueKind::Number},
    {"tail", "overlap", ValueKind::Word, "overlap|guard|split"},
    {"epilogue", "none", ValueKind::Word,
     "none|relu|clamp|row|column|residual|scale|row+relu|column+scale+residual|row+gelu|erf|exp"},
    {"plans", "one", ValueKind::Word, "one|set"},
    {"shift", "0", ValueKind::Shift},
    {"side", "left", ValueKind::Word, "left|right"},
    {"uplo", "lower", ValueKind::Word, "lower|upper"},
    {"diag", "non_unit", ValueKind::Word, "non_unit|unit"},
    {"form", "in", ValueKind::Word, "in|out"},
    {"blocks", "auto", ValueKind::Order},
    {"workgroup", "64", ValueKind::Number},
    {"sample", "all", ValueKind::Sample},
};

llvm::ArrayRef<Key> rooftile::run::caseKeys() { return kKeys; }
