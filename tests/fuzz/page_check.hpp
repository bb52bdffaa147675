#pragma once

#include <string>
#include <string_view>

#include "tests/fuzz/sentence_check.hpp"

#include "eslabon/report/page/page_template.hpp"
#include "eslabon/report/page/remade_page.hpp"

namespace eslabon::test {

/// A page, or its data alone: made anew it is a page that made anew is itself.
inline std::string find_page_fault(std::string_view text) {
  const bool is_page = text.find(report::kDataElement) != std::string_view::npos;
  const std::string page =
      is_page ? std::string(text) : std::string(report::kDataElement) + std::string(text) + "</script>";
  const auto remade = report::remade_page(page);
  if (!remade) return "";
  if (remade->views.empty()) return "a page without views";
  const auto again = report::remade_page(remade->html);
  if (!again) return "a page that was remade is refused";
  if (again->html != remade->html || again->views != remade->views) return "remade twice, the page differs";
  return "";
}

}  // namespace eslabon::test
