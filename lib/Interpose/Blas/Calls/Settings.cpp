//===- Settings.cpp - What the environment asks for -----------------------===//

#include "Settings.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace rooftile::interpose;

/// The variable, or null where it is unset or empty.
static const char *variable(const char *name) {
  const char *value = std::getenv(name);
  return value && *value ? value : nullptr;
}

static bool is(const char *value, const char *text) {
  return value && std::strcmp(value, text) == 0;
}

static Where readDevice() {
  const char *value = variable("ROOFTILE_BLAS_DEVICE");
  if (!value || is(value, "cuda"))
    return Where::Gpu;
  if (is(value, "cpu"))
    return Where::Cpu;
  if (!is(value, "off"))
    say("ROOFTILE_BLAS_DEVICE is '%s', not cuda, cpu or off: all calls are forwarded", value);
  return Where::Off;
}

static Settings read() {
  Settings settings;
  settings.device = readDevice();
  settings.logsCalls = is(variable("ROOFTILE_LOG"), "calls");
  settings.next = variable("ROOFTILE_BLAS_NEXT");
  const char *take = variable("ROOFTILE_BLAS_TAKE");
  settings.takesAll = is(take, "all");
  if (take && !settings.takesAll)
    say("ROOFTILE_BLAS_TAKE is '%s', not all: it has no effect", take);
  return settings;
}

const Settings &rooftile::interpose::settings() {
  static const Settings known = read();
  return known;
}

void rooftile::interpose::say(const char *format, ...) {
  constexpr int kMost = 1024;
  char line[kMost];
  va_list arguments;
  va_start(arguments, format);
  int start = std::snprintf(line, kMost, "rooftile_blas: ");
  int size = start + std::vsnprintf(line + start, size_t(kMost - start), format, arguments);
  va_end(arguments);
  size = std::min(size, kMost - 1);
  line[size++] = '\n'; // In the place of the final zero.
  [[maybe_unused]] ssize_t written = ::write(STDERR_FILENO, line, size_t(size));
}
