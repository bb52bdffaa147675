#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "eslabon/tyres/crg_surface.hpp"

namespace eslabon::io {

/// Heights of a road as a file in the text formats of OpenCRG has them [OpenCrg]: '#:LRFI', numbers of 10 characters, and '#:LDFI', of 20. Where
/// the file has no $ROAD_CRG_MODS the reference line is moved as OpenCRG says: it begins at x = y = z = 0 and goes along x first.
/// Heights that are missing are those of the nearest column towards the middle. Strict: what is not known, and what would change the road and
/// is not done here (modifiers but the place, other borders than "keep the last height", included files), is an error.
/// Throws FileError with file and line. Thread use: any number of calls at once.
tyres::CrgGrid read_crg(std::string_view text, const std::string& file_name);

/// The same from a file of at most 256 MiB.
tyres::CrgGrid read_crg_file(const std::filesystem::path& path);

}  // namespace eslabon::io
