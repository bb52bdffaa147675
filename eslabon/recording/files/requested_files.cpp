#include "eslabon/recording/files/requested_files.hpp"

#include <unistd.h>

#include "eslabon/io/files/file_identity.hpp"
#include "eslabon/io/mechanism/model_source.hpp"
#include "eslabon/runs/request_error.hpp"

namespace eslabon::recording {

namespace {

struct IdentifiedFile {
  NamedPath named;
  io::FileIdentity identity;
  bool is_stream = false;  ///< open already
};

std::vector<IdentifiedFile> identified(const std::vector<NamedPath>& files) {
  std::vector<IdentifiedFile> found;
  for (const NamedPath& file : files)
    if (is_file(file))
      if (auto identity = io::identity_of(file.path)) found.push_back({file, *identity});
  return found;
}

void add_stream(std::vector<IdentifiedFile>& files, int descriptor, const std::string& name) {
  if (auto identity = io::identity_of(descriptor)) files.push_back({{name, ""}, *identity, true});
}

/// "'a.csv'", or where they have different names "'b.csv', which is 'a.csv'". Streams have none.
std::string names_of(const NamedPath& written, const NamedPath& other) {
  const std::string name = "'" + (written.path.empty() ? other.path : written.path) + "'";
  const bool is_one_name = written.path.empty() || other.path.empty() || written.path == other.path;
  return is_one_name ? name : name + ", which is '" + other.path + "'";
}

void check_pair(const std::string& what, const IdentifiedFile& written, const IdentifiedFile& other) {
  if (written.identity != other.identity || (written.is_stream && other.is_stream)) return;
  throw runs::RequestError({.what = what,
                            .where = written.named.word,
                            .expected = "another file than that of " + other.named.word,
                            .actual = names_of(written.named, other.named),
                            .next = "Give each a file of its own."});
}

}  // namespace

bool is_file(const NamedPath& named) {
  return named.path != io::kStandardInput && !named.path.starts_with("family:");
}

void check_distinct(const RequestedFiles& files) {
  std::vector<IdentifiedFile> read = identified(files.read), written = identified(files.written);
  add_stream(read, STDIN_FILENO, "the standard input");
  add_stream(written, STDOUT_FILENO, "the standard output");
  add_stream(written, STDERR_FILENO, "the standard error");
  for (std::size_t k = 0; k < written.size(); ++k) {
    for (const IdentifiedFile& other : read)
      check_pair("one file is both read and written", written[k], other);
    for (std::size_t j = 0; j < k; ++j) check_pair("one file is written twice", written[k], written[j]);
  }
}

}  // namespace eslabon::recording
