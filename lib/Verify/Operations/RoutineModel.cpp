//===- RoutineModel.cpp - Operations by the table of routines -------------===//

#include "RoutineModel.h"
#include "Operands/Draw.h"
#include "rooftile/Operation/Words.h"

#include "llvm/ADT/StringExtras.h"

using namespace rooftile;
using namespace rooftile::verify;

using Strings = std::vector<std::string>;

std::pair<int64_t, int64_t> RoutineModel::storedShape(const Case &single, int operand) const {
  operation::Operation operation;
  operation.routine = routine;
  bool isSquare = !info().hasM();
  operation.n = single.number("n"), operation.k = single.number("k");
  operation.m = isSquare ? operation.n : single.number("m");
  operation.opA = operation::Op(single["op"][0]);
  operation.side =
      operation::choiceNamed<operation::Side>(single["side"]).value_or(operation::Side());
  int stored = operation.has(operand) ? operand : 2; // the input of an operation in place
  return {operation.rows(stored), operation.columns(stored)};
}

Strings RoutineModel::sizeKeys() const {
  Strings names;
  if (info().hasM())
    names.push_back("m");
  names.push_back("n");
  if (info().hasK())
    names.push_back("k");
  return names;
}

//===----------------------------------------------------------------------===//
// Choices
//===----------------------------------------------------------------------===//

template <typename Choice> static Strings wordsIn() {
  return Strings(std::begin(operation::Words<Choice>::list),
                 std::end(operation::Words<Choice>::list));
}

template <typename Choice> static Key keyOf(const char *name) {
  static const std::string words = llvm::join(wordsIn<Choice>(), "|");
  return {name, operation::Words<Choice>::list[0], ValueKind::Word, words.c_str()};
}

std::vector<Key> rooftile::verify::choiceKeys() {
  return {keyOf<operation::Side>("side"),
          keyOf<operation::Triangle>("uplo"),
          keyOf<operation::Diagonal>("diag"),
          {"form", "in", ValueKind::Word, "in|out"}};
}

/// The element types of a routine; f32 and f64 as often as all others.
static Strings typesOf(const operation::RoutineInfo &info) {
  Strings names;
  for (const operation::ElementInfo &each : operation::kElements)
    if (hasKernels(info, each.element)) {
      bool isCommon = each.components == 1 && each.bytes >= 4;
      names.insert(names.end(), isCommon ? 2 : 1, each.name);
    }
  return names;
}

const operation::RoutineInfo &
rooftile::verify::drawRoutine(Draw &draw, Case &single,
                              bool (*isOne)(const operation::RoutineInfo &)) {
  Strings names;
  for (const operation::RoutineInfo &info : operation::kRoutines)
    if (isOne(info))
      names.push_back(info.name);
  single.values["routine"] = draw.of(names);
  const operation::RoutineInfo &info = infoOf(*operation::routineNamed(single["routine"]));
  single.values["type"] = draw.of(typesOf(info));
  llvm::StringRef letters = info.ops;
  single.values["op"] = std::string(1, letters.empty() ? 'n' : letters[draw.below(letters.size())]);
  single.values["op"] += 'n';
  if (info.hasSide)
    single.values["side"] = draw.of(wordsIn<operation::Side>());
  if (info.hasUplo)
    single.values["uplo"] = draw.of(wordsIn<operation::Triangle>());
  if (info.hasDiag)
    single.values["diag"] = draw.of(wordsIn<operation::Diagonal>());
  if (info.inPlace)
    single.values["form"] = draw.of(Strings{"in", "out"});
  return info;
}
