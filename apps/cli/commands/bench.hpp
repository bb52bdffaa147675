#pragma once

namespace CLI {
class App;
}

namespace eslabon::cli {

struct Presentation;

/// Adds the sub-command `bench`.
void add_bench_command(CLI::App& app, const Presentation& presentation);

}  // namespace eslabon::cli
