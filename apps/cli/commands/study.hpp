#pragma once

namespace CLI {
class App;
}

namespace eslabon::cli {

struct Presentation;

/// `eslabon study`: filters tried many times over, on true motions and readings that are drawn anew.
void add_study_command(CLI::App& app, const Presentation& presentation);

}  // namespace eslabon::cli
