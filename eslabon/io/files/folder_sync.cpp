#include "eslabon/io/files/folder_sync.hpp"

#include <cerrno>
#include <filesystem>

#include <fcntl.h>
#include <unistd.h>

namespace eslabon::io {

int sync_folder_of(const std::string& path) {
  const auto folder = std::filesystem::path(path).parent_path();
  const int descriptor = ::open(folder.empty() ? "." : folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
  if (descriptor < 0) return 0;
  const int error = fsync(descriptor) == 0 ? 0 : errno;
  ::close(descriptor);
  return error == EINVAL || error == ENOTSUP || error == EROFS ? 0 : error;
}

}  // namespace eslabon::io
