#include "eslabon/recording/files/provenance.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "tests/sentence_of.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "eslabon/io/files/file_hash.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::recording {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using testing::HasSubstr;

class ProvenanceTest : public testing::Test {
 protected:
  void SetUp() override {
    std::string pattern = (fs::temp_directory_path() / "eslabon_provenance_XXXXXX").string();
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder_ = pattern;
    write("model", "foobar");
  }
  void TearDown() override { fs::remove_all(folder_); }
  std::string path(const std::string& name) const { return folder_ / name; }
  void write(const std::string& name, const std::string& text) const { std::ofstream(path(name)) << text; }

  fs::path folder_;
};

/// The hash is one of the published test vectors of FNV-1a of 64 bits [FowlerNollVo1991].
TEST_F(ProvenanceTest, TellsWhatWasReadAsItWasBefore) {
  Provenance provenance({"studio", "simulate", "it's"});
  provenance.add_read({"MODEL", path("model")});
  provenance.add_read({"model", "family:scalable-fourbar"});
  write("model", "changed meanwhile");
  const json told = json::parse(provenance.json());
  EXPECT_EQ(told["command"], json({"studio", "simulate", "it's"}));
  EXPECT_EQ(told["inputs"][0],
            json({{"word", "MODEL"}, {"path", path("model")}, {"bytes", 6}, {"fnv1a", "85944171f73967e8"}}));
  EXPECT_TRUE(told["inputs"][1]["fnv1a"].is_null());
  EXPECT_EQ(provenance.lines()[1].second, "studio simulate 'it'\\''s'");
  EXPECT_EQ(provenance.table().rows.size(), provenance.lines().size());
}

TEST_F(ProvenanceTest, TellsWhatWasWrittenSinceItBegan) {
  write("old", "of another run");
  Provenance provenance;
  for (const char* name : {"old", "new", "never"}) provenance.add_written({name, path(name)});
  EXPECT_FALSE(provenance.record(1, "it failed before it wrote anything"));
  EXPECT_EQ(json::parse(provenance.record(0, "").value())["outputs"], json::array());
  write("new", "foobar");
  const json told = json::parse(provenance.record(1, "it was cut").value());
  ASSERT_EQ(told["outputs"].size(), 1u);
  EXPECT_EQ(told["outputs"][0]["word"], "new");
  EXPECT_EQ(told["outputs"][0]["fnv1a"], "85944171f73967e8");
  EXPECT_EQ(told["status"], 1);
  EXPECT_EQ(told["message"], "it was cut");
}

TEST_F(ProvenanceTest, NoFileOfARequestIsLostToAnother) {
  const auto sentence = [](const RequestedFiles& files) {
    return test::sentence_of<runs::RequestError>([&] { check_distinct(files); });
  };
  const std::string nothing = "nothing was thrown";
  fs::create_symlink("model", path("link"));
  EXPECT_EQ(sentence({.read = {{"model", path("model")}}, .written = {{"out", path("out")}}}), nothing);
  EXPECT_EQ(sentence({.read = {{"model", "family:x"}}, .written = {{"out", "family:x"}, {"also", "-"}}}),
            nothing);
  EXPECT_THAT(sentence({.read = {{"model", path("model")}}, .written = {{runs::field("out"), path("link")}}}),
              HasSubstr("one file is both read and written [out]: expected another file than that of model"));
  EXPECT_THAT(sentence({.read = {}, .written = {{"out", path("a")}, {"report", path("./a")}}}),
              HasSubstr("one file is written twice [report]"));
}

TEST_F(ProvenanceTest, HashesOrdinaryFilesOnly) {
  EXPECT_EQ(io::hash_text(io::hash_of_file(path("model")).value()), "85944171f73967e8");
  for (const std::string& other : {folder_.string(), path("none"), std::string("/dev/null")})
    EXPECT_FALSE(io::hash_of_file(other) || io::size_of_file(other) || io::state_of_file(other)) << other;
}

}  // namespace
}  // namespace eslabon::recording
