//===- StructReader.h - Reads the keys of a struct --------------*- C++ -*-===//
//
// <key = value, ...> of #blas.plan, #blas.path, #blas.target and #blas.calibration, by the table of
// keys of the struct that the attribute holds. Errors stand at the key or the value that is wrong.
//
//===----------------------------------------------------------------------===//
#ifndef ROOFTILE_LIB_DIALECT_BLAS_STRUCTREADER_H
#define ROOFTILE_LIB_DIALECT_BLAS_STRUCTREADER_H

#include "KeyTable.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/SmallSet.h"

namespace rooftile::blas {

/// Where a value stands: the key that it is of, and that key's attribute in messages.
struct KeyContext {
  mlir::AsmParser &parser;
  llvm::StringRef owner;
  const KeyInfo &key;
};

inline mlir::ParseResult readValue(KeyContext in, int64_t &value) {
  return in.parser.parseInteger(value);
}
inline mlir::ParseResult readValue(KeyContext in, double &value) {
  return in.parser.parseFloat(value);
}
inline mlir::ParseResult readValue(KeyContext in, std::string &value) {
  return in.parser.parseString(&value);
}
mlir::ParseResult readValue(KeyContext in, bool &value);
mlir::ParseResult readValue(KeyContext in, PathData &path);
mlir::ParseResult readValue(KeyContext in, const tile::Instruction *&instruction);
mlir::ParseResult readValue(KeyContext in, std::vector<InstructionRate> &rates);
mlir::ParseResult readValue(KeyContext in, std::vector<BulkForm> &forms);
mlir::ParseResult readValue(KeyContext in, std::optional<CalibrationData> &calibration);

template <typename Enum, std::enable_if_t<std::is_enum_v<Enum>, int> = 0>
mlir::ParseResult readValue(KeyContext in, Enum &value) {
  llvm::SMLoc place = in.parser.getCurrentLocation();
  llvm::StringRef word;
  if (in.parser.parseKeyword(&word))
    return mlir::failure();
  std::optional<Enum> found = symbolizeEnum<Enum>(word);
  if (!found)
    return in.parser.emitError(place)
           << in.owner << ": " << in.key.name << " = " << unknownWordText(word, in.key.words);
  value = *found;
  return mlir::success();
}

/// The values of a whole attribute, such as #blas.path<...> or an alias; nothing where there is
/// none.
template <typename Attr, typename Data>
mlir::OptionalParseResult readWhole(mlir::AsmParser &parser, Data &data) {
  llvm::SMLoc place = parser.getCurrentLocation();
  mlir::Attribute whole;
  mlir::OptionalParseResult found = parser.parseOptionalAttribute(whole);
  if (!found.has_value() || failed(*found))
    return found;
  auto attribute = mlir::dyn_cast_or_null<Attr>(whole);
  if (!attribute)
    return mlir::ParseResult(parser.emitError(place) << "expected a #blas." << Attr::getMnemonic());
  data = attribute.getData();
  return mlir::ParseResult(mlir::success());
}

/// Reads the keys of a struct: `what` in messages, of `owner`.
template <typename Data> class StructReader {
public:
  StructReader(mlir::AsmParser &parser, llvm::StringRef what, llvm::StringRef owner,
               llvm::ArrayRef<KeyInfo> keys)
      : parser(parser), what(what), owner(owner), keys(keys) {}

  mlir::ParseResult read(Data &data) {
    llvm::SMLoc begin = parser.getCurrentLocation();
    if (parser.parseLess())
      return mlir::failure();
    if (failed(parser.parseOptionalGreater()) &&
        (parser.parseCommaSeparatedList([&] { return readKey(data); }) || parser.parseGreater()))
      return mlir::failure();
    for (const KeyInfo &key : keys)
      if (key.required && !seen.contains(key.name))
        return parser.emitError(begin)
               << owner << " lacks the key '" << key.name << "', " << key.doc;
    return mlir::success();
  }

private:
  mlir::ParseResult readKey(Data &data);
  template <typename Member, typename... Others>
  mlir::ParseResult readMembers(const KeyInfo &key, Data &data, Member member, Others... others);

  mlir::AsmParser &parser;
  llvm::StringRef what;
  std::string owner;
  llvm::ArrayRef<KeyInfo> keys;
  llvm::SmallSet<llvm::StringRef, 32> seen;
};

template <typename Data>
template <typename Member, typename... Others>
mlir::ParseResult StructReader<Data>::readMembers(const KeyInfo &key, Data &data, Member member,
                                                  Others... others) {
  if constexpr (sizeof...(others) == 0) {
    return readValue(KeyContext{parser, owner, key}, data.*member);
  } else {
    int64_t Data::*members[] = {member, others...};
    llvm::SMLoc place = parser.getCurrentLocation();
    llvm::SmallVector<int64_t> sizes;
    if (parser.parseCommaSeparatedList(mlir::AsmParser::Delimiter::Square,
                                       [&] { return parser.parseInteger(sizes.emplace_back()); }))
      return mlir::failure();
    if (sizes.size() != std::size(members))
      return parser.emitError(place)
             << what << ": " << key.name << " needs " << std::size(members) << " sizes ("
             << (std::size(members) == 3 ? "M, N, K" : "M, N") << "), got " << sizes.size();
    for (auto [each, size] : llvm::zip(members, sizes))
      data.*each = size;
    return mlir::success();
  }
}

template <typename Data> mlir::ParseResult StructReader<Data>::readKey(Data &data) {
  llvm::SMLoc place = parser.getCurrentLocation();
  llvm::StringRef name;
  if (parser.parseKeyword(&name))
    return mlir::failure();
  if (llvm::StringRef now = currentKeyName(name); now != name) {
    mlir::emitWarning(parser.getEncodedSourceLoc(place))
        << what << ": key '" << name << "' is called '" << now << "' now";
    name = now;
  }
  if (!seen.insert(name).second)
    return parser.emitError(place) << owner << ": key '" << name << "' appears twice";
  mlir::ParseResult result = mlir::failure();
  const KeyInfo *info = keys.begin();
  bool known = false;
  Data::visitKeys([&](const auto &key, auto... members) {
    if (!known && key.name == name) {
      known = true;
      result = mlir::failure(parser.parseEqual() || readMembers(*info, data, members...));
    }
    info += !known;
  });
  return known ? result : parser.emitError(place) << unknownKeyText(what, name, keys);
}

} // namespace rooftile::blas

#endif // ROOFTILE_LIB_DIALECT_BLAS_STRUCTREADER_H
