#pragma once

#include <string>
#include <string_view>

/// The one place where words of the user become part of HTML, XML or a script element.
namespace eslabon::report {

/// Text between tags or in an attribute in quotes, of HTML and XML: no character of it is markup. Bytes that are no UTF-8 and characters
/// that XML knows none of become U+FFFD.
std::string escaped_text(std::string_view text);

/// JSON that may stand in <script type="application/json">: '<', '>' and '&' are written as \u003c, \u003e, \u0026, which only occur in
/// strings. So nothing ends the element, and no comment begins in it.
std::string escaped_json(std::string_view json);

}  // namespace eslabon::report
