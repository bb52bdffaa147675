#include "eslabon/io/mechanism/document.hpp"

#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "tests/processor_clock.hpp"
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eslabon/core/text/error.hpp"

namespace eslabon::io {
namespace {

using testing::HasSubstr;
using testing::StartsWith;

std::string message(const std::string& text) {
  try {
    read_document(text, "f.yaml");
  } catch (const core::ModelError& error) {
    return error.what();
  }
  return "no error";
}

std::string repeated(const std::string& part, std::size_t count) {
  std::string text;
  text.reserve(part.size() * count);
  for (std::size_t k = 0; k < count; ++k) text += part;
  return text;
}

TEST(Document, KeepsOrderKindsTextsAndPositions) {
  const Document document =
      read_document("name: four-bar\nlist: [1, \"two\", {a: 3}]\nnothing:\nlast: x\n", "f.yaml");
  const auto& entries = document.root.entries();
  ASSERT_EQ(entries.size(), 4U);
  EXPECT_EQ(document.file_name, "f.yaml");
  EXPECT_EQ(document.root.position(), (Position{1, 1}));
  EXPECT_EQ(entries[0].key.text(), "name");
  EXPECT_EQ(entries[0].value.text(), "four-bar");
  EXPECT_EQ(entries[0].value.position(), (Position{1, 7}));
  const Node& list = entries[1].value;
  ASSERT_TRUE(list.is_sequence());
  ASSERT_EQ(list.items().size(), 3U);
  EXPECT_FALSE(list.items()[0].is_quoted());
  EXPECT_TRUE(list.items()[1].is_quoted());
  EXPECT_EQ(list.items()[1].text(), "two");
  EXPECT_EQ(list.items()[1].position(), (Position{2, 11}));
  EXPECT_EQ(list.items()[2].find("a")->text(), "3");
  EXPECT_EQ(list.items()[2].find("b"), nullptr);
  EXPECT_TRUE(entries[2].value.is_null());
  EXPECT_EQ(entries[2].value.position(), (Position{3, 1}));
  EXPECT_EQ(entries[3].value.position(), (Position{4, 7}));
  EXPECT_EQ(list.kind_name(), "a list");
  EXPECT_EQ(entries[2].value.kind_name(), "nothing");
}

TEST(Document, ColumnsCountCharacters_NotBytes) {
  const Document document = read_document("\xEF\xBB\xBF{\xC3\xB1: 1, b: \xC3\xA1, c: 2}\n", "f.yaml");
  const auto& entries = document.root.entries();
  ASSERT_EQ(entries.size(), 3U);
  EXPECT_EQ(entries[0].key.text(), "\xC3\xB1");
  EXPECT_EQ(entries[1].key.position(), (Position{1, 8}));
  EXPECT_EQ(entries[2].value.position(), (Position{1, 17}));
}

TEST(Document, WindowsLineEnds_ChangeNothing) {
  const Document document = read_document("a: 1\r\nb: {c: 2}\r\n", "f.yaml");
  EXPECT_EQ(document.root.find("a")->text(), "1");
  EXPECT_EQ(document.root.find("b")->find("c")->position(), (Position{2, 8}));
}

TEST(Document, TextIsVerbatim_OnlyWhereItStandsSoInTheFile) {
  const Document document =
      read_document("a: = 1 + 2\nb: '= 1'\nc: \"\\x3D 1\"\nd: = 1 +\n  2\ne: |\n  x\n", "f.yaml");
  EXPECT_TRUE(document.root.find("a")->is_verbatim());
  EXPECT_TRUE(document.root.find("b")->is_verbatim());
  EXPECT_FALSE(document.root.find("c")->is_verbatim());
  EXPECT_EQ(document.root.find("d")->text(), "= 1 + 2");
  EXPECT_FALSE(document.root.find("d")->is_verbatim());
  EXPECT_FALSE(document.root.find("e")->is_verbatim());
  EXPECT_EQ(document.place(*document.root.find("a")).where(4), "f.yaml:1:8");
  EXPECT_EQ(document.place(*document.root.find("b")).where(2), "f.yaml:2:7");
  EXPECT_EQ(document.place(*document.root.find("c"), "body 'x'").where(2), "f.yaml:3:4, body 'x'");
  EXPECT_EQ((TextPlace{"--set a", {}, false, ""}).where(3), "--set a");
}

struct Case {
  std::string text;
  std::string message;
};

TEST(Document, BrokenRules_AreNamedWithTheirPlace) {
  const std::vector<Case> cases{
      {"",
       "the file is empty [f.yaml]: expected a mechanism, got no 'key: value' line. Start with a line such "
       "as "
       "'mechanism: my mechanism'."},
      {"# only a comment\n",
       "the file is empty [f.yaml]: expected a mechanism, got no 'key: value' line. Start with "
       "a line such as 'mechanism: my mechanism'."},
      {"~\n",
       "the file is empty [f.yaml]: expected a mechanism, got no 'key: value' line. Start with a line such "
       "as "
       "'mechanism: my mechanism'."},
      {"just text\n",
       "the file is not a map [f.yaml:1:1]: expected 'key: value' lines, got a text. Start with a "
       "line such as 'mechanism: my mechanism'."},
      {"- a\n- b\n",
       "the file is not a map [f.yaml:1:1]: expected 'key: value' lines, got a list. Start with a "
       "line such as 'mechanism: my mechanism'."},
      {"a: 1\nb: 2\na: 3\n",
       "the key 'a' is written twice [f.yaml:3:1]: expected each key once, got it also on "
       "line 1. Remove or rename one of the two."},
      {"a: {b: 1, \"b\": 2}\n",
       "the key 'b' is written twice [f.yaml:1:11]: expected each key once, got it also on "
       "line 1. Remove or rename one of the two."},
      {"a: &x 1\n",
       "an anchor is used [f.yaml:1:4]: expected values written where they are used, got '&'. Declare "
       "a parameter and write '= name', or put the text in quotes."},
      {"a: *x\n",
       "an alias is used [f.yaml:1:4]: expected values written where they are used, got '*'. Declare a "
       "parameter and write '= name', or put the text in quotes."},
      {"a: !!int 1\n",
       "a tag is used [f.yaml:1:4]: expected plain values, got '!'. Remove the tag, or put the text "
       "in quotes."},
      {"a: ! 1\n",
       "a tag is used [f.yaml:1:4]: expected plain values, got '!'. Remove the tag, or put the text in "
       "quotes."},
      {"a: !x {b: 1}\n",
       "a tag is used [f.yaml:1:4]: expected plain values, got '!'. Remove the tag, or put the "
       "text in quotes."},
      {"? [a, b]\n: 1\n",
       "a key is not a name [f.yaml:1:3]: expected a text before ':', got a list. Write 'name: "
       "value', with quotes around a name that YAML would read otherwise."},
      {"{{a: b}: 1}\n",
       "a key is not a name [f.yaml:1:2]: expected a text before ':', got a map. Write 'name: "
       "value', with quotes around a name that YAML would read otherwise."},
      {": 1\n",
       "a key is not a name [f.yaml:1:1]: expected a text before ':', got nothing. Write 'name: value', "
       "with quotes around a name that YAML would read otherwise."},
      {"a:\n  <<: {b: 1}\n",
       "a merge key is used [f.yaml:2:3]: expected a name before ':', got '<<'. Write the "
       "entries where they are used."},
      {"a: 1\n---\nb: 2\n",
       "the file has more than one document [f.yaml:2:1]: expected one document, got '---'. Put "
       "each mechanism in its own file."},
      {"{a: 1}\nx\n",
       "the text goes on after the end of the document [f.yaml:2:1]: expected one document, got 'x'. Check "
       "the "
       "indentation and the brackets before this place."},
      {",",
       "the text goes on after the end of the document [f.yaml:1:1]: expected one document, got ','. Check "
       "the "
       "indentation and the brackets before this place."},
      {"a: b: c\n",
       "the text is not valid YAML, illegal map value [f.yaml:1:5]. Write 'key: value' with a space after "
       "':', here or on the line before, "
       "and quotes around a text with ': '."},
      {"a: [1, 2\nb: 3\n",
       "a bracket is not closed [f.yaml:1:4]: expected ']', got something else. Close it, and put ',' "
       "between what is "
       "inside."},
      {"a: {b: 1\n",
       "a bracket is not closed [f.yaml:1:4]: expected '}', got something else. Close it, and put ',' "
       "between what is "
       "inside."},
      {"a: {b: 1 c: 2}\n",
       "a bracket is not closed [f.yaml:1:4]: expected '}', got something else. Close it, and put ',' "
       "between what is "
       "inside."},
      {"a: 'x", "the text is not valid YAML, illegal EOF in scalar [f.yaml:1:6]. Close the quotes."},
      {"a: 'it''s\nb: 2\n", "a quote is not closed [f.yaml:1:4]. Close it with the same quote."},
      {"a: \"x\\\"\nb: 2\n", "a quote is not closed [f.yaml:1:4]. Close it with the same quote."},
      {"a: 1\nb\n",
       "a key has no ':' [f.yaml:2:1]: expected 'key: value', got 'b'. Write ': ' and a value after it, or "
       "check the "
       "indentation."},
      {"a:\n- 1\n-2\n",
       "a key has no ':' [f.yaml:3:1]: expected 'key: value', got '-2'. Write ': ' and a value after it, or "
       "check the "
       "indentation."},
      {"a: {b, c}\n",
       "a key has no ':' [f.yaml:1:5]: expected 'key: value', got 'b'. Write ': ' and a value after it, or "
       "check the "
       "indentation."},
      {"a:\n\t- 1\n",
       "the text is not valid YAML, illegal block entry [f.yaml:2:2]. Indent with spaces, not with tabs."},
      {"a:\n\tb: 1\n",
       "the text is not valid YAML, illegal map value [f.yaml:2:3]. Indent with spaces, not with tabs."},
      {"a: @x\n",
       "the text is not valid YAML, unknown token [f.yaml:1:4]. Put quotes around a text that starts with "
       "a special character."},
      {"a: \xFF\n",
       "the file is not text in UTF-8 [f.yaml:1:4]: expected UTF-8 characters, got the byte 0xFF. Save "
       "the file as UTF-8."},
      {"a: \xED\xA0\x80\n",
       "the file is not text in UTF-8 [f.yaml:1:4]: expected UTF-8 characters, got the byte "
       "0xED. Save the file as UTF-8."},
      {"a: \xC0\xAF\n",
       "the file is not text in UTF-8 [f.yaml:1:4]: expected UTF-8 characters, got the byte 0xC0. "
       "Save the file as UTF-8."},
      {"a: 1\nb: \xE2\x82",
       "the file is not text in UTF-8 [f.yaml:2:4]: expected UTF-8 characters, got the byte "
       "0xE2. Save the file as UTF-8."},
      {std::string("a: \0b", 5),
       "the file has a control character [f.yaml:1:4]: expected printable characters, got "
       "the byte 0x00. Remove it, or save the file as plain text."},
      {"a: 1\rb: 2\n",
       "the file has a control character [f.yaml:1:5]: expected printable characters, got the byte "
       "0x0D. Remove it, or save the file as plain text."},
      {"a: \x04",
       "the file has a control character [f.yaml:1:4]: expected printable characters, got the byte 0x04. "
       "Remove it, or save the file as plain text."},
      {"a: \"\\0\"\n",
       "a text has a control character [f.yaml:1:4]: expected printable characters, got the code "
       "0x00. Remove the escape sequence."},
  };
  for (const Case& c : cases) EXPECT_EQ(message(c.text), c.message) << c.text;
}

TEST(Document, QuotesAndEmptyValues_AreReadWhereTheyAreWhole) {
  const Document document =
      read_document("a: 'it''s'\nb: \"\\\"\"\n\"c\" :\nd: {e: , f: ~}\ng: |\n  it's\n", "f.yaml");
  EXPECT_EQ(document.root.find("a")->text(), "it's");
  EXPECT_EQ(document.root.find("b")->text(), "\"");
  EXPECT_TRUE(document.root.find("c")->is_null());
  EXPECT_TRUE(document.root.find("d")->find("e")->is_null());
  EXPECT_TRUE(document.root.find("d")->find("f")->is_null());
  EXPECT_EQ(document.root.find("g")->text(), "it's\n");
}

TEST(Document, SixtyFourLevels_AreReadAndOneMoreIsNot) {
  const auto nested = [](std::size_t levels) {
    return "a: " + repeated("[", levels - 1) + repeated("]", levels - 1) + "\n";
  };
  EXPECT_EQ(message(nested(64)), "no error");
  EXPECT_EQ(message(nested(65)),
            "the file is nested too deeply [f.yaml:1:67]: expected at most 64 levels, got more. "
            "Mechanism files are small: check that this is the right file.");
}

TEST(Document, MoreThanAMillionValues_AreRefused) {
  EXPECT_THAT(
      message("a:\n" + repeated("- 1\n", 1'000'000)),
      StartsWith(
          "the file holds too much [f.yaml:999999:3]: expected at most 1000000 keys and values, got more"));
  EXPECT_THAT(
      message("a: [" + repeated(",", 1'000'000)),
      StartsWith(
          "the file holds too much [f.yaml]: expected at most 1000000 brackets, commas and quotes, got "
          "1000001."));
}

TEST(Document, MoreThanSixteenMebibytes_AreRefusedUnread) {
  EXPECT_EQ(message(std::string(kMaxFileBytes + 1, '[')),
            "the file is too large [f.yaml]: expected at most 16777216 bytes, got 16777217 bytes. Mechanism "
            "files are "
            "small: check that this is the right file.");
}

// Texts made to be slow: each must end, quickly and without exhausting the stack.
TEST(Document, HostileTexts_EndSoonWithAnErrorOrATree) {
  std::string by_indentation;
  for (std::size_t k = 0; k < 5000; ++k) by_indentation += std::string(k, ' ') + "a:\n";
  std::vector<std::string> texts{by_indentation, "a: " + std::string(4'000'000, 'x'),
                                 "{" + repeated("\xC3\xB1, ", 300'000)};
  for (const std::string part :
       {"[", "{", "- ", "? ", ": ", "[a: ", "{a: ", "{? [", "&a ", "*a ", "!a ", "\"", "'"}) {
    texts.push_back(repeated(part, 200'000));
  }
  for (const std::string part :
       {",", "?", ":", "-", "#", "\n", " ", "%", "a\n", "- a\n", "|", ">", "...\n", "---\n"}) {
    texts.push_back(repeated(part, 400'000));
  }
  std::string one_line = "{";
  for (int k = 0; k < 200'000; ++k) one_line.append("k").append(std::to_string(k)).append(": 1, ");
  texts.push_back(one_line + "}");
  for (const std::string& text : texts) {
    const test::ProcessorClock clock;
    message(text);
    EXPECT_LT(clock.seconds(), 10.0) << text.substr(0, 20);  // measured: below 0.5 s each
  }
}

class FileText : public testing::Test {
 protected:
  FileText() : folder_(std::filesystem::path(testing::TempDir()) / "eslabon_document_test") {
    std::filesystem::create_directories(folder_);
  }
  ~FileText() override { std::filesystem::remove_all(folder_); }

  static std::string failure(const std::filesystem::path& path) {
    try {
      read_file_text(path);
    } catch (const core::ModelError& error) {
      return error.what();
    }
    return "no error";
  }

  std::filesystem::path folder_;
};

TEST_F(FileText, IsReadByteForByte) {
  const std::string text = "a: 1\r\n" + std::string(100'000, 'x') + std::string("\0\xFF", 2);
  std::ofstream(folder_ / "f.yaml", std::ios::binary) << text;
  EXPECT_EQ(read_file_text(folder_ / "f.yaml"), text);
}

TEST_F(FileText, WhatCannotBeRead_IsSaidInOneSentence) {
  const std::string folder = folder_.string();
  EXPECT_EQ(failure(folder_ / "no.yaml"),
            "the file does not exist [" + folder + "/no.yaml]. Check the name and the folder.");
  EXPECT_EQ(failure(folder_), "the file is a directory [" + folder + "]. Name a file inside it.");
}

TEST_F(FileText, LargeFile_IsRefusedBySizeWithoutReading) {
  { std::ofstream(folder_ / "large.yaml") << "a"; }
  std::filesystem::resize_file(folder_ / "large.yaml",
                               100'000'000'000);  // sparse: reading it would take minutes
  EXPECT_EQ(
      failure(folder_ / "large.yaml"),
      "the file is too large [" + folder_.string() +
          "/large.yaml]: expected at most 16777216 bytes, got 100000000000 bytes. Mechanism files are small: "
          "check that this is the right file.");
  EXPECT_THAT(failure("/dev/zero"), HasSubstr("bytes or more"));
}

}  // namespace
}  // namespace eslabon::io
