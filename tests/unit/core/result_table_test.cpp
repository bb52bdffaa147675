#include "eslabon/core/result_table.hpp"

#include <limits>

#include "tests/sentence_of.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"

namespace eslabon::core {
namespace {

using ::testing::HasSubstr;

/// Two rows of two columns.
ResultTable sound_table() {
  return {.path = "truth.csv",
          .columns = {{"A.q", "rad"}, {"A.v", "rad/s"}},
          .t = {0.0, 0.5},
          .values = {{1.0, 2.0}, {3.0, 4.0}}};
}

std::string complaint(const ResultTable& table) {
  return test::sentence_of<DataError>([&] { table.check(); });
}

TEST(ResultTable, WithARowIsSound) {
  EXPECT_NO_THROW(sound_table().check());
  EXPECT_NO_THROW((ResultTable{.path = "", .columns = {}, .t = {0.0}, .values = {}}.check()));
}

TEST(ResultTable, SaysWhatIsWrongWithIt) {
  EXPECT_THAT(complaint(ResultTable{}), HasSubstr("there are no rows [the table]"));
  ResultTable table = sound_table();
  table.values.pop_back();
  EXPECT_THAT(complaint(table), HasSubstr("the columns do not have their values [truth.csv]"));
  table = sound_table();
  table.values[1].pop_back();
  EXPECT_THAT(complaint(table), HasSubstr("column 'A.v' is not as long as the times [truth.csv]"));
  table = sound_table();
  table.values[0][1] = std::numeric_limits<double>::quiet_NaN();
  EXPECT_THAT(complaint(table), HasSubstr("column 'A.q' has a value that is not finite [truth.csv]"));
  table = sound_table();
  table.t[1] = std::numeric_limits<double>::infinity();
  EXPECT_THAT(complaint(table), HasSubstr("column 't' has a value that is not finite [truth.csv]"));
  table = sound_table();
  table.t[1] = table.t[0];
  EXPECT_THAT(complaint(table), HasSubstr("the times do not increase [truth.csv]"));
}

}  // namespace
}  // namespace eslabon::core
