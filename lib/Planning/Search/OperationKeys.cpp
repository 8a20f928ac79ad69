//===- OperationKeys.cpp - What lists of plans name -----------------------===//

#include "rooftile/Planning/Search/OperationKeys.h"
#include "rooftile/Dialect/Element.h"
#include "rooftile/Operation/Element.h"

using namespace mlir;
using namespace rooftile;
using namespace rooftile::planning;

static constexpr StringLiteral kRoutine("routine"), kType("type"), kOp("op");
static constexpr StringLiteral kRoutines[] = {"gemm", "trmm", "trsm"};
static constexpr StringLiteral kWords[] = {kRoutine, kType, kOp, "side", "uplo", "diag"};
static constexpr StringLiteral kSizes[] = {"m", "n", "k", "batch"};

std::vector<OperationKey> planning::keysOf(blas::Level3OpInterface op) {
  auto typeOf = [](Value matrix) {
    return wordOf(cast<ShapedType>(matrix.getType()).getElementType());
  };
  std::string types =
      typeOf(op.getMatrixA()) + "/" + typeOf(op.getMatrixB()) + "/" + typeOf(op.getMatrixC());
  auto transposed = [](blas::Transpose how) { return blas::isTransposed(how) ? "t" : "n"; };
  std::string ops = transposed(op.getTransposeA());
  ops += transposed(op.getTransposeB());
  std::vector<OperationKey> keys{
      {kRoutine, op->getName().stripDialect().str(), {}}, {kType, types, {}}, {kOp, ops, {}}};
  int64_t sizes[] = {op.getM(), op.getN(), op.getK(), op.getBatch()};
  for (auto [key, size] : llvm::zip_equal(kSizes, sizes)) {
    bool dynamic = ShapedType::isDynamic(size);
    keys.push_back({key, dynamic ? "?" : std::to_string(size),
                    dynamic ? std::optional<int64_t>() : std::optional(size)});
  }
  if (auto triangular = dyn_cast<blas::TriangularOpInterface>(op.getOperation())) {
    keys.push_back({"side", stringifySide(triangular.getSide()).str(), {}});
    keys.push_back({"uplo", stringifyUplo(triangular.getUplo()).str(), {}});
    keys.push_back({"diag", stringifyDiag(triangular.getDiag()).str(), {}});
  }
  return keys;
}

/// In the order in which they are looked for: `<=` before `<`.
static constexpr std::pair<StringLiteral, bool (*)(int64_t, int64_t)> kComparisons[] = {
    {"!=", [](int64_t size, int64_t number) { return size != number; }},
    {"<=", [](int64_t size, int64_t number) { return size <= number; }},
    {">=", [](int64_t size, int64_t number) { return size >= number; }},
    {"=", [](int64_t size, int64_t number) { return size == number; }},
    {"<", [](int64_t size, int64_t number) { return size < number; }},
    {">", [](int64_t size, int64_t number) { return size > number; }}};

/// f32 as f32/f32/f32; nothing where a part is no type.
static std::string typesOf(StringRef word) {
  SmallVector<StringRef> parts;
  word.split(parts, '/');
  bool valid = (parts.size() == 1 || parts.size() == 3) && llvm::all_of(parts, [](StringRef part) {
                 return part == "*" || operation::elementNamed(part);
               });
  if (!valid)
    return "";
  return parts.size() == 3 ? word.str() : (word + "/" + word + "/" + word).str();
}

/// A word without a key: a routine, types or transposes.
static KeyCondition bareWord(StringRef word) {
  KeyCondition condition;
  if (llvm::is_contained(kRoutines, word))
    condition.key = kRoutine.str(), condition.pattern = word.str();
  else if (word.size() == 2 && word.find_first_not_of("nt*") == StringRef::npos)
    condition.key = kOp.str(), condition.pattern = word == "**" ? "*" : word.str();
  else if (condition.pattern = typesOf(word); !condition.pattern.empty())
    condition.key = kType.str();
  return condition;
}

std::optional<KeyCondition> KeyCondition::parse(StringRef word) {
  if (KeyCondition bare = bareWord(word); !bare.key.empty())
    return bare;
  KeyCondition condition;
  auto [key, value] = word.split('=');
  if (llvm::is_contained(kWords, key) && !value.empty()) {
    condition.key = key.str();
    condition.pattern = key == kType ? typesOf(value) : value.str();
    return condition.pattern.empty() ? std::nullopt : std::optional(condition);
  }
  const auto *size = llvm::find_if(kSizes, [&](StringRef each) { return word.starts_with(each); });
  if (size == std::end(kSizes))
    return std::nullopt;
  condition.key = size->str();
  word.consume_front(*size);
  if (word == "=*" || word == "=?") {
    condition.pattern = word.drop_front().str();
    return condition;
  }
  if (word.consume_front("%") &&
      (word.consumeInteger(10, condition.modulus) || condition.modulus < 1))
    return std::nullopt;
  for (auto [text, compare] : kComparisons)
    if (word.consume_front(text)) {
      condition.compare = compare;
      return word.getAsInteger(10, condition.number) ? std::nullopt : std::optional(condition);
    }
  return std::nullopt;
}

/// Whether `text` is `pattern`, where each `*` is any text.
static bool matches(StringRef text, StringRef pattern) {
  auto [head, rest] = pattern.split('*');
  if (!text.consume_front(head))
    return false;
  if (head.size() == pattern.size())
    return text.empty();
  for (size_t skipped = 0; skipped <= text.size(); ++skipped)
    if (matches(text.drop_front(skipped), rest))
      return true;
  return false;
}

bool KeyCondition::holds(ArrayRef<OperationKey> keys) const {
  const auto *found =
      llvm::find_if(keys, [&](const OperationKey &each) { return each.key == key; });
  if (found == keys.end())
    return false;
  if (!compare)
    return matches(found->text, pattern);
  return found->size && compare(modulus ? *found->size % modulus : *found->size, number);
}
