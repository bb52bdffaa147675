#include "eslabon/codegen/compile/native_compiler.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "eslabon/codegen/compile/program_source.hpp"
#include "eslabon/core/text/name_list.hpp"

namespace eslabon::codegen {

void NativeCompiler::note(const std::string& sentence) {
  if (!sentence.empty() && std::ranges::find(report_.notes, sentence) == report_.notes.end())
    report_.notes.push_back(sentence);
}

std::shared_ptr<const CompiledLibrary> NativeCompiler::make(const std::string& source) {
  if (!has_looked_) {
    has_looked_ = true;
    std::string problem;
    compiler_ = SystemCompiler::find(SourceLanguage::kC, settings_, problem);
    note(problem);
    if (compiler_) report_.compiler = compiler_->version();
  }
  if (!compiler_) return nullptr;
  MadeLibrary made = make_library(source, *compiler_, settings_);
  note(made.problem);
  note(made.note);
  report_.seconds += made.seconds;
  if (!made.library) return nullptr;
  ++report_.libraries;
  report_.cached += made.was_cached ? 1 : 0;
  return made.library;
}

template <class Compiled, class Print>
std::vector<Compiled> NativeCompiler::compile(std::span<const core::NamedProgram> programs,
                                              std::string source, const Print& print) {
  const std::lock_guard lock(mutex_);
  std::vector<Compiled> out;
  std::vector<std::string> names;
  long operations = 0;
  for (const core::NamedProgram& one : programs) {
    names.push_back(fmt::format("eslabon_{}_{}", names.size(), one.name));
    ProgramSource printed = print(names.back(), *one.program);
    source += printed.text;
    out.push_back({.call = nullptr, .num_work = printed.num_work, .code = nullptr});
    operations += one.program->counts().all();
  }
  const std::shared_ptr<const CompiledLibrary> library = make(source);
  if (!library) return {};
  for (std::size_t k = 0; k < out.size(); ++k) {
    out[k].call = library->function<typename Compiled::Call>(names[k]);
    out[k].code = library;
    if (out[k].call == nullptr) return {};
  }
  report_.programs += static_cast<int>(programs.size());
  report_.operations += operations;
  return out;
}

std::vector<core::CompiledFunction> NativeCompiler::compile_functions(
    std::span<const core::NamedProgram> programs) {
  return compile<core::CompiledFunction>(programs, state_source_head(), state_source);
}

std::vector<core::CompiledLanes> NativeCompiler::compile_lanes(std::span<const core::NamedProgram> programs) {
  return compile<core::CompiledLanes>(programs, lanes_source_head(), lanes_source);
}

NativeCompiler::Report NativeCompiler::report() const {
  const std::lock_guard lock(mutex_);
  return report_;
}

std::string summary(const NativeCompiler::Report& report) {
  if (report.programs == 0) return "none: interpreted";
  return fmt::format("{} of {} operations, {} by {}{}",
                     core::counted(static_cast<std::size_t>(report.programs), "function"), report.operations,
                     report.cached == report.libraries ? "compiled before" : "compiled", report.compiler,
                     report.cached == report.libraries ? "" : fmt::format(" in {:.2f} s", report.seconds));
}

}  // namespace eslabon::codegen
