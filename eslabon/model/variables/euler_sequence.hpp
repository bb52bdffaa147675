#pragma once

#include <array>
#include <string_view>

namespace eslabon::model {

/// The twelve sequences of turns about axes that go with the body: "zyx" is about z, then about the new y, then about the new x.
inline constexpr std::array<std::string_view, 12> kEulerSequences{"xyz", "yzx", "zxy", "xzy", "zyx", "yxz",
                                                                  "xyx", "yzy", "zxz", "xzx", "zyz", "yxy"};

}  // namespace eslabon::model
