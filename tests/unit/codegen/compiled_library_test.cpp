#include "eslabon/codegen/compile/compiled_library.hpp"

#include <fstream>
#include <map>
#include <vector>

#include "tests/temporary_folder.hpp"
#include <gmock/gmock.h>
#include <sys/wait.h>
#include <unistd.h>

namespace eslabon::codegen {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

constexpr const char* kAnswer = "int answer(void);\nint answer(void) { return 42; }\n";

std::vector<std::filesystem::path> files_in(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> files;
  for (const auto& entry : std::filesystem::directory_iterator(folder)) files.push_back(entry.path());
  return files;
}

class CompiledLibraries : public ::testing::Test {
 protected:
  CompiledLibraries() : settings_(compile_settings(&std::getenv)) {
    settings_.cache = folder_.path() / "cache" / "eslabon";
    settings_.temporary = folder_.path() / "tmp";
    std::filesystem::create_directory(settings_.temporary);
  }
  SystemCompiler compiler(SourceLanguage language = SourceLanguage::kC) {
    std::string problem;
    std::optional<SystemCompiler> found = SystemCompiler::find(language, settings_, problem);
    if (!found) throw std::runtime_error(problem);
    return *found;
  }
  static int answer(const MadeLibrary& made) {
    if (!made.library) throw std::runtime_error(made.problem);
    return made.library->function<int (*)()>("answer")();
  }
  /// A program that runs these lines of the shell.
  std::string script(const std::string& lines) {
    const std::filesystem::path path = folder_.path() / "compiler";
    std::ofstream(path) << "#!/bin/sh\n" << lines;
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
    return path.string();
  }

  test::TemporaryFolder folder_;
  CompileSettings settings_;
};

// contract
TEST_F(CompiledLibraries, RunTheirCode_AndAreThereTheSecondTime) {
  const MadeLibrary first = make_library(kAnswer, compiler(), settings_);
  EXPECT_EQ(answer(first), 42);
  EXPECT_FALSE(first.was_cached);
  EXPECT_EQ(first.path.parent_path(), settings_.cache);
  EXPECT_THAT(first.note, IsEmpty());
  EXPECT_EQ(first.library->function<int (*)()>("question"), nullptr);
  const MadeLibrary second = make_library(kAnswer, compiler(), settings_);
  EXPECT_EQ(answer(second), 42);
  EXPECT_TRUE(second.was_cached);
  EXPECT_EQ(second.path, first.path);
  const MadeLibrary other = make_library(std::string(kAnswer) + "\n", compiler(), settings_);
  EXPECT_FALSE(other.was_cached);
  EXPECT_NE(other.path, first.path);
  EXPECT_EQ(files_in(settings_.cache).size(), 2u);  // nothing else is left behind
}

TEST_F(CompiledLibraries, AreMadeOfCppToo) {
  const std::string source =
      "#include <vector>\nextern \"C\" int answer() { return std::vector{40, 2}[0] + 2; }\n";
  EXPECT_EQ(answer(make_library(source, compiler(SourceLanguage::kCpp), settings_)), 42);
}

// contract: half a file is never seen, and all processes get their library.
TEST_F(CompiledLibraries, AreSharedByProcessesThatRunAtOnce) {
  const SystemCompiler gcc = compiler();
  std::vector<pid_t> children;
  for (int k = 0; k < 4; ++k) {
    const pid_t child = fork();
    if (child == 0) {
      bool is_right = true;
      for (int i = 0; i < 3; ++i)
        is_right = is_right && answer(make_library(kAnswer + std::string(i, '\n'), gcc, settings_)) == 42;
      _exit(is_right ? 0 : 1);
    }
    children.push_back(child);
  }
  for (const pid_t child : children) {
    int status = -1;
    waitpid(child, &status, 0);
    EXPECT_EQ(status, 0);
  }
  EXPECT_EQ(files_in(settings_.cache).size(), 3u);
}

// contract: damaged files would end the process when they are loaded.
TEST_F(CompiledLibraries, AreMadeAnew_WhereTheFileIsDamaged) {
  const std::filesystem::path path = make_library(kAnswer, compiler(), settings_).path;
  const auto size = std::filesystem::file_size(path);
  for (const std::uintmax_t left : {size / 2, std::uintmax_t{0}, size - 1}) {
    std::filesystem::resize_file(path, left);
    const MadeLibrary made = make_library(kAnswer, compiler(), settings_);
    EXPECT_EQ(answer(made), 42) << left;
    EXPECT_FALSE(made.was_cached) << left;
    EXPECT_EQ(std::filesystem::file_size(path), size) << left;
  }
  std::fstream(path, std::ios::in | std::ios::out | std::ios::binary)
      .seekp(static_cast<std::streamoff>(size / 3))
      .put('!')
      .put('?');
  EXPECT_EQ(answer(make_library(kAnswer, compiler(), settings_)), 42);
}

TEST_F(CompiledLibraries, LiveForOneRun_WhereTheyCannotBeKept) {
  std::ofstream(folder_.path() / "file") << "no folder";
  settings_.cache = folder_.path() / "file" / "eslabon";
  MadeLibrary made = make_library(kAnswer, compiler(), settings_);
  EXPECT_EQ(answer(made), 42);
  EXPECT_THAT(made.note, AllOf(HasSubstr("compiled code cannot be kept"), HasSubstr(settings_.cache.string()),
                               HasSubstr("for this run alone")));
  EXPECT_THAT(files_in(settings_.temporary), IsEmpty());
  settings_.cache.clear();
  made = make_library(kAnswer, compiler(), settings_);
  EXPECT_EQ(answer(made), 42);
  EXPECT_THAT(made.note, HasSubstr("neither XDG_CACHE_HOME nor HOME is set"));
  settings_.temporary = folder_.path() / "file";
  made = make_library(kAnswer, compiler(), settings_);
  EXPECT_EQ(made.library, nullptr);
  EXPECT_THAT(made.problem, HasSubstr("there is no place to compile in"));
  EXPECT_THAT(made.note, IsEmpty());  // nothing is compiled, not for one run either
}

TEST_F(CompiledLibraries, TellWhatTheCompilerSays_WhereItFails) {
  const MadeLibrary made = make_library("int answer(void) { return question; }\n", compiler(), settings_);
  EXPECT_EQ(made.library, nullptr);
  EXPECT_THAT(made.problem, AllOf(HasSubstr("the compiler fails"), HasSubstr("question"), HasSubstr("CC")));
  EXPECT_THAT(files_in(settings_.cache), IsEmpty());
}

TEST_F(CompiledLibraries, TellOfACompilerThatMakesNone) {
  settings_.c = script("case \"$*\" in *code.c*) echo 'Nothing to do..' ;; esac\n");
  const MadeLibrary made = make_library(kAnswer, compiler(), settings_);
  EXPECT_EQ(made.library, nullptr);
  EXPECT_THAT(made.problem, AllOf(HasSubstr("the compiler made no library"),
                                  HasSubstr("got Nothing to do. Name another one in CC.")));
}

TEST_F(CompiledLibraries, NeedACompiler) {
  std::string problem;
  settings_.c.clear();
  settings_.path.clear();
  EXPECT_FALSE(SystemCompiler::find(SourceLanguage::kC, settings_, problem));
  EXPECT_THAT(problem, AllOf(HasSubstr("there is no compiler"), HasSubstr("'cc', 'gcc', 'clang'")));
  settings_.c = "/no/such/compiler";
  EXPECT_FALSE(SystemCompiler::find(SourceLanguage::kC, settings_, problem));
  EXPECT_THAT(problem, HasSubstr("'/no/such/compiler'"));
  settings_.c = script("echo 'out of order'\nexit 3\n");
  EXPECT_FALSE(SystemCompiler::find(SourceLanguage::kC, settings_, problem));
  EXPECT_THAT(problem, AllOf(HasSubstr("the compiler does not run"), HasSubstr("out of order")));
}

TEST_F(CompiledLibraries, DoWithoutFlagsThatTheCompilerRefuses) {
  settings_.c = script("case \"$*\" in *-march=native*) exit 1 ;; esac\nexec cc \"$@\"\n");
  EXPECT_EQ(answer(make_library(kAnswer, compiler(), settings_)), 42);
  // … and those that its assembler refuses.
  settings_.c = script("case \"$*\" in *-march=native*-o*) exit 1 ;; esac\nexec cc \"$@\"\n");
  EXPECT_EQ(answer(make_library(std::string(kAnswer) + "\n", compiler(), settings_)), 42);
}

TEST(CompileSettings, FollowTheEnvironment) {
  std::map<std::string, const char*> variables{
      {"CC", "gcc-12"}, {"PATH", "/bin"}, {"HOME", "/home/one"}, {"XDG_CACHE_HOME", "relative"}};
  const auto variable = [&](const char* name) {
    const auto found = variables.find(name);
    return found == variables.end() ? nullptr : found->second;
  };
  EXPECT_EQ(compile_settings(variable).c, "gcc-12");
  EXPECT_EQ(compile_settings(variable).cache, "/home/one/.cache/eslabon");
  EXPECT_EQ(compile_settings(variable).temporary, "/tmp");
  variables["XDG_CACHE_HOME"] = "/caches";
  EXPECT_EQ(compile_settings(variable).cache, "/caches/eslabon");
}

}  // namespace
}  // namespace eslabon::codegen
