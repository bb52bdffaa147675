#include "eslabon/io/files/read_line.hpp"

#include <new>
#include <sstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace eslabon::io {
namespace {

using ::testing::HasSubstr;

/// "first\nsec", and then something happens.
template <class What>
class Breaking : public std::streambuf {
 public:
  explicit Breaking(What what) : what_(std::move(what)) { setg(text_, text_, text_ + sizeof text_ - 1); }

 protected:
  int_type underflow() override { throw What(what_); }

 private:
  char text_[10] = "first\nsec";
  What what_;
};

TEST(ReadLine, ReadsToTheEnd) {
  std::istringstream file("first\n\nlast");
  std::string line;
  EXPECT_TRUE(read_line(file, "x", line));
  EXPECT_EQ(line, "first");
  EXPECT_TRUE(read_line(file, "x", line));
  EXPECT_EQ(line, "");
  EXPECT_TRUE(read_line(file, "x", line));
  EXPECT_EQ(line, "last");
  EXPECT_FALSE(read_line(file, "x", line));
}

TEST(ReadLine, DoesNotTakeALackOfMemoryForTheEnd) {
  Breaking buffer{std::bad_alloc()};
  std::istream file(&buffer);
  std::string line;
  EXPECT_TRUE(read_line(file, "x", line));
  EXPECT_THROW(read_line(file, "x", line), std::bad_alloc);
}

TEST(ReadLine, DoesNotTakeABrokenDiskForTheEnd) {
  Breaking buffer{std::ios_base::failure("the disk is gone")};
  std::istream file(&buffer);
  std::string line;
  EXPECT_TRUE(read_line(file, "truth.csv", line));
  try {
    static_cast<void>(read_line(file, "truth.csv", line));
    FAIL() << "nothing was thrown";
  } catch (const FileError& error) {
    EXPECT_THAT(error.what(), HasSubstr("the file cannot be read to its end [truth.csv]"));
    EXPECT_THAT(error.what(), HasSubstr("the disk is gone"));
  }
}

}  // namespace
}  // namespace eslabon::io
