//===- Options.cpp - What the environment asks for ------------------------===//

#include "Options.h"

#include <cstdlib>
#include <unistd.h>

using namespace rooftile::cublas;

void rooftile::cublas::say(const std::string &text) {
  std::string line = "rooftile: " + text + "\n";
  // A closed stderr cannot be reported.
  [[maybe_unused]] ssize_t written = write(STDERR_FILENO, line.data(), line.size());
}

static std::string valueOf(const char *name) {
  const char *value = std::getenv(name);
  return value ? value : "";
}

/// A word that is misspelt may have been meant to switch this library off.
static Mode readMode(const std::string &value) {
  if (value.empty() || value == "model")
    return Mode::Model;
  if (value == "always")
    return Mode::Always;
  if (value != "never")
    say("ROOFTILE_CUBLAS is '" + value + "', not model, always or never: no call is taken");
  return Mode::Never;
}

static bool readLog(const std::string &value) {
  if (!value.empty() && value != "calls")
    say("ROOFTILE_LOG is '" + value + "', not calls: nothing is logged");
  return value == "calls";
}

const Options &rooftile::cublas::options() {
  static const Options read = {readMode(valueOf("ROOFTILE_CUBLAS")),
                               readLog(valueOf("ROOFTILE_LOG"))};
  return read;
}
