#include "eslabon/codegen/compile/compiled_library.hpp"

#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>

#include <dlfcn.h>
#include <fmt/format.h>

#include "eslabon/core/fnv1a.hpp"
#include "eslabon/core/text/error.hpp"

namespace eslabon::codegen {

namespace {

namespace fs = std::filesystem;

std::string hash_text(core::Bits128 hash) {
  return fmt::format("{:016x}{:016x}", static_cast<std::uint64_t>(hash >> 64),
                     static_cast<std::uint64_t>(hash));
}

/// What stands behind the bytes of a library in its file; loaders do not look there.
std::string seal(std::string_view bytes) { return "\neslabon " + hash_text(core::fnv1a_128(bytes)) + "\n"; }

std::optional<std::string> contents(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string{std::istreambuf_iterator<char>(file), {}};
}

bool is_whole(const fs::path& path) {
  const std::optional<std::string> all = contents(path);
  const std::size_t length = seal("").size();
  if (!all || all->size() < length) return false;
  const std::string_view bytes = std::string_view(*all).substr(0, all->size() - length);
  return std::string_view(*all).substr(bytes.size()) == seal(bytes);
}

/// A folder with a name of its own, which is deleted with all that is in it.
class ScratchFolder {
 public:
  /// In a folder that is made when it is not there.
  explicit ScratchFolder(const fs::path& in) {
    std::error_code error;
    fs::create_directories(in, error);
    std::string name = (in / "making-XXXXXX").string();
    if (!error && mkdtemp(name.data()) != nullptr)
      path_ = name;
    else
      problem_ = error ? error.message() : std::strerror(errno);
  }
  ~ScratchFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;

  const fs::path& path() const { return path_; }           ///< empty: it could not be made …
  const std::string& problem() const { return problem_; }  ///< … because of this

 private:
  fs::path path_;
  std::string problem_;
};

/// Compiles into a folder; the path of the library, sealed, or nothing.
std::optional<fs::path> compile_in(const fs::path& folder, const std::string& source,
                                   const SystemCompiler& compiler, std::string& problem) {
  const fs::path text = folder / (std::string("code") + compiler.ending()), library = folder / "code.so";
  const auto write_error = [&] {
    problem = core::to_sentence({.what = "the code could not be written",
                                 .where = folder.string(),
                                 .expected = "room for it",
                                 .actual = std::strerror(errno),
                                 .next = "Make room there."});
    return std::nullopt;
  };
  if (!(std::ofstream(text, std::ios::binary) << source << std::flush)) return write_error();
  if (const std::optional<std::string> failure = compiler.compile(text, library, folder)) {
    problem = *failure;
    return std::nullopt;
  }
  const std::optional<std::string> bytes = contents(library);
  if (!bytes || !(std::ofstream(library, std::ios::binary | std::ios::app) << seal(*bytes) << std::flush))
    return write_error();
  return library;
}

void compile_and_load(const std::string& source, const SystemCompiler& compiler,
                      const CompileSettings& settings, const fs::path& place, MadeLibrary& out) {
  std::optional<ScratchFolder> scratch;
  std::string why = "no folder is known: neither XDG_CACHE_HOME nor HOME is set";
  if (!place.empty()) {
    scratch.emplace(settings.cache);
    why = scratch->problem();
  }
  const bool is_kept = scratch && !scratch->path().empty();
  if (!is_kept) scratch.emplace(settings.temporary);
  if (scratch->path().empty()) {
    out.problem = core::to_sentence({.what = "there is no place to compile in",
                                     .where = settings.temporary.string(),
                                     .expected = "a folder that can be written to",
                                     .actual = scratch->problem(),
                                     .next = "Name another one in TMPDIR."});
    return;
  }
  std::optional<fs::path> library = compile_in(scratch->path(), source, compiler, out.problem);
  if (!library) return;
  std::error_code error;
  if (is_kept) fs::rename(*library, place, error);
  if (is_kept && !error) {
    library = place;
    out.path = place;
  } else {
    out.note = core::to_sentence({.what = "compiled code cannot be kept",
                                  .where = settings.cache.string(),
                                  .expected = "a folder that can be written to",
                                  .actual = is_kept ? error.message() : why,
                                  .next = "It is compiled for this run alone."});
  }
  out.library = CompiledLibrary::load(*library, out.problem);
}

}  // namespace

std::shared_ptr<const CompiledLibrary> CompiledLibrary::load(const fs::path& file, std::string& problem) {
  if (void* const handle = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL))
    return std::shared_ptr<const CompiledLibrary>(new CompiledLibrary(handle));
  problem = core::to_sentence({.what = "compiled code does not load",
                               .where = file.string(),
                               .expected = "a library",
                               .actual = dlerror(),
                               .next = "A folder from which programs may run is needed: name one in "
                                       "XDG_CACHE_HOME."});
  return nullptr;
}

CompiledLibrary::~CompiledLibrary() { dlclose(handle_); }

void* CompiledLibrary::symbol(const std::string& name) const { return dlsym(handle_, name.c_str()); }

MadeLibrary make_library(const std::string& source, const SystemCompiler& compiler,
                         const CompileSettings& settings) {
  const auto begin = std::chrono::steady_clock::now();
  MadeLibrary out;
  fs::path place;
  if (!settings.cache.empty())
    place =
        settings.cache / (hash_text(core::fnv1a_128(source, core::fnv1a_128(compiler.identity()))) + ".so");
  if (!place.empty() && is_whole(place)) {
    std::string ignored;  // what does not load is made anew
    out.library = CompiledLibrary::load(place, ignored);
    out.was_cached = out.library != nullptr;
    if (out.was_cached) out.path = place;
  }
  if (!out.library) compile_and_load(source, compiler, settings, place, out);
  out.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return out;
}

}  // namespace eslabon::codegen
