#include "eslabon/io/files/matrix_file.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include <fmt/format.h>

#include "eslabon/core/text/error.hpp"

namespace eslabon::io {

namespace {

/// Appends an integer, its lowest byte first.
template <class T>
void append(std::string& out, T value) {
  for (std::size_t k = 0; k < sizeof(T); ++k)
    out.push_back(static_cast<char>(static_cast<std::uint64_t>(value) >> (8 * k) & 0xff));
}
void append_double(std::string& out, double value) { append(out, std::bit_cast<std::uint64_t>(value)); }

void check_finite(const std::string& name, const Eigen::MatrixXd& values) {
  if (values.allFinite()) return;
  throw core::ModelError({.what = "a matrix has an entry that is not a number",
                          .where = name,
                          .expected = "finite numbers",
                          .actual = "one that is not",
                          .next = "Look at the mechanism near this state."});
}

std::size_t longest(const std::vector<std::string>& words) {
  std::size_t length = 0;
  for (const std::string& word : words) length = std::max(length, word.size());
  return length;
}

void append_mat_header(std::string& out, std::uint32_t type, std::size_t rows, std::size_t columns,
                       const std::string& name) {
  append(out, type);
  append(out, static_cast<std::uint32_t>(rows));
  append(out, static_cast<std::uint32_t>(columns));
  append(out, std::uint32_t{0});  // no imaginary part
  append(out, static_cast<std::uint32_t>(name.size() + 1));
  out += name;
  out.push_back('\0');
}

/// The characters of UTF-8 text.
std::vector<std::uint32_t> characters(const std::string& text) {
  std::vector<std::uint32_t> list;
  for (const char c : text) {
    const auto byte = static_cast<std::uint8_t>(c);
    if ((byte & 0xc0) == 0x80 && !list.empty()) {
      list.back() = list.back() << 6 | (byte & 0x3f);
    } else {
      list.push_back(byte < 0x80    ? byte
                     : byte >= 0xf0 ? byte & 0x07
                     : byte >= 0xe0 ? byte & 0x0f
                                    : byte & 0x1f);
    }
  }
  return list;
}

std::string npy_header(const std::string& type, bool is_by_columns, const std::string& shape) {
  constexpr std::size_t kFixed = 10, kBlock = 64;
  std::string text = "{'descr': '" + type + "', 'fortran_order': " + (is_by_columns ? "True" : "False") +
                     ", 'shape': (" + shape + "), }";
  text.append((kBlock - (kFixed + text.size() + 1) % kBlock) % kBlock, ' ');
  text.push_back('\n');
  std::string out = "\x93NUMPY";
  out.push_back('\x01');
  out.push_back('\0');
  append(out, static_cast<std::uint16_t>(text.size()));
  return out + text;
}

std::string npy_file(const Eigen::MatrixXd& values) {
  std::string out = npy_header("<f8", true, fmt::format("{}, {}", values.rows(), values.cols()));
  for (Eigen::Index c = 0; c < values.cols(); ++c)
    for (Eigen::Index r = 0; r < values.rows(); ++r) append_double(out, values(r, c));
  return out;
}

std::string npy_file(const std::vector<std::string>& words) {
  std::size_t length = 1;  // NumPy knows no text without room
  for (const std::string& word : words) length = std::max(length, characters(word).size());
  std::string out = npy_header(fmt::format("<U{}", length), false, fmt::format("{},", words.size()));
  for (const std::string& word : words) {
    std::vector<std::uint32_t> list = characters(word);
    list.resize(length, 0);
    for (const std::uint32_t character : list) append(out, character);
  }
  return out;
}

/// CRC-32 of ZIP: polynomial 0xEDB88320, bits reversed.
std::uint32_t crc32(const std::string& bytes) {
  static const std::array<std::uint32_t, 256> table = [] {
    std::array<std::uint32_t, 256> made{};
    for (std::uint32_t n = 0; n < made.size(); ++n) {
      std::uint32_t value = n;
      for (int bit = 0; bit < 8; ++bit) value = (value & 1u) != 0 ? 0xedb88320u ^ value >> 1 : value >> 1;
      made[n] = value;
    }
    return made;
  }();
  std::uint32_t value = 0xffffffffu;
  for (const char c : bytes) value = table[(value ^ static_cast<std::uint8_t>(c)) & 0xff] ^ value >> 8;
  return ~value;
}

/// An archive of files that are stored as they are.
class Archive {
 public:
  void add(const std::string& name, const std::string& bytes) {
    const auto place = static_cast<std::uint32_t>(files_.size());
    append(files_, std::uint32_t{0x04034b50});
    const std::string facts = facts_of(name, bytes);
    files_ += facts + name + bytes;
    append(directory_, std::uint32_t{0x02014b50});
    append(directory_, kVersion);
    directory_ += facts;
    append(directory_, std::uint16_t{0});  // comment
    append(directory_, std::uint16_t{0});  // disk
    append(directory_, std::uint16_t{0});  // attributes
    append(directory_, std::uint32_t{0});
    append(directory_, place);
    directory_ += name;
    ++count_;
  }

  std::string bytes() const {
    std::string out = files_ + directory_;
    append(out, std::uint32_t{0x06054b50});
    append(out, std::uint32_t{0});  // one disk
    append(out, count_);
    append(out, count_);
    append(out, static_cast<std::uint32_t>(directory_.size()));
    append(out, static_cast<std::uint32_t>(files_.size()));
    append(out, std::uint16_t{0});  // comment
    return out;
  }

 private:
  static constexpr std::uint16_t kVersion = 20;

  /// What both headers of a file have: from the version to the lengths of name and extra field.
  static std::string facts_of(const std::string& name, const std::string& bytes) {
    std::string out;
    append(out, kVersion);
    append(out, std::uint16_t{0});       // flags
    append(out, std::uint16_t{0});       // stored
    append(out, std::uint16_t{0});       // 0 h
    append(out, std::uint16_t{0x0021});  // 1 January 1980
    append(out, crc32(bytes));
    append(out, static_cast<std::uint32_t>(bytes.size()));
    append(out, static_cast<std::uint32_t>(bytes.size()));
    append(out, static_cast<std::uint16_t>(name.size()));
    append(out, std::uint16_t{0});
    return out;
  }

  std::string files_, directory_;
  std::uint16_t count_ = 0;
};

}  // namespace

std::string mat_file(const MatrixSet& set) {
  constexpr std::uint32_t kNumbers = 0, kText = 51;  // doubles; bytes that are text
  std::string out;
  for (const NamedMatrix& matrix : set.matrices) {
    check_finite(matrix.name, matrix.values);
    append_mat_header(out, kNumbers, static_cast<std::size_t>(matrix.values.rows()),
                      static_cast<std::size_t>(matrix.values.cols()), matrix.name);
    for (Eigen::Index c = 0; c < matrix.values.cols(); ++c)
      for (Eigen::Index r = 0; r < matrix.values.rows(); ++r) append_double(out, matrix.values(r, c));
  }
  for (const NamedWords& list : set.words) {
    const std::size_t length = longest(list.words);
    append_mat_header(out, kText, list.words.size(), length, list.name);
    for (std::size_t c = 0; c < length; ++c)
      for (const std::string& word : list.words) out.push_back(c < word.size() ? word[c] : ' ');
  }
  return out;
}

std::string npz_file(const MatrixSet& set) {
  Archive archive;
  for (const NamedMatrix& matrix : set.matrices) {
    check_finite(matrix.name, matrix.values);
    archive.add(matrix.name + ".npy", npy_file(matrix.values));
  }
  for (const NamedWords& list : set.words) archive.add(list.name + ".npy", npy_file(list.words));
  return archive.bytes();
}

std::string csv_table(const Eigen::MatrixXd& values, const std::vector<std::string>& rows,
                      const std::vector<std::string>& columns) {
  check_finite("table", values);
  std::string out;
  for (const std::string& column : columns) out += "," + column;
  out += "\n";
  for (Eigen::Index r = 0; r < values.rows(); ++r) {
    out += rows[static_cast<std::size_t>(r)];
    for (Eigen::Index c = 0; c < values.cols(); ++c) out += fmt::format(",{:.17g}", values(r, c));
    out += "\n";
  }
  return out;
}

}  // namespace eslabon::io
