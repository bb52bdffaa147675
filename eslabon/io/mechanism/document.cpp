#include "eslabon/io/mechanism/document.hpp"

#include <algorithm>
#include <array>
#include <fstream>
#include <optional>
#include <sstream>
#include <system_error>
#include <unordered_map>
#include <utility>

#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/exceptions.h>
#include <yaml-cpp/mark.h>
#include <yaml-cpp/parser.h>

#include "eslabon/core/text/error.hpp"

namespace eslabon::io {
namespace {

using core::ErrorText;
using core::ModelError;

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr std::string_view kShortRule = "Mechanism files are small: check that this is the right file.";

[[noreturn]] void throw_fact(std::string what, std::string where, std::string next) {
  ErrorText text;
  text.what = std::move(what);
  text.where = std::move(where);
  text.next = std::move(next);
  throw ModelError(std::move(text));
}

/// Bytes that continue a UTF-8 character do not count as columns.
bool starts_character(char byte) { return (static_cast<unsigned char>(byte) & 0xC0U) != 0x80U; }

/// The text of a file with its name: turns byte offsets into positions.
struct Source {
  Source(std::string_view text_in, const std::string& file_name_in)
      : text(text_in), file_name(file_name_in) {}

  std::string_view text;
  const std::string& file_name;
  mutable std::size_t line_begin = 0;   ///< of the line of the last mark
  mutable std::size_t counted_end = 0;  ///< of the last mark
  mutable int counted = 0;              ///< characters between the two

  Position position(std::size_t offset) const {
    const std::string_view before = text.substr(0, std::min(offset, text.size()));
    const std::size_t newline = before.rfind('\n');
    const std::string_view line = newline == std::string_view::npos ? before : before.substr(newline + 1);
    return {static_cast<int>(std::count(before.begin(), before.end(), '\n')) + 1,
            static_cast<int>(std::count_if(line.begin(), line.end(), starts_character)) + 1};
  }

  /// The same from yaml-cpp's mark, whose line is right and whose column counts bytes. Marks that come
  /// in order cost together no more than one pass over the text, however long its lines are.
  Position position(const YAML::Mark& mark) const {
    const auto end = std::min(static_cast<std::size_t>(std::max(mark.pos, 0)), text.size());
    const auto begin = static_cast<std::size_t>(std::max(mark.pos - mark.column, 0));
    if (begin != line_begin || end < counted_end) {
      line_begin = counted_end = std::min(begin, end);
      counted = 0;
    }
    const std::string_view more = text.substr(counted_end, end - counted_end);
    counted += static_cast<int>(std::count_if(more.begin(), more.end(), starts_character));
    counted_end = end;
    return {mark.line + 1, counted + 1};
  }

  std::string where(const Position& at) const {
    return file_name + ":" + std::to_string(at.line) + ":" + std::to_string(at.column);
  }

  /// Whether the quote at `open` has its partner: yaml-cpp 0.7 takes the end of the file for one if the
  /// file ends with a newline.
  bool is_quote_closed(std::size_t open) const {
    const char quote = open < text.size() ? text[open] : '\0';
    if (quote != '"' && quote != '\'') return true;  // a block text
    for (std::size_t k = open + 1; k < text.size(); ++k) {
      if (quote == '"' && text[k] == '\\') {
        ++k;
      } else if (text[k] == quote) {
        if (quote == '"' || k + 1 == text.size() || text[k + 1] != quote) return true;
        ++k;
      }
    }
    return false;
  }

  /// Whether the line of a mark is indented with tabs.
  bool has_tab_indent(const YAML::Mark& mark) const {
    const auto begin = static_cast<std::size_t>(std::max(mark.pos - mark.column, 0));
    const std::size_t first = text.find_first_not_of(" \t", begin);
    return first != std::string_view::npos &&
           text.substr(begin, first - begin).find('\t') != std::string_view::npos;
  }

  char character(const YAML::Mark& mark) const {
    const auto offset = static_cast<std::size_t>(std::max(mark.pos, 0));
    return offset < text.size() ? text[offset] : '\0';
  }
};

// ---- Before parsing: what the text may contain at all -----------------------------------------

/// Length of the UTF-8 character at `offset`, 0 if it is not valid; its code point goes to `code`.
std::size_t utf8_length(std::string_view text, std::size_t offset, unsigned& code) {
  const auto byte = [&](std::size_t k) {
    return offset + k < text.size() ? static_cast<unsigned char>(text[offset + k]) : 0U;
  };
  const unsigned first = byte(0);
  if (first < 0x80) return code = first, 1;
  const std::size_t length = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : 2;
  constexpr std::array<unsigned, 5> kSmallest{0, 0, 0x80, 0x800, 0x10000};
  if (first < 0xC2 || first > 0xF4) return 0;
  code = first & (0x7FU >> length);
  for (std::size_t k = 1; k < length; ++k) {
    if ((byte(k) & 0xC0U) != 0x80U) return 0;
    code = (code << 6U) | (byte(k) & 0x3FU);
  }
  const bool is_surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < kSmallest[length] || code > 0x10FFFF || is_surrogate ? 0 : length;
}

/// At least two digits, such as "0A".
std::string hexadecimal(unsigned value) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  std::string digits;
  for (unsigned rest = value; rest > 0 || digits.size() < 2; rest /= 16) {
    digits.insert(digits.begin(), kDigits[rest % 16]);
  }
  return digits;
}

bool is_control(unsigned code) { return code < 0x20 || (code >= 0x7F && code < 0xA0); }

void check_characters(const Source& source) {
  const std::string_view text = source.text;
  for (std::size_t k = 0; k < text.size();) {
    unsigned code = 0;
    const std::size_t length = utf8_length(text, k, code);
    if (length == 0) {
      throw ModelError({.what = "the file is not text in UTF-8",
                        .where = source.where(source.position(k)),
                        .expected = "UTF-8 characters",
                        .actual = "the byte 0x" + hexadecimal(static_cast<unsigned char>(text[k])),
                        .next = "Save the file as UTF-8."});
    }
    const bool ends_line = code == '\n' || (code == '\r' && k + 1 < text.size() && text[k + 1] == '\n');
    if (is_control(code) && code != '\t' && !ends_line) {
      throw ModelError({.what = "the file has a control character",
                        .where = source.where(source.position(k)),
                        .expected = "printable characters",
                        .actual = "the byte 0x" + hexadecimal(code),
                        .next = "Remove it, or save the file as plain text."});
    }
    k += length;
  }
}

/// yaml-cpp keeps every token of a nested [ ] or { } in memory, some 0.25 kB each, until the outer one
/// ends, and only then tells the handler. Each of those tokens needs one of these characters.
void check_amount(const Source& source) {
  constexpr std::string_view kIndicators = "[]{},&*!\"'";
  const auto is_indicator = [&](char c) { return kIndicators.find(c) != std::string_view::npos; };
  const auto count = std::count_if(source.text.begin(), source.text.end(), is_indicator);
  if (static_cast<std::size_t>(count) <= kMaxNodes) return;
  throw ModelError({.what = "the file holds too much",
                    .where = source.file_name,
                    .expected = "at most " + std::to_string(kMaxNodes) + " brackets, commas and quotes",
                    .actual = std::to_string(count),
                    .next = std::string(kShortRule)});
}

// ---- While parsing: events become a tree ---------------------------------------------------------

/// Builds the tree; throws at the first event that breaks a rule, so that nothing large is ever built.
class TreeBuilder final : public YAML::EventHandler {
 public:
  explicit TreeBuilder(const Source& source) : source_(source) {}

  std::optional<Node> root() && { return std::move(root_); }

  void OnDocumentStart(const YAML::Mark&) override {}
  void OnDocumentEnd() override {}

  void OnNull(const YAML::Mark& mark, YAML::anchor_t anchor) override {
    check_event(mark, "?", anchor);
    // yaml-cpp marks the token that follows the missing value; the key is nearer.
    const bool is_value = !open_.empty() && open_.back().key;
    if (is_value) check_colon(open_.back());
    add(Node::null(is_value ? open_.back().key->position() : source_.position(mark)));
  }

  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { refuse_alias(mark); }

  void OnScalar(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                const std::string& value) override {
    check_event(mark, tag, anchor);
    const Position position = source_.position(mark);
    for (std::size_t k = 0; k < value.size();) {
      unsigned code = 0;
      k += std::max<std::size_t>(utf8_length(value, k, code), 1);
      if (is_control(code) && code != '\n' && code != '\t') refuse_escape(position, code);
    }
    const bool is_quoted = tag == "!";
    const auto begin = static_cast<std::size_t>(std::max(mark.pos, 0));
    if (is_quoted && !source_.is_quote_closed(begin)) {
      throw_fact("a quote is not closed", source_.where(position), "Close it with the same quote.");
    }
    const std::size_t start = begin + (is_quoted ? 1 : 0);
    const bool is_verbatim = start <= source_.text.size() && value.find('\n') == std::string::npos &&
                             source_.text.substr(start, value.size()) == value;
    if (expects_key()) open_.back().key_end = start + value.size() + (is_quoted ? 1 : 0);
    add(Node::scalar(value, is_quoted, is_verbatim, position));
  }

  void OnSequenceStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                       YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Node::Kind::kSequence);
  }
  void OnSequenceEnd() override { close(); }

  void OnMapStart(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor,
                  YAML::EmitterStyle::value) override {
    open(mark, tag, anchor, Node::Kind::kMap);
  }
  void OnMapEnd() override { close(); }

  /// Says of a bracket without end where it begins; returns if the message is about something else.
  void check_bracket(const std::string& message) const {
    const bool is_map = message == YAML::ErrorMsg::END_OF_MAP_FLOW;
    if (!is_map && message != YAML::ErrorMsg::END_OF_SEQ_FLOW) return;
    const Node::Kind kind = is_map ? Node::Kind::kMap : Node::Kind::kSequence;
    const auto is_same = [&](const Open& open) { return open.kind == kind; };
    const auto found = std::find_if(open_.rbegin(), open_.rend(), is_same);
    if (found == open_.rend()) return;
    throw ModelError({.what = "a bracket is not closed",
                      .where = source_.where(found->position),
                      .expected = is_map ? "'}'" : "']'",
                      .actual = "something else",
                      .next = "Close it, and put ',' between what is inside."});
  }

  [[noreturn]] void refuse_alias(const YAML::Mark& mark) const {
    throw ModelError({.what = "an alias is used",
                      .where = source_.where(source_.position(mark)),
                      .expected = "values written where they are used",
                      .actual = "'*'",
                      .next = "Declare a parameter and write '= name', or put the text in quotes."});
  }

 private:
  /// A map or sequence that has not ended yet.
  struct Open {
    Node::Kind kind;
    Position position;
    std::optional<Node> key;  ///< of a map: the key whose value comes next
    std::size_t key_end = 0;  ///< offset after that key, if it is verbatim
    std::vector<Node> items;
    std::vector<Entry> entries;
    std::unordered_map<std::string, Position> keys;
  };

  void check_event(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor) {
    const char first = source_.character(mark);
    if (anchor != 0 || first == '&') {
      throw ModelError({.what = "an anchor is used",
                        .where = source_.where(source_.position(mark)),
                        .expected = "values written where they are used",
                        .actual = "'&'",
                        .next = "Declare a parameter and write '= name', or put the text in quotes."});
    }
    if ((tag != "?" && tag != "!") || first == '!') {
      throw ModelError({.what = "a tag is used",
                        .where = source_.where(source_.position(mark)),
                        .expected = "plain values",
                        .actual = "'!'",
                        .next = "Remove the tag, or put the text in quotes."});
    }
    if (++node_count_ > kMaxNodes) {
      throw ModelError({.what = "the file holds too much",
                        .where = source_.where(source_.position(mark)),
                        .expected = "at most " + std::to_string(kMaxNodes) + " keys and values",
                        .actual = "more",
                        .next = std::string(kShortRule)});
    }
  }

  /// A key without a value needs its ':' all the same: yaml-cpp takes any text for a key.
  void check_colon(const Open& parent) const {
    const std::size_t colon = source_.text.find_first_not_of(" \t", parent.key_end);
    if (!parent.key->is_verbatim() || (colon != std::string_view::npos && source_.text[colon] == ':')) return;
    throw ModelError({.what = "a key has no ':'",
                      .where = source_.where(parent.key->position()),
                      .expected = "'key: value'",
                      .actual = "'" + parent.key->text() + "'",
                      .next = "Write ': ' and a value after it, or check the indentation."});
  }

  [[noreturn]] void refuse_escape(const Position& position, unsigned code) const {
    throw ModelError({.what = "a text has a control character",
                      .where = source_.where(position),
                      .expected = "printable characters",
                      .actual = "the code 0x" + hexadecimal(code),
                      .next = "Remove the escape sequence."});
  }

  void open(const YAML::Mark& mark, const std::string& tag, YAML::anchor_t anchor, Node::Kind kind) {
    check_event(mark, tag, anchor);
    const Position position = source_.position(mark);
    if (open_.size() >= static_cast<std::size_t>(kMaxDepth)) {
      throw ModelError({.what = "the file is nested too deeply",
                        .where = source_.where(position),
                        .expected = "at most " + std::to_string(kMaxDepth) + " levels",
                        .actual = "more",
                        .next = std::string(kShortRule)});
    }
    check_root(kind, position);
    if (expects_key()) refuse_key(position, kind == Node::Kind::kMap ? "a map" : "a list");
    open_.push_back({kind, position, std::nullopt, 0, {}, {}, {}});
  }

  void close() {
    Open done = std::move(open_.back());
    open_.pop_back();
    add(done.kind == Node::Kind::kMap ? Node::map(std::move(done.entries), done.position)
                                      : Node::sequence(std::move(done.items), done.position));
  }

  void add(Node node) {
    if (open_.empty()) {
      check_root(node.kind(), node.position());
      root_ = std::move(node);
      return;
    }
    Open& parent = open_.back();
    if (parent.kind == Node::Kind::kSequence) {
      parent.items.push_back(std::move(node));
    } else if (parent.key) {
      parent.entries.push_back({*std::move(parent.key), std::move(node)});
      parent.key.reset();
    } else {
      check_key(parent, node);
      parent.key = std::move(node);
    }
  }

  bool expects_key() const {
    return !open_.empty() && open_.back().kind == Node::Kind::kMap && !open_.back().key;
  }

  void check_root(Node::Kind kind, const Position& position) const {
    if (!open_.empty() || kind == Node::Kind::kMap || kind == Node::Kind::kNull) return;
    throw ModelError({.what = "the file is not a map",
                      .where = source_.where(position),
                      .expected = "'key: value' lines",
                      .actual = kind == Node::Kind::kScalar ? "a text" : "a list",
                      .next = "Start with a line such as 'mechanism: my mechanism'."});
  }

  [[noreturn]] void refuse_key(const Position& position, const std::string& actual) const {
    throw ModelError(
        {.what = "a key is not a name",
         .where = source_.where(position),
         .expected = "a text before ':'",
         .actual = actual,
         .next = "Write 'name: value', with quotes around a name that YAML would read otherwise."});
  }

  void check_key(Open& parent, const Node& key) const {
    if (!key.is_scalar()) refuse_key(key.position(), "nothing");
    if (key.text() == "<<" && !key.is_quoted()) {
      throw ModelError({.what = "a merge key is used",
                        .where = source_.where(key.position()),
                        .expected = "a name before ':'",
                        .actual = "'<<'",
                        .next = "Write the entries where they are used."});
    }
    const auto [first, is_new] = parent.keys.emplace(key.text(), key.position());
    if (is_new) return;
    throw ModelError({.what = "the key '" + key.text() + "' is written twice",
                      .where = source_.where(key.position()),
                      .expected = "each key once",
                      .actual = "it also on line " + std::to_string(first->second.line),
                      .next = "Remove or rename one of the two."});
  }

  const Source& source_;
  std::vector<Open> open_;
  std::optional<Node> root_;
  std::size_t node_count_ = 0;
};

/// Says where the rest of the text begins, without reading it: yaml-cpp 0.7 may never come to an end of
/// what follows the first document.
class RestFinder final : public YAML::EventHandler {
 public:
  explicit RestFinder(const Source& source) : source_(source) {}

  void OnDocumentStart(const YAML::Mark& mark) override {
    const bool is_document = source_.character(mark) == '-';
    throw ModelError({.what = is_document ? "the file has more than one document"
                                          : "the text goes on after the end of the document",
                      .where = source_.where(source_.position(mark)),
                      .expected = "one document",
                      .actual = is_document ? "'---'" : std::string{'\'', source_.character(mark), '\''},
                      .next = is_document ? "Put each mechanism in its own file."
                                          : "Check the indentation and the brackets before this place."});
  }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark&, YAML::anchor_t) override {}
  void OnAlias(const YAML::Mark&, YAML::anchor_t) override {}
  void OnScalar(const YAML::Mark&, const std::string&, YAML::anchor_t, const std::string&) override {}
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {}
  void OnSequenceEnd() override {}
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t, YAML::EmitterStyle::value) override {
  }
  void OnMapEnd() override {}

 private:
  const Source& source_;
};

/// What to do about the messages of yaml-cpp that people meet most often.
std::string advice(const std::string& message) {
  struct Advice {
    std::string_view message, next;
  };
  constexpr std::array kAdvice{
      Advice{"illegal map value",
             "Write 'key: value' with a space after ':', here or on the line before, and quotes around a "
             "text with ': '."},
      Advice{"end of map not found", "Align the keys of one map in the same column."},
      Advice{"end of sequence not found", "Align the '-' of one list in the same column."},
      Advice{"illegal EOF in scalar", "Close the quotes."},
      Advice{"unknown token", "Put quotes around a text that starts with a special character."},
      Advice{"illegal flow end", "Remove the bracket, or open it before."},
  };
  for (const Advice& entry : kAdvice) {
    if (message == entry.message) return std::string(entry.next);
  }
  return "Check the indentation, colons, brackets and quotes around this place.";
}

[[noreturn]] void throw_syntax_error(const Source& source, const YAML::Exception& error) {
  const bool has_place = !error.mark.is_null();
  const bool has_tab = has_place && source.has_tab_indent(error.mark);
  throw_fact("the text is not valid YAML, " + error.msg,
             has_place ? source.where(source.position(error.mark)) : source.file_name,
             has_tab ? "Indent with spaces, not with tabs." : advice(error.msg));
}

Node parse(const Source& source) {
  std::istringstream stream{std::string(source.text)};
  TreeBuilder builder(source);
  try {
    YAML::Parser parser(stream);
    const bool has_document = parser.HandleNextDocument(builder);
    if (has_document && parser) {
      RestFinder finder(source);
      parser.HandleNextDocument(finder);
    }
  } catch (const YAML::Exception& error) {
    if (error.msg == YAML::ErrorMsg::UNKNOWN_ANCHOR) builder.refuse_alias(error.mark);
    builder.check_bracket(error.msg);
    throw_syntax_error(source, error);
  }
  std::optional<Node> root = std::move(builder).root();
  if (!root || root->is_null()) {
    throw ModelError({.what = "the file is empty",
                      .where = source.file_name,
                      .expected = "a mechanism",
                      .actual = "no 'key: value' line",
                      .next = "Start with a line such as 'mechanism: my mechanism'."});
  }
  return *std::move(root);
}

[[noreturn]] void throw_too_large(const std::string& where, std::uintmax_t bytes, bool is_exact,
                                  std::size_t most_bytes = kMaxFileBytes) {
  throw ModelError({.what = "the file is too large",
                    .where = where,
                    .expected = "at most " + std::to_string(most_bytes) + " bytes",
                    .actual = std::to_string(bytes) + (is_exact ? " bytes" : " bytes or more"),
                    .next = std::string(kShortRule)});
}

}  // namespace

std::string TextPlace::where(std::size_t offset) const {
  std::string text = source;
  if (start.line > 0) {
    const int column = start.column + (is_verbatim ? static_cast<int>(offset) : 0);
    text.append(":").append(std::to_string(start.line)).append(":").append(std::to_string(column));
  }
  if (!text.empty() && !element.empty()) text += ", ";
  text += element;
  return text;
}

Node::Node(Kind kind, Position position) : kind_(kind), position_(position) {}

Node Node::null(Position position) { return Node(Kind::kNull, position); }

Node Node::scalar(std::string text, bool is_quoted, bool is_verbatim, Position position) {
  Node node(Kind::kScalar, position);
  node.text_ = std::move(text);
  node.is_quoted_ = is_quoted;
  node.is_verbatim_ = is_verbatim;
  return node;
}

Node Node::sequence(std::vector<Node> items, Position position) {
  Node node(Kind::kSequence, position);
  node.items_ = std::move(items);
  return node;
}

Node Node::map(std::vector<Entry> entries, Position position) {
  Node node(Kind::kMap, position);
  node.entries_ = std::move(entries);
  return node;
}

std::string_view Node::kind_name() const {
  constexpr std::array<std::string_view, 4> kNames{"nothing", "a text", "a list", "a map"};
  return kNames[static_cast<std::size_t>(kind_)];
}

const Node* Node::find(std::string_view key) const {
  for (const Entry& entry : entries_) {
    if (entry.key.text() == key) return &entry.value;
  }
  return nullptr;
}

TextPlace Document::place(const Node& node, std::string element) const {
  Position start = node.position();
  if (node.is_verbatim() && node.is_quoted()) ++start.column;
  return {file_name, start, node.is_verbatim(), std::move(element)};
}

Document read_document(std::string_view text, std::string file_name) {
  if (text.starts_with(kByteOrderMark)) text.remove_prefix(kByteOrderMark.size());
  if (text.size() > kMaxFileBytes) throw_too_large(file_name, text.size(), true);
  const Source source(text, file_name);
  check_characters(source);
  check_amount(source);
  Node root = parse(source);
  return {std::move(file_name), std::move(root)};
}

std::string read_file_text(const std::filesystem::path& path) {
  return read_large_file_text(path, kMaxFileBytes);
}

std::string read_large_file_text(const std::filesystem::path& path, std::size_t most_bytes) {
  const std::string where = path.string();
  std::error_code failure;
  const std::filesystem::file_status status = std::filesystem::status(path, failure);
  if (status.type() == std::filesystem::file_type::not_found) {
    throw_fact("the file does not exist", where, "Check the name and the folder.");
  }
  if (std::filesystem::is_directory(status)) {
    throw_fact("the file is a directory", where, "Name a file inside it.");
  }
  if (std::filesystem::is_regular_file(status)) {
    const std::uintmax_t size = std::filesystem::file_size(path, failure);
    if (!failure && size > most_bytes) throw_too_large(where, size, true, most_bytes);
  }
  std::ifstream file(path, std::ios::binary);
  std::string text;
  std::array<char, 65536> block;
  while (file && text.size() <= most_bytes) {
    file.read(block.data(), block.size());
    text.append(block.data(), static_cast<std::size_t>(file.gcount()));
  }
  if (text.size() > most_bytes) throw_too_large(where, text.size(), false, most_bytes);
  if (!file.eof()) throw_fact("the file cannot be read", where, "Check its permissions.");
  return text;
}

}  // namespace eslabon::io
