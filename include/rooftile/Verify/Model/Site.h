//===- Site.h - Facts of one operation at compile time ----------*- C++ -*-===//
#ifndef ROOFTILE_VERIFY_MODEL_SITE_H
#define ROOFTILE_VERIFY_MODEL_SITE_H

#include "rooftile/Verify/Reference/Epilogue.h"

#include <memory>

namespace rooftile::verify {

class OperationModel;

/// Facts that only the model of an operation interprets.
struct SiteFacts {
  virtual ~SiteFacts() = default;
};

/// Facts that the compiler has of one blas operation.
struct Site {
  const OperationModel *model = nullptr;
  std::string function, location;
  int index = 0;                  ///< within its function
  Element element = Element::F32; ///< of C
  Element elementA = Element::F32, elementB = Element::F32;
  Element sum = Element::F32; ///< of the accumulator
  bool conjugatedA = false, conjugatedB = false;
  bool transposedA = false, transposedB = false;
  bool byPointers[3] = {};  ///< A, B, C: arrives as the array of the addresses
  bool compensated = false; ///< errors do not grow with the terms of an element
  Epilogue epilogue;
  std::shared_ptr<const SiteFacts> facts;

  template <typename Facts> const Facts &as() const { return static_cast<const Facts &>(*facts); }
};

} // namespace rooftile::verify

#endif // ROOFTILE_VERIFY_MODEL_SITE_H
