#pragma once

#include <functional>

/// Evaluates so often. Callgrind collects inside this function alone: its option --toggle-collect=eslabon_counted names it.
extern "C" void eslabon_counted(const std::function<void()>& evaluate, long count);
