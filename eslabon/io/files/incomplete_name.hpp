#pragma once

#include <string>

namespace eslabon::io {

/// The name of a new file that is not complete, remembered as long as this lives for handlers of signals that end the process.
///
/// Names are copied into slots that stay where they are until the process ends. A slot is taken again only when nobody reads it: so what a handler
/// reads is always one whole name, whatever other threads do meanwhile. There are as many slots as are needed.
class IncompleteName {
 public:
  /// Throws std::bad_alloc when there is no memory for more slots; what is longer than the system's names can be is not remembered.
  explicit IncompleteName(const std::string& path);
  ~IncompleteName();
  IncompleteName(const IncompleteName&) = delete;
  IncompleteName& operator=(const IncompleteName&) = delete;

  /// All names that are remembered. Takes no memory and no lock: for handlers of signals, in several threads at once too.
  static void visit_all(void (*visit)(const char* path));

 private:
  struct Slot;
  struct Block;
  static Block& first_block();
  static Slot& take_slot();

  Slot* slot_ = nullptr;
};

}  // namespace eslabon::io
