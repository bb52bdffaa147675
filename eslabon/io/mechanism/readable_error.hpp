#pragma once

#include "eslabon/core/text/error.hpp"

namespace eslabon::io {

/// The same error, fit to be printed whatever the file quoted in it holds: every part on one line, of whole
/// characters, and no longer than people read.
core::ModelError readable(const core::ModelError& error);
core::ErrorText readable(const core::ErrorText& text);

}  // namespace eslabon::io
