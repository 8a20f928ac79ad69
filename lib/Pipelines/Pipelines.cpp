//===- Pipelines.cpp - The line, from linalg or blas onward ---------------===//

#include "rooftile/Pipelines/Pipelines.h"

void rooftile::registerPipelines() {}
