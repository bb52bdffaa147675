#include "eslabon/live/live_estimate.hpp"

#include <filesystem>

#include "tests/sensed_pendulum.hpp"
#include "tests/sentence_of.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "eslabon/io/files/file_error.hpp"

namespace eslabon::live {
namespace {

using ::testing::HasSubstr;

TEST(LiveEstimate, SaysThatNoReadingCame_WhenItIsStoppedBefore) {
  const std::string log =
      (std::filesystem::temp_directory_path() / ("eslabon-live-" + std::to_string(getpid()) + ".csv"))
          .string();
  const runs::EstimateRequest request{.is_live = true};
  runs::FilterCase filter(request, 1.0, test::sensed_pendulum(), runs::nobody());
  {
    LiveEstimate live(filter, {.port = LiveSource::Port{}, .log = log});
    EXPECT_NE(live.port(), 0);
    live.run(request, std::nullopt, std::atomic<bool>(true));
    EXPECT_TRUE(live.was_stopped());
    EXPECT_THAT(test::sentence_of<io::FileError>([&] { live.check_started(); }), HasSubstr("[port]"));
    EXPECT_NO_THROW(live.check_written());
    ASSERT_NE(live.log(), nullptr);
    EXPECT_EQ(live.log()->rows_written, 0);
  }
  std::filesystem::remove(log);
}

}  // namespace
}  // namespace eslabon::live
