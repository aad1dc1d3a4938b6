// Indentation of generated text.
#include "support/text_writer.h"

namespace sinter::support {

void TextWriter::append(const std::string& text) {
  std::size_t begin = 0;
  while (begin <= text.size()) {
    std::size_t end = text.find('\n', begin);
    if (end == std::string::npos) end = text.size();
    if (end > begin) {
      text_.append(static_cast<std::size_t>(level_) * 2, ' ');
      text_.append(text, begin, end - begin);
    }
    text_ += '\n';
    begin = end + 1;
  }
}

}  // namespace sinter::support
