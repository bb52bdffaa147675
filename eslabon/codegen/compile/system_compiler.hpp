#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace eslabon::codegen {

enum class SourceLanguage { kC, kCpp };

/// What compiling depends on around a program.
struct CompileSettings {
  std::string c,
      cpp;  ///< words of the compiler's command: "gcc-12", "ccache cc"; empty: a usual name in `path`
  std::string path;                 ///< folders in which programs are looked for, apart by ':'
  std::filesystem::path cache;      ///< folder in which libraries are kept; empty: none is
  std::filesystem::path temporary;  ///< folder for what is deleted again
};
/// CC, CXX, PATH, XDG_CACHE_HOME or HOME, and TMPDIR, by what tells the value of a variable, or none: std::getenv.
CompileSettings compile_settings(const std::function<const char*(const char*)>& variable);

/// The compiler of the system for a language, with the flags that it takes.
class SystemCompiler {
 public:
  /// None: `problem` is a sentence that says why.
  static std::optional<SystemCompiler> find(SourceLanguage language, const CompileSettings& settings,
                                            std::string& problem);

  const std::string& version() const { return version_; }  ///< the first line that it tells of itself
  /// What its code depends on beside the source: itself, flags and processor.
  const std::string& identity() const { return identity_; }
  const char* ending() const { return language_ == SourceLanguage::kC ? ".c" : ".cpp"; }  ///< of sources
  /// A library of a source file; `scratch`: a folder for what it needs to try. Nothing, or why there is none.
  std::optional<std::string> compile(const std::filesystem::path& source,
                                     const std::filesystem::path& library,
                                     const std::filesystem::path& scratch) const;

 private:
  std::vector<std::string> command(const std::vector<std::string>& arguments) const;

  SourceLanguage language_ = SourceLanguage::kC;
  std::vector<std::string> words_;  ///< path of the program, and what was given with it
  std::string version_, identity_;
  bool knows_processor_ = false;  ///< takes the flag that asks for all that this processor can
};

}  // namespace eslabon::codegen
