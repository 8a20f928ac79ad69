//===- Measurement.cpp - One candidate that was tried ---------------------===//

#include "rooftile/Tuning/Store/Measurement.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace rooftile::tuning;
namespace json = llvm::json;
using llvm::StringRef;

static constexpr StringRef kOutcomes[] = {"right", "wrong", "refused", "crashed", "timedOut"};

StringRef rooftile::tuning::nameOf(Outcome outcome) { return kOutcomes[size_t(outcome)]; }

std::string rooftile::tuning::whyFailed(Outcome outcome, const std::string &reason) {
  return nameOf(outcome).str() + (reason.empty() ? "" : ": " + reason);
}

bool Environment::operator==(const Environment &other) const {
  return std::tie(chip, device, driver, compiler, target, planVersion) ==
         std::tie(other.chip, other.device, other.driver, other.compiler, other.target,
                  other.planVersion);
}

double rooftile::tuning::median(std::vector<double> values) {
  if (values.empty())
    return NAN;
  llvm::sort(values);
  size_t half = values.size() / 2;
  return values.size() % 2 ? values[half] : (values[half - 1] + values[half]) / 2;
}

double Measurement::milliseconds() const { return median(samples); }

double Measurement::gain() const { return baseline() / milliseconds(); }

std::vector<double> Measurement::ratios() const {
  std::vector<double> result;
  for (double sample : samples)
    result.push_back(sample / baseline());
  return result;
}

std::vector<Measurement> rooftile::tuning::inLatestEnvironment(llvm::ArrayRef<Measurement> all) {
  std::vector<Measurement> result;
  if (all.empty())
    return result;
  const Measurement *latest = &all.front();
  for (const Measurement &each : all)
    if (each.date >= latest->date)
      latest = &each;
  llvm::copy_if(all, std::back_inserter(result),
                [&](const Measurement &each) { return each.environment == latest->environment; });
  return result;
}

//===----------------------------------------------------------------------===//
// Keys
//===----------------------------------------------------------------------===//

/// Calls `visit` with the name and the member of each key, in the order of a line.
template <typename Self, typename Visit> static void visitKeys(Self &self, Visit &&visit) {
  visit("operation", self.operation);
  visit("plan", self.plan);
  visit("chip", self.environment.chip);
  visit("device", self.environment.device);
  visit("driver", self.environment.driver);
  visit("compiler", self.environment.compiler);
  visit("target", self.environment.target);
  visit("planVersion", self.environment.planVersion);
  visit("outcome", self.outcome);
  visit("reason", self.reason);
  visit("binary", self.binary);
  visit("predicted", self.predicted);
  visit("rank", self.rank);
  visit("resources", self.resources);
  visit("samples", self.samples);
  visit("baselineBefore", self.baselineBefore);
  visit("baselineAfter", self.baselineAfter);
  visit("clockMHz", self.state.clockMHz);
  visit("memoryMHz", self.state.memoryMHz);
  visit("watts", self.state.watts);
  visit("throttled", self.state.throttled);
  visit("trial", self.trial);
  visit("date", self.date);
}

using Resources = std::vector<std::pair<std::string, double>>;

namespace {
/// Writes what is not the default.
class Writer {
public:
  explicit Writer(json::OStream &out) : out(out) {}

  void operator()(StringRef key, const std::string &value) const {
    if (!value.empty())
      out.attribute(key, value);
  }
  void operator()(StringRef key, double value) const {
    if (!std::isnan(value))
      out.attribute(key, value);
  }
  void operator()(StringRef key, int64_t value) const { out.attribute(key, value); }
  void operator()(StringRef key, std::optional<int64_t> value) const {
    if (value)
      out.attribute(key, *value);
  }
  void operator()(StringRef key, bool value) const {
    if (value)
      out.attribute(key, value);
  }
  void operator()(StringRef key, Outcome value) const { out.attribute(key, nameOf(value)); }
  void operator()(StringRef key, const std::vector<double> &values) const {
    if (!values.empty())
      out.attribute(key, json::Array(values));
  }
  void operator()(StringRef key, Resources values) const {
    llvm::sort(values); // Objects of JSON have no order, lines have one.
    if (!values.empty())
      out.attributeObject(key, [&] {
        for (const auto &[name, value] : values)
          out.attribute(name, value);
      });
  }

private:
  json::OStream &out;
};

/// Reads one member; `why` becomes what is expected of a value that is something else.
class Reader {
public:
  Reader(const json::Object &object, std::string &why) : object(object), why(why) {}

  void operator()(StringRef key, std::string &value) {
    take(key, "a string", [&](const json::Value &given) {
      std::optional<StringRef> text = given.getAsString();
      return text && (value = text->str(), true);
    });
  }
  void operator()(StringRef key, double &value) {
    take(key, "a number", [&](const json::Value &given) { return number(given, value); });
  }
  void operator()(StringRef key, int64_t &value) {
    take(key, "an integer", [&](const json::Value &given) {
      std::optional<int64_t> read = given.getAsInteger();
      return read && (value = *read, true);
    });
  }
  void operator()(StringRef key, std::optional<int64_t> &value) {
    int64_t read = 0;
    (*this)(key, read);
    if (object.get(key))
      value = read;
  }
  void operator()(StringRef key, bool &value) {
    take(key, "true or false", [&](const json::Value &given) {
      std::optional<bool> read = given.getAsBoolean();
      return read && (value = *read, true);
    });
  }
  void operator()(StringRef key, Outcome &value) {
    std::string expected = "one of " + llvm::join(llvm::ArrayRef(kOutcomes), ", ");
    take(key, expected, [&](const json::Value &given) {
      const StringRef *found = llvm::find(kOutcomes, given.getAsString().value_or(""));
      value = Outcome(found - std::begin(kOutcomes));
      return found != std::end(kOutcomes);
    });
  }
  void operator()(StringRef key, std::vector<double> &values) {
    take(key, "an array of numbers", [&](const json::Value &given) {
      const json::Array *array = given.getAsArray();
      return array && llvm::all_of(*array, [&](const json::Value &each) {
               return number(each, values.emplace_back());
             });
    });
  }
  void operator()(StringRef key, Resources &values) {
    take(key, "an object of numbers", [&](const json::Value &given) {
      const json::Object *read = given.getAsObject();
      bool good = read != nullptr;
      for (const auto &entry : good ? *read : json::Object())
        good &= number(entry.second, values.emplace_back(entry.first.str(), NAN).second);
      llvm::sort(values);
      return good;
    });
  }

  /// The first key of the object that was not asked for; empty for none.
  std::string unknown() const {
    for (const auto &entry : object)
      if (!llvm::is_contained(known, entry.first.str()))
        return entry.first.str();
    return "";
  }

private:
  static bool number(const json::Value &given, double &value) {
    std::optional<double> read = given.getAsNumber();
    return read && (value = *read, true);
  }
  void take(StringRef key, const std::string &expected,
            llvm::function_ref<bool(const json::Value &)> read) {
    known.push_back(key.str());
    const json::Value *given = object.get(key);
    if (given && !read(*given) && why.empty())
      why = "'" + key.str() + "' is not " + expected;
  }

  const json::Object &object;
  std::string &why;
  std::vector<std::string> known;
};
} // namespace

std::string rooftile::tuning::toJson(const Measurement &measurement) {
  std::string line;
  llvm::raw_string_ostream stream(line);
  json::OStream out(stream);
  out.object([&] { visitKeys(measurement, Writer(out)); });
  return line;
}

llvm::Expected<Measurement> rooftile::tuning::fromJson(StringRef line) {
  llvm::Expected<json::Value> value = json::parse(line);
  if (!value)
    return value.takeError();
  const json::Object *object = value->getAsObject();
  if (!object)
    return llvm::createStringError("expected an object of JSON");
  Measurement measurement;
  std::string why;
  Reader reader(*object, why);
  visitKeys(measurement, reader);
  if (std::string key = reader.unknown(); why.empty() && !key.empty())
    why = "unknown key '" + key + "'";
  for (const auto &[key, text] :
       {std::pair("operation", &measurement.operation),
        std::pair("chip", &measurement.environment.chip), std::pair("date", &measurement.date)})
    if (why.empty() && text->empty())
      why = "'" + std::string(key) + "' is missing";
  if (!why.empty())
    return llvm::createStringError(why);
  return measurement;
}
