//===- Settings.cpp - What the environment asks for -----------------------===//

#include "Settings.h"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <unistd.h>

using namespace rooftile;
using namespace rooftile::interpose;

/// The variable, or null where it is unset or empty.
static const char *variable(const char *name) {
  const char *value = std::getenv(name);
  return value && *value ? value : nullptr;
}

static bool is(const char *value, const char *text) {
  return value && std::strcmp(value, text) == 0;
}

static Where readDevice(DeviceKind &kind) {
  const char *value = variable("ROOFTILE_BLAS_DEVICE");
  if (!value || is(value, "cuda"))
    return Where::Gpu;
  if (is(value, "hip"))
    return kind = DeviceKind::Hip, Where::Gpu;
  if (is(value, "cpu"))
    return Where::Cpu;
  if (!is(value, "off"))
    say("ROOFTILE_BLAS_DEVICE is '%s', not cuda, hip, cpu or off: all calls are forwarded", value);
  return Where::Off;
}

/// "0,2": ordinals of devices, none twice. False where the text is something else.
static bool readOrdinals(const char *text, std::vector<int> &ordinals) {
  ordinals.clear();
  for (const char *place = text;; ++place) {
    char *end = nullptr;
    long number = std::strtol(place, &end, 10);
    bool isNumber = *place >= '0' && *place <= '9' && number < kMostDevices;
    if (!isNumber || std::count(ordinals.begin(), ordinals.end(), int(number)))
      return false;
    ordinals.push_back(int(number));
    place = end;
    if (*place != ',')
      return *place == 0;
  }
}

/// False, and a message, where the list of GPUs cannot be read.
static bool readDevices(GpuList &gpus) {
  const char *value = variable("ROOFTILE_BLAS_DEVICES");
  if (!value)
    return true;
  if (is(value, "all"))
    return gpus.ordinals.clear(), true;
  if (readOrdinals(value, gpus.ordinals))
    return true;
  say("ROOFTILE_BLAS_DEVICES is '%s', not all, or different numbers below %d of GPUs of "
      "ROOFTILE_BLAS_DEVICE, as 0,1: all calls are forwarded",
      value, kMostDevices);
  return false;
}

static Settings read() {
  Settings settings;
  settings.device = readDevice(settings.gpus.kind);
  if (settings.device == Where::Gpu && !readDevices(settings.gpus))
    settings.device = Where::Off;
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
  line[size++] = '\n'; // In place of the final zero.
  [[maybe_unused]] ssize_t written = ::write(STDERR_FILENO, line, size_t(size));
}
