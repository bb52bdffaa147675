#include "eslabon/io/quantities/parameter_table.hpp"

#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"

namespace eslabon::io {
namespace {

using Texts = std::vector<std::pair<std::string, std::string>>;

/// Parameter k stands on line k + 1, its text in column 10.
std::vector<ParameterText> declared(const Texts& texts) {
  std::vector<ParameterText> list;
  for (const auto& [name, text] : texts) {
    const int line = static_cast<int>(list.size()) + 1;
    list.push_back({name, text, {"f.yaml", {line, 10}, true, ""}, {"f.yaml", {line, 3}, true, ""}});
  }
  return list;
}

std::vector<ParameterText> set(const Texts& texts) {
  std::vector<ParameterText> list;
  for (const auto& [name, text] : texts) list.push_back({name, text, {"--set " + name, {}, true, ""}});
  return list;
}

std::string message(const Texts& texts, const Texts& changes = {}) {
  try {
    ParameterTable(declared(texts), set(changes));
  } catch (const core::ModelError& error) {
    return error.what();
  }
  return "no error";
}

TEST(ParameterTable, ResolvesInAnyOrder) {
  const ParameterTable table(declared({{"c", "= a + b"}, {"b", "= 2*a"}, {"a", "100 mm"}, {"n", "3"}}), {});
  EXPECT_DOUBLE_EQ(table.find("c")->value, 0.3);
  EXPECT_EQ(table.find("c")->certainty, Certainty::kKnown);
  EXPECT_EQ(table.find("c")->dimension, kLength);
  EXPECT_EQ(*table.find("n"), (Quantity{3.0, Certainty::kUnknown, {}}));
  EXPECT_EQ(table.find("d"), nullptr);
  EXPECT_EQ(table.values().size(), 4U);
}

TEST(ParameterTable, OverrideReplacesTheTextBeforeResolving) {
  const auto texts = declared({{"a", "100 mm"}, {"b", "= 2*a"}});
  EXPECT_DOUBLE_EQ(ParameterTable(texts, set({{"a", "0.5"}})).find("b")->value, 1.0);
  EXPECT_DOUBLE_EQ(ParameterTable(texts, set({{"b", "= a/4"}})).find("b")->value, 0.025);
}

// A table as long as a file can hold costs no deep stack and no time that grows with its square.
TEST(ParameterTable, LongChain_IsResolvedSoon) {
  constexpr int kLength = 100'000;
  Texts texts;
  for (int k = kLength; k > 0; --k) {
    std::string name("p");
    std::string text("= p");
    name.append(std::to_string(k));
    text.append(std::to_string(k - 1)).append(" + 1 m");
    texts.emplace_back(name, text);
  }
  texts.emplace_back("p0", "1 m");
  EXPECT_DOUBLE_EQ(ParameterTable(declared(texts), {}).find("p100000")->value, kLength + 1.0);
}

TEST(ParameterTable, Mistakes_AreNamed) {
  EXPECT_EQ(
      message({{"a", "= b"}, {"b", "= 2*c"}, {"c", "= b + 1"}}),
      "parameters depend on each other in a circle [f.yaml:2:10]: expected values that can be worked out one "
      "after the other, got b -> c -> b. Give one of them a number.");
  EXPECT_EQ(
      message({{"a", "= a"}}),
      "parameters depend on each other in a circle [f.yaml:1:10]: expected values that can be worked out one "
      "after the other, got a -> a. Give one of them a number.");
  EXPECT_EQ(
      message({{"crank", "1 m"}, {"b", "= 2*crnk"}}),
      "unknown name 'crnk' [f.yaml:2:14]: expected a parameter or 'pi', got 'crnk'. Did you mean 'crank'?");
  EXPECT_EQ(message({{"crank", "1 m"}, {"rod", "2 m"}}, {{"crnk", "2 m"}}),
            "no parameter is called 'crnk' [--set crnk]: expected 'crank' or 'rod', got 'crnk'. Did you mean "
            "'crank'?");
  EXPECT_EQ(message({}, {{"crank", "2 m"}}),
            "no parameter is called 'crank' [--set crank]: expected a model with parameters, got one "
            "without. Declare "
            "it under 'parameters', or set another one.");
  EXPECT_EQ(
      message({{"a", "1"}}, {{"a", "2"}, {"a", "3"}}),
      "the parameter 'a' is set twice [--set a]: expected each name once, got '3'. Remove one of the two.");
  EXPECT_EQ(message({{"a", "1"}, {"a", "2"}}),
            "the parameter 'a' is declared twice [f.yaml:2:3]: expected each name once, got '2'. Remove or "
            "rename one "
            "of the two.");
  EXPECT_EQ(message({{"2a", "1"}}),
            "a parameter has a name that cannot be used [f.yaml:1:3]: expected letters, digits and '_', at "
            "most 64, "
            "not starting with a digit, got '2a'. Rename it.");
  EXPECT_EQ(message({{"t", "1"}}),
            "a parameter has a name that is taken [f.yaml:1:3]: expected a name other than the functions, "
            "'pi' and the "
            "time 't', got 't'. Rename it.");
  EXPECT_EQ(
      message({{"a", "1"}}, {{"a", "2 metres"}}),
      "unknown unit 'metres' [--set a]: expected a unit such as 'mm', 'kg*m^2' or 'rad/s', got 'metres'. Use "
      "units of length, mass, time, angle, force, energy, power, pressure or frequency.");
  for (const char* name : {"", "a-b", "a.b", "\xC3\xB1", "pi", "sin", "min", "a b"}) {
    EXPECT_NE(message({{name, "1"}}), "no error") << name;
  }
  EXPECT_EQ(message({{"m", "1"}, {"_x1", "2"}}), "no error");
}

TEST(ParameterTable, ParameterGivenAsABareNumber_FitsEverywhere) {
  const ParameterTable table(declared({{"a", "2"}, {"b", "= 2*3"}, {"c", "= 3 m*a"}, {"d", "= 3 m + a"}}),
                             {});
  EXPECT_EQ(table.find("b")->certainty, Certainty::kUnknown);
  EXPECT_EQ(table.find("c")->certainty, Certainty::kUnknown);
  EXPECT_EQ(table.find("d")->certainty, Certainty::kKnown);
}

}  // namespace
}  // namespace eslabon::io
