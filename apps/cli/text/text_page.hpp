#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "apps/cli/text/page_style.hpp"

#include "eslabon/core/text/name_list.hpp"

namespace eslabon::cli {

/// A page of text for people, as wide as its style says where words allow it.
class TextPage {
 public:
  explicit TextPage(const PageStyle& style) : style_(style) {}

  /// The first lines: the title on the left, remarks on the right, a line below.
  void title(const std::string& left, const std::string& right);
  /// One fact: a word on the left, the text wrapped at spaces on the right. '\n' starts a new line.
  void fact(const std::string& word, const std::string& text);
  /// An empty line, then the text in bold.
  void heading(const std::string& text);
  /// Text that has its lines already.
  void append(const std::string& text) { out_ += text; }

  const std::string& text() const { return out_; }

 private:
  std::string bold(const std::string& text) const;

  PageStyle style_;
  std::string out_;
};

using core::counted;
using core::kMostListed;
using core::listed;

}  // namespace eslabon::cli
