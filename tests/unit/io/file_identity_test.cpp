#include "eslabon/io/files/file_identity.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

namespace eslabon::io {
namespace {

namespace fs = std::filesystem;

class FileIdentityTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "eslabon_identity_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    std::ofstream(path("here")) << "text";
    fs::create_directory(path("sub"));
    fs::create_directory_symlink("..", path("sub/up"));
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ / name; }

  fs::path folder_;
};

TEST_F(FileIdentityTest, IsOneForAllNamesOfAFileThatIsThere) {
  fs::create_symlink("here", path("link"));
  fs::create_hard_link(path("here"), path("hard"));
  const auto identity = identity_of(path("here"));
  ASSERT_TRUE(identity.has_value());
  for (const char* name : {"./here", "link", "hard", "sub/../here", "sub/up/here"})
    EXPECT_EQ(identity_of(path(name)), identity) << name;
  EXPECT_NE(identity_of(path("there")), identity);
}

TEST_F(FileIdentityTest, IsOneForAllNamesOfAFileThatIsNotYetThere) {
  fs::create_symlink("new", path("link"));
  fs::create_symlink("link", path("second"));
  const auto identity = identity_of(path("new"));
  ASSERT_TRUE(identity.has_value());
  for (const char* name : {"./new", "link", "second", "sub/up/new"})
    EXPECT_EQ(identity_of(path(name)), identity) << name;
  EXPECT_NE(identity_of(path("sub/new")), identity);
  EXPECT_EQ(identity_of(path("none/a")), identity_of(path("none/./a")));
  EXPECT_NE(identity_of(path("none/a")), identity_of(path("none/b")));
}

TEST_F(FileIdentityTest, IsNoneForFoldersDevicesAndPipes) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  EXPECT_FALSE(identity_of(path("pipe")).has_value());
  EXPECT_FALSE(identity_of(path("sub")).has_value());
  EXPECT_FALSE(identity_of("/dev/null").has_value());
  EXPECT_FALSE(identity_of("").has_value());
  EXPECT_FALSE(identity_of(-1).has_value());
}

TEST_F(FileIdentityTest, IsThatOfTheName_ForWhatIsOpen) {
  const int file = open(path("here").c_str(), O_RDONLY);
  ASSERT_GE(file, 0);
  EXPECT_EQ(identity_of(file), identity_of(path("here")));
  close(file);
}

TEST_F(FileIdentityTest, LinksThatLeadNowhereOrInACircleStayNames) {
  fs::create_symlink("b", path("a"));
  fs::create_symlink("a", path("b"));
  EXPECT_NO_THROW(static_cast<void>(resolved_path(path("a"))));
  EXPECT_EQ(resolved_path(path("plain")), path("plain"));
}

}  // namespace
}  // namespace eslabon::io
