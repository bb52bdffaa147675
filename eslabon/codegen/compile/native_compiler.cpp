#include "eslabon/codegen/compile/native_compiler.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "eslabon/codegen/compile/program_source.hpp"
#include "eslabon/core/text/name_list.hpp"

namespace eslabon::codegen {

void NativeCompiler::add_note(const std::string& sentence) {
  const std::lock_guard lock(mutex_);
  if (!sentence.empty() && std::ranges::find(report_.notes, sentence) == report_.notes.end())
    report_.notes.push_back(sentence);
}

const std::optional<SystemCompiler>& NativeCompiler::compiler() {
  std::call_once(has_looked_, [this] {
    std::string problem;
    compiler_ = SystemCompiler::find(SourceLanguage::kC, settings_, problem);
    add_note(problem);
  });
  return compiler_;
}

std::string NativeCompiler::version() { return compiler() ? compiler()->version() : ""; }

std::shared_ptr<const CompiledLibrary> NativeCompiler::make(const std::string& source, int programs,
                                                            long operations) {
  if (!compiler()) return nullptr;
  const MadeLibrary made = make_library(source, *compiler(), settings_);
  add_note(made.problem);
  add_note(made.note);
  const std::lock_guard lock(mutex_);
  report_.compiler = compiler()->version();
  report_.seconds += made.seconds;
  if (!made.library) return nullptr;
  ++report_.libraries;
  report_.cached += made.was_cached ? 1 : 0;
  report_.programs += programs;
  report_.operations += operations;
  return made.library;
}

std::shared_ptr<const CompiledLibrary> NativeCompiler::library_of(const std::string& source, int programs,
                                                                  long operations) {
  std::shared_ptr<Entry> entry;
  {
    const std::lock_guard lock(mutex_);
    std::shared_ptr<Entry>& kept = entries_[core::fnv1a_128(source)];
    if (!kept) kept = std::make_shared<Entry>();
    entry = kept;
  }
  std::call_once(entry->is_made, [&] { entry->library = make(source, programs, operations); });
  return entry->library;
}

template <class Compiled, class Print>
std::vector<Compiled> NativeCompiler::compile(std::span<const core::NamedProgram> programs,
                                              std::string source, const Print& print) {
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
  const std::shared_ptr<const CompiledLibrary> library =
      library_of(source, static_cast<int>(programs.size()), operations);
  if (!library) return {};
  for (std::size_t k = 0; k < out.size(); ++k) {
    out[k].call = library->function<typename Compiled::Call>(names[k]);
    out[k].code = library;
    if (out[k].call == nullptr) return {};
  }
  return out;
}

std::vector<core::CompiledFunction> NativeCompiler::compile_functions(
    std::span<const core::NamedProgram> programs) {
  return compile<core::CompiledFunction>(programs, state_source_head(), state_source);
}

std::vector<core::CompiledLanes> NativeCompiler::compile_lanes(std::span<const core::NamedProgram> programs) {
  return compile<core::CompiledLanes>(programs, lanes_source_head(), lanes_source);
}

void NativeCompiler::tell(const core::EvaluationTimes& times) {
  const std::lock_guard lock(mutex_);
  if (!report_.evaluation) report_.evaluation = times;
}

NativeCompiler::Report NativeCompiler::report() const {
  const std::lock_guard lock(mutex_);
  return report_;
}

std::string summary(const NativeCompiler::Report& report) {
  if (report.programs == 0) return "none: interpreted";
  const bool was_cached = report.cached == report.libraries;
  std::string text = fmt::format(
      "{} of {} operations, {} by {}{}", core::counted(static_cast<std::size_t>(report.programs), "function"),
      report.operations, was_cached ? "compiled before" : "compiled", report.compiler,
      was_cached ? "" : fmt::format(" in {:.2f} s", report.seconds));
  if (report.evaluation)
    text += fmt::format("; one evaluation {:.2g} µs instead of {:.2g} µs", 1e6 * report.evaluation->compiled,
                        1e6 * report.evaluation->interpreted);
  return text;
}

}  // namespace eslabon::codegen
