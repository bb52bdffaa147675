#include "eslabon/report/page/remade_page.hpp"

#include <string>

#include "tests/unit/report/page_reader.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/report/report.hpp"

namespace eslabon::report {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

Report a_report() {
  Report report;
  report.title = "</title><img src=x onerror=alert(1)>";
  report.notes = {"a note with </script> in it"};
  report.charts.push_back(
      {"cost", Chart::Kind::kLines, {"n", "", false}, {"t", "s", true}, {{"all", {1, 2}, {3, 4}, {}, {}}}});
  return report;
}

TEST(RemadePage, HoldsTheSameData) {
  const std::string page = make_page(a_report(), "eslabon").html;
  const auto remade = remade_page(page);
  ASSERT_TRUE(remade);
  EXPECT_EQ(test::data_of(remade->html), test::data_of(page));
  EXPECT_THAT(remade->views, ElementsAre("charts", "numbers"));
}

TEST(RemadePage, TakesNothingButTheData) {
  std::string page = make_page(a_report(), "eslabon").html;
  page.insert(page.find("<body>") + 6, "<script>stolen()</script>");
  const std::size_t policy = page.find("Content-Security-Policy");
  page.replace(policy, 7, "Nothing");
  const auto remade = remade_page(page);
  ASSERT_TRUE(remade);
  EXPECT_THAT(remade->html, Not(HasSubstr("stolen")));
  EXPECT_EQ(remade->html, remade_page(make_page(a_report(), "eslabon").html)->html);
}

TEST(RemadePage, IsNotMadeOfOtherPages) {
  const std::string element = R"(<script type="application/json" id="report-data">)";
  EXPECT_FALSE(remade_page("<!doctype html>\n<p>a page</p>"));
  EXPECT_FALSE(remade_page(element + "{\"format\":1,\"title\":\"no end\"}"));
  EXPECT_FALSE(remade_page(element + "no JSON</script>"));
  EXPECT_FALSE(remade_page(element + "[1]</script>"));
  EXPECT_FALSE(remade_page(element + R"({"format":2,"title":"of the future"}</script>)"));
  EXPECT_FALSE(remade_page(element + R"({"format":1,"title":3}</script>)"));
  EXPECT_TRUE(remade_page(element + R"({"format":1,"title":"a report"}</script>)"));
}

TEST(RemadePage, IsNotMadeOfDataNestedWithoutEnd) {
  const auto nested = [](std::size_t depth, const std::string& open, const std::string& close) {
    std::string page =
        R"(<script type="application/json" id="report-data">{"format":1,"title":"deep","notes":)";
    for (std::size_t k = 0; k < depth; ++k) page += open;
    page += "1";
    for (std::size_t k = 0; k < depth; ++k) page += close;
    return page + "}</script>";
  };
  EXPECT_TRUE(remade_page(nested(50, "[", "]")));
  for (const std::size_t depth : {70u, 100'000u, 1'000'000u}) {
    EXPECT_FALSE(remade_page(nested(depth, "[", "]")));
    EXPECT_FALSE(remade_page(nested(depth, R"({"a":)", "}")));
    EXPECT_FALSE(remade_page(nested(depth, "[", "")));
  }
}

}  // namespace
}  // namespace eslabon::report
