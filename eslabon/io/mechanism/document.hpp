#pragma once

#include <cstddef>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace eslabon::io {

inline constexpr std::size_t kMaxFileBytes = std::size_t{16} * 1024 * 1024;
inline constexpr int kMaxDepth = 64;                 ///< maps and sequences inside each other, the root is 1
inline constexpr std::size_t kMaxNodes = 1'000'000;  ///< keys, values and items of one document

/// A place in a text: line and column of a character, both counted from 1; 0 where there is none.
struct Position {
  int line = 0;
  int column = 0;

  friend bool operator==(const Position&, const Position&) = default;
};

/// Where a short text (the scalar of a file, the value of an option) comes from, for error messages.
struct TextPlace {
  std::string source;        ///< file name, or the option, such as "--set crank"
  Position start;            ///< of the first character of the text
  bool is_verbatim = false;  ///< the text stands in the source on one line as it is, without escapes
  std::string element;       ///< what it describes, such as "body 'crank'"; may be empty

  /// "file:line:column, element" of the byte `offset` of the text; the column of its start where the
  /// text is not verbatim. Parts that are not known are left out.
  std::string where(std::size_t offset = 0) const;
};

struct Entry;

/// One value of a document: nothing, a scalar, a sequence or a map. Immutable.
class Node {
 public:
  enum class Kind { kNull, kScalar, kSequence, kMap };

  static Node null(Position position);
  static Node scalar(std::string text, bool is_quoted, bool is_verbatim, Position position);
  static Node sequence(std::vector<Node> items, Position position);
  static Node map(std::vector<Entry> entries, Position position);

  Kind kind() const { return kind_; }
  bool is_null() const { return kind_ == Kind::kNull; }
  bool is_scalar() const { return kind_ == Kind::kScalar; }
  bool is_sequence() const { return kind_ == Kind::kSequence; }
  bool is_map() const { return kind_ == Kind::kMap; }
  /// A word for messages: "nothing", "a text", "a list", "a map".
  std::string_view kind_name() const;

  const std::string& text() const { return text_; }               ///< of a scalar, without its quotes
  bool is_quoted() const { return is_quoted_; }                   ///< in quotes, or a block text (| or >)
  bool is_verbatim() const { return is_verbatim_; }               ///< see TextPlace
  const std::vector<Node>& items() const { return items_; }       ///< of a sequence
  const std::vector<Entry>& entries() const { return entries_; }  ///< of a map, in the order of the file
  const Position& position() const { return position_; }          ///< of its first character
  /// The value of a key of a map; null pointer if the key is absent. Cost: linear.
  const Node* find(std::string_view key) const;

 private:
  Node(Kind kind, Position position);

  Kind kind_;
  Position position_;
  std::string text_;
  bool is_quoted_ = false;
  bool is_verbatim_ = false;
  std::vector<Node> items_;
  std::vector<Entry> entries_;
};

/// A key and its value. Keys are scalars, and different from each other within one map.
struct Entry {
  Node key;
  Node value;
};

/// A whole file: its root is a map.
struct Document {
  std::string file_name;
  Node root;

  /// Where a node stands, for messages and for the readers of its text.
  TextPlace place(const Node& node, std::string element = "") const;
};

/// Reads one YAML document. Strict: duplicate keys, anchors, aliases, tags, merge keys, keys that are not
/// plain texts, a second document, control characters, invalid UTF-8, and anything beyond the limits
/// above are errors. A byte order mark is accepted.
/// Fails: ModelError that says where. Cost: linear in the text; at most some 0.4 GB and a few seconds for
/// the worst text of 16 MiB, whatever it contains.
Document read_document(std::string_view text, std::string file_name);

/// The bytes of a file of at most kMaxFileBytes; a larger one is not read.
/// Fails: ModelError if it is absent, a directory, unreadable or too large.
std::string read_file_text(const std::filesystem::path& path);
/// The same of a file that may be larger.
std::string read_large_file_text(const std::filesystem::path& path, std::size_t most_bytes);

}  // namespace eslabon::io
