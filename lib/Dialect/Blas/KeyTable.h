//===- KeyTable.h - What comes from a table of keys -------------*- C++ -*-===//
//
// Plans, paths, targets and calibrations are structs with a table of keys, visitKeys. Comparison,
// hashing, text and the lists of keys of each are these templates.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_DIALECT_BLAS_KEYTABLE_H
#define ROOFTILE_LIB_DIALECT_BLAS_KEYTABLE_H

#include "rooftile/Dialect/Blas/PlanData.h"
#include "rooftile/Dialect/Blas/TargetData.h"
#include "rooftile/Dialect/Tile/Instructions.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/bit.h"

namespace rooftile::blas {

//===----------------------------------------------------------------------===//
// Comparison and hashing
//===----------------------------------------------------------------------===//

template <typename Data> bool haveEqualValues(const Data &left, const Data &right) {
  bool equal = true;
  Data::visitKeys([&](const auto &, auto... members) {
    equal = equal && ((left.*members == right.*members) && ...);
  });
  return equal;
}

template <typename Value> llvm::hash_code valueHash(const Value &value) {
  return llvm::hash_value(value);
}
inline llvm::hash_code valueHash(const PathData &path) { return hash_value(path); }
inline llvm::hash_code valueHash(double value) {
  return llvm::hash_value(llvm::bit_cast<uint64_t>(value));
}
inline llvm::hash_code valueHash(const std::vector<InstructionRate> &rates) {
  llvm::hash_code code(0);
  for (const InstructionRate &rate : rates)
    code = llvm::hash_combine(code, rate.instruction, rate.gflops);
  return code;
}
inline llvm::hash_code valueHash(const std::vector<BulkForm> &forms) {
  llvm::hash_code code(0);
  for (const BulkForm &form : forms)
    code = llvm::hash_combine(code, form.multiplyAdds, form.microM, form.microN, form.macroK,
                              form.stages, form.unroll);
  return code;
}
inline llvm::hash_code valueHash(const std::optional<CalibrationData> &calibration) {
  return calibration ? hash_value(*calibration) : llvm::hash_code(0);
}

template <typename Data> llvm::hash_code hashOf(const Data &data) {
  llvm::hash_code code(0);
  Data::visitKeys([&](const auto &, auto... members) {
    code = llvm::hash_combine(code, valueHash(data.*members)...);
  });
  return code;
}

//===----------------------------------------------------------------------===//
// Text
//===----------------------------------------------------------------------===//

/// The shortest text that reads as the same number, with a point, as literals of MLIR have.
std::string numberText(double value);

inline std::string valueText(int64_t value) { return std::to_string(value); }
inline std::string valueText(bool value) { return value ? "true" : "false"; }
inline std::string valueText(double value) { return numberText(value); }
inline std::string valueText(const std::string &value) {
  std::string text;
  llvm::raw_string_ostream out(text);
  llvm::printEscapedString(value, out);
  return "\"" + text + "\"";
}
inline std::string valueText(const PathData &path) { return textOf(path); }
inline std::string valueText(const std::optional<CalibrationData> &calibration) {
  return calibration ? textOf(*calibration) : "";
}
inline std::string valueText(const tile::Instruction *instruction) {
  return instruction ? instruction->name.str() : "fma";
}
template <typename Enum, std::enable_if_t<std::is_enum_v<Enum>, int> = 0>
std::string valueText(Enum value) {
  return stringifyEnum(value).str();
}
std::string valueText(const std::vector<InstructionRate> &rates);
std::string valueText(const std::vector<BulkForm> &forms);

/// The value of one key: [4, 8] where it has several members.
template <typename Data, typename... Members>
std::string membersText(const Data &data, Members... members) {
  std::string list;
  ((list += (list.empty() ? "" : ", ") + valueText(data.*members)), ...);
  return sizeof...(Members) > 1 ? "[" + list + "]" : list;
}

/// <key = value, ...>: required keys, and those whose value is not the default.
template <typename Data> std::string structText(const Data &data) {
  const Data byDefault;
  std::string list;
  Data::visitKeys([&](const auto &key, auto... members) {
    if (key.required || ((data.*members != byDefault.*members) || ...))
      list += (list.empty() ? "" : ", ") + key.name.str() + " = " + membersText(data, members...);
  });
  return "<" + list + ">";
}

//===----------------------------------------------------------------------===//
// Lists of keys
//===----------------------------------------------------------------------===//

template <typename Value> void describeValue(KeyInfo &info, const Value &) {
  if constexpr (std::is_same_v<Value, PathData>) {
    info.kind = KeyInfo::Kind::Path;
  } else if constexpr (std::is_same_v<Value, const tile::Instruction *>) {
    info.kind = KeyInfo::Kind::Word;
    info.words.push_back("fma");
    for (const tile::Instruction &each : tile::allInstructions())
      info.words.push_back(each.name);
  } else if constexpr (std::is_enum_v<Value>) {
    info.kind = KeyInfo::Kind::Word;
    for (uint32_t value = 0; !stringifyEnum(Value(value)).empty(); ++value)
      info.words.push_back(stringifyEnum(Value(value)));
  } else {
    info.kind = std::is_same_v<Value, int64_t> ? KeyInfo::Kind::Integer : KeyInfo::Kind::Other;
  }
}

/// The name of a key that older versions had under `name`; else `name`.
llvm::StringRef currentKeyName(llvm::StringRef name);

template <typename Data> std::vector<KeyInfo> keysOf() {
  std::vector<KeyInfo> keys;
  const Data byDefault;
  Data::visitKeys([&](const auto &key, auto... members) {
    KeyInfo info{key.name, key.doc, KeyInfo::Kind::Sizes, key.required, "", {}};
    if constexpr (sizeof...(members) == 1)
      describeValue(info, (byDefault.*members)...);
    if (!key.required)
      info.byDefault = membersText(byDefault, members...);
    keys.push_back(std::move(info));
  });
  return keys;
}

} // namespace rooftile::blas

#endif // ROOFTILE_LIB_DIALECT_BLAS_KEYTABLE_H
