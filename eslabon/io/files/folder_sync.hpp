#pragma once

#include <string>

namespace eslabon::io {

/// Brings the names in the folder of this file to the disk: the name of a new file outlives a failure of the power only then. What the system
/// said when it could not, or 0; a folder that cannot be read or synced counts as done, because there is no other way.
int sync_folder_of(const std::string& path);

}  // namespace eslabon::io
