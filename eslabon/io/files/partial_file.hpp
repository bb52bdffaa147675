#pragma once

#include <cstdint>
#include <cstdio>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "eslabon/io/files/incomplete_name.hpp"

namespace eslabon::io {

/// The gateway of all files that are written at once: a file that has its name only once it is complete and on the disk.
///
/// What is appended goes to FILE.<number>.partial, a new file in the same folder that no other run shares and no link leads away from;
/// finish() brings it to the disk and renames it to FILE. So a run that is cut off leaves no file that looks complete, a FILE of an earlier
/// run stays as it is until then, and of two runs with one FILE the last to finish wins. Without finish() the destructor removes the
/// new file. A FILE that is replaced keeps its mode, and a link to one stays a link. A FILE that may not be written to, or that a live log is being
/// written to, is refused. What is no ordinary file (/dev/stdout, a pipe) is written to directly.
///
/// Every function throws core::ModelError when the file cannot be written: "the results could not be written […]". After construction
/// nothing allocates.
class PartialFile {
 public:
  /// Creates FILE.<number>.partial. `what` is for messages: "the results". Throws FileError when there can be none.
  PartialFile(std::string path, std::string what);
  /// Writes to a file that is open already, such as the standard output, and closes it at the end; `name` is for messages.
  PartialFile(std::FILE* file, std::string name, std::string what);
  ~PartialFile();
  PartialFile(const PartialFile&) = delete;
  PartialFile& operator=(const PartialFile&) = delete;

  /// Text of any length; numbers with 17 digits, which read back to the same doubles (%.17g of the C locale).
  void append(std::string_view text);
  void append(char character);
  void append(double value);
  void append(std::int64_t value);

  bool is_open() const { return file_ != nullptr; }
  /// Writes what is in the buffer, for who reads along.
  void flush();
  /// Makes the file complete under its own name. Nothing can be appended after that.
  void finish();

  /// Removes all new files of this process that are not complete. For handlers of signals that end it at once: calls nothing else that they may not.
  static void remove_all() noexcept;

 private:
  struct Close {
    void operator()(std::FILE* file) const { static_cast<void>(std::fclose(file)); }
  };
  void open_target();
  void create_beside_target();
  void keep_mode_of(const std::string& target) const;
  void check_not_locked() const;
  [[noreturn]] void fail(int error) const;
  template <class Number>
  void append_number(Number value);

  std::string path_;                          ///< as the user wrote it
  std::string target_;                        ///< where the complete file goes; links are followed
  std::string written_path_;                  ///< what file_ is: target_, or a new file beside it
  std::optional<IncompleteName> incomplete_;  ///< written_path_, where that is a new file
  std::string what_;
  std::vector<char> buffer_;
  std::size_t used_ = 0;                    ///< characters in buffer_ that are not in the file yet
  std::unique_ptr<std::FILE, Close> file_;  ///< none after finish()
};

/// Writes a whole file, or nothing. `what` is for messages: "the drawing".
void write_text_file(const std::string& path, const std::string& what, std::string_view text);

}  // namespace eslabon::io
