//===- Messages.cpp - Why calls of this thread failed ---------------------===//

#include "Messages.h"
#include "rooftile/Runtime/OfThread.h"

using namespace rooftile;

namespace {
struct Message {
  bool isUsed = false;
  uint64_t handle = 0;
  std::string text;
};

/// A few, so that threads which see many handles do not collect messages for ever.
struct Messages {
  static constexpr unsigned kMost = 8;
  Message all[kMost];
  unsigned next = 0;

  Message *find(uint64_t handle) {
    for (Message &message : all)
      if (message.isUsed && message.handle == handle)
        return &message;
    return nullptr;
  }
};
} // namespace

static Messages &messages() { return ofThread<Messages, struct CallMessages>(); }

void capi::keepMessage(uint64_t handle, std::string text) noexcept {
  Messages &kept = messages();
  Message *message = kept.find(handle);
  if (!message)
    message = &kept.all[kept.next++ % Messages::kMost];
  message->isUsed = true;
  message->handle = handle;
  message->text = std::move(text);
}

const char *capi::messageOf(uint64_t handle) noexcept {
  const Message *message = messages().find(handle);
  return message ? message->text.c_str() : "";
}
