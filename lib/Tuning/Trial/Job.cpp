//===- Job.cpp - Candidates that a worker tries ---------------------------===//

#include "rooftile/Tuning/Trial/Job.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

using namespace rooftile;
using namespace rooftile::tuning;
namespace json = llvm::json;
using llvm::StringRef;

static constexpr StringRef kSteps[] = {"checking", "timing", "result", "done"};

static constexpr StringRef kDynamic = " dynamic";

std::string rooftile::tuning::lineOf(const bench::Shape &shape) {
  return operation::text(shape.operation) + (shape.isDynamic ? kDynamic.str() : "");
}

ParsedLine rooftile::tuning::parseLine(StringRef line) {
  bool isDynamic = line.consume_back(kDynamic);
  return {operation::parse(line), isDynamic};
}

std::vector<bench::Shape> rooftile::tuning::withoutRepeats(std::vector<bench::Shape> shapes) {
  llvm::StringSet<> lines;
  llvm::erase_if(shapes,
                 [&](const bench::Shape &shape) { return !lines.insert(lineOf(shape)).second; });
  return shapes;
}

static std::string textOf(json::Object object) {
  std::string text;
  llvm::raw_string_ostream(text) << json::Value(std::move(object));
  return text;
}

std::string rooftile::tuning::toJson(const Job &job) {
  json::Object object{{"shape", job.shape}, {"samples", job.samples}, {"seconds", job.seconds}};
  object["kernels"] = json::Array(job.kernels);
  return textOf(std::move(object));
}

llvm::Expected<Job> rooftile::tuning::jobFromJson(StringRef line) {
  llvm::Expected<json::Value> value = json::parse(line);
  if (!value)
    return value.takeError();
  json::Path::Root root("job");
  json::ObjectMapper map(*value, root);
  Job job;
  if (!map || !map.map("shape", job.shape) || !map.map("kernels", job.kernels) ||
      !map.map("samples", job.samples) || !map.map("seconds", job.seconds))
    return root.getError();
  return job;
}

/// Keys of numbers that an answer has where they are known.
static constexpr std::pair<llvm::StringLiteral, double DeviceState::*> kStateKeys[] = {
    {"clockMHz", &DeviceState::clockMHz},
    {"memoryMHz", &DeviceState::memoryMHz},
    {"watts", &DeviceState::watts}};

std::string rooftile::tuning::toJson(const Answer &answer) {
  json::Object object{{"step", kSteps[answer.step]}};
  if (answer.step == Answer::Checking || answer.step == Answer::Result)
    object["kernel"] = int64_t(answer.kernel);
  if (answer.verified)
    object["verified"] = *answer.verified;
  if (!answer.samples.empty())
    object["samples"] = json::Array(answer.samples);
  if (!answer.error.empty())
    object["error"] = answer.error;
  for (auto [key, value] : kStateKeys)
    if (!std::isnan(answer.device.*value))
      object[StringRef(key)] = answer.device.*value;
  if (answer.device.throttled)
    object["throttled"] = true;
  return textOf(std::move(object));
}

llvm::Expected<Answer> rooftile::tuning::answerFromJson(StringRef line) {
  llvm::Expected<json::Value> value = json::parse(line);
  if (!value)
    return value.takeError();
  json::Path::Root root("answer");
  json::ObjectMapper map(*value, root);
  Answer answer;
  std::string step;
  int64_t kernel = 0;
  if (!map || !map.map("step", step) || !map.mapOptional("kernel", kernel) ||
      !map.map("verified", answer.verified) || !map.mapOptional("error", answer.error) ||
      !map.mapOptional("samples", answer.samples) ||
      !map.mapOptional("throttled", answer.device.throttled))
    return root.getError();
  for (auto [name, number] : kStateKeys)
    if (!map.mapOptional(name, answer.device.*number))
      return root.getError();
  const StringRef *found = llvm::find(kSteps, step);
  if (found == std::end(kSteps))
    return llvm::createStringError("no step of an answer is called '" + step + "'");
  answer.step = Answer::Step(found - std::begin(kSteps));
  answer.kernel = size_t(kernel);
  return answer;
}
