#include "eslabon/io/files/incomplete_name.hpp"

#include <array>
#include <atomic>
#include <climits>
#include <cstdint>
#include <cstring>
#include <memory>

namespace eslabon::io {

namespace {

// What the state of a slot is made of; 0: nobody has it, nobody reads it.
constexpr std::uint32_t kTaken = 1;   // somebody has it
constexpr std::uint32_t kNamed = 2;   // its name is written and may be read
constexpr std::uint32_t kReader = 4;  // times those that may be reading it

}  // namespace

struct IncompleteName::Slot {
  std::atomic<std::uint32_t> state = 0;
  std::array<char, PATH_MAX> path{};  ///< written by who has it, before it is named

  bool take() {
    std::uint32_t expected = 0;
    return state.compare_exchange_strong(expected, kTaken);
  }
};

/// Slots are never given back: a handler may be reading them.
struct IncompleteName::Block {
  std::array<Slot, 16> slots;
  std::atomic<Block*> next = nullptr;
};
static_assert(std::atomic<std::uint32_t>::is_always_lock_free);

/// Needs no memory, so that the first files never want any.
IncompleteName::Block& IncompleteName::first_block() {
  static constinit Block first;
  return first;
}

IncompleteName::Slot& IncompleteName::take_slot() {
  for (Block* block = &first_block();;) {
    for (Slot& slot : block->slots)
      if (slot.take()) return slot;
    Block* next = block->next.load();
    if (next == nullptr) {
      auto more = std::make_unique<Block>();
      if (block->next.compare_exchange_strong(next, more.get())) next = more.release();
    }
    block = next;
  }
}

IncompleteName::IncompleteName(const std::string& path) {
  if (path.size() >= PATH_MAX) return;  // no file can have it
  slot_ = &take_slot();
  std::memcpy(slot_->path.data(), path.c_str(), path.size() + 1);
  slot_->state.fetch_or(kNamed);
}

IncompleteName::~IncompleteName() {
  if (slot_ != nullptr) slot_->state.fetch_and(~(kTaken | kNamed));
}

void IncompleteName::visit_all(void (*visit)(const char* path)) {
  for (Block* block = &first_block(); block != nullptr; block = block->next.load())
    for (Slot& slot : block->slots) {
      if ((slot.state.fetch_add(kReader) & kNamed) != 0) visit(slot.path.data());
      slot.state.fetch_sub(kReader);
    }
}

}  // namespace eslabon::io
