// The parts of a cubin's ELF that tell registers, stack and shared memory.
//
//   section            what we read
//   .nv.info           records {u8 format, u8 attribute, u16 size, payload}; those of format 4 named
//                      below have the payload {u32 symbol index, u32 value}
//   .nv.shared.<name>  its size: static shared memory, reserved bytes of the architecture included
#include "runtime/cuda/cubin.h"

#include <algorithm>
#include <cstring>
#include <map>
#include <string>

#include "support/check.h"

namespace sinter::runtime {
namespace {

constexpr std::uint8_t kFormatSized = 0x04;
constexpr std::uint8_t kAttributeFrameSize = 0x11;
constexpr std::uint8_t kAttributeMinStackSize = 0x12;
constexpr std::uint8_t kAttributeRegisterCount = 0x2f;

// Sizes and field offsets of ELF64.
constexpr std::size_t kHeaderSize = 64;
constexpr std::size_t kSectionHeaderSize = 64;
constexpr std::size_t kProgramHeaderSize = 56;
constexpr std::size_t kSymbolSize = 24;
/// sh_type of sections that take no bytes in the file.
constexpr std::uint32_t kNoBits = 8;

struct Section {
  std::uint32_t name_offset = 0;
  std::uint32_t type = 0;
  std::uint64_t offset = 0;
  std::uint64_t size = 0;
};

class Elf {
 public:
  explicit Elf(std::string_view bytes) : bytes_(bytes) {
    if (bytes.size() < kHeaderSize || bytes.substr(0, 5) != std::string_view("\x7f"
                                                                             "ELF\x02",
                                                                             5)) {
      support::throw_runtime("not a cubin: {} bytes without the head of a 64-bit ELF file",
                             bytes.size());
    }
    const auto table = read<std::uint64_t>(40);
    const auto count = read<std::uint16_t>(60);
    names_index_ = read<std::uint16_t>(62);
    for (std::uint64_t i = 0; i < count; ++i) {
      const std::uint64_t at = table + i * kSectionHeaderSize;
      sections_.push_back({read<std::uint32_t>(at), read<std::uint32_t>(at + 4),
                           read<std::uint64_t>(at + 24), read<std::uint64_t>(at + 32)});
    }
    if (names_index_ >= sections_.size()) {
      support::throw_runtime("cubin is damaged: no section {} of names", names_index_);
    }
    for (const Section& section : sections_) require_inside(section);
    // The program headers come last in NVRTC's cubins.
    const std::uint64_t program_headers = read<std::uint64_t>(32);
    const std::uint64_t program_header_count = read<std::uint16_t>(56);
    require_inside({.offset = program_headers, .size = program_header_count * kProgramHeaderSize});
  }

  const std::vector<Section>& sections() const { return sections_; }

  std::string name(const Section& section) const {
    return text(sections_[names_index_], section.name_offset);
  }

  const Section* find(const std::string& wanted) const {
    for (const Section& section : sections_) {
      if (name(section) == wanted) return &section;
    }
    return nullptr;
  }

  /// Name of symbol `index`.
  std::string symbol(std::uint32_t index) const {
    const Section* symbols = find(".symtab");
    const Section* names = find(".strtab");
    if (!symbols || !names) support::throw_runtime("cubin without a symbol table");
    return text(*names, read<std::uint32_t>(symbols->offset + index * kSymbolSize));
  }

  template <typename T>
  T read(std::uint64_t offset) const {
    if (offset > bytes_.size() || bytes_.size() - offset < sizeof(T)) {
      support::throw_runtime("cubin is cut short: {} bytes, needs byte {}", bytes_.size(), offset);
    }
    T value;
    std::memcpy(&value, bytes_.data() + offset, sizeof(T));
    return value;
  }

 private:
  void require_inside(const Section& section) const {
    const bool has_bytes = section.type != kNoBits && section.size > 0;
    if (!has_bytes) return;
    if (section.offset > bytes_.size() || section.size > bytes_.size() - section.offset) {
      support::throw_runtime("cubin is cut short: {} bytes, a section ends at {}", bytes_.size(),
                             section.offset + section.size);
    }
  }

  std::string text(const Section& table, std::uint64_t offset) const {
    const std::uint64_t begin = table.offset + offset;
    if (begin >= bytes_.size()) {
      support::throw_runtime("cubin is cut short: {} bytes, needs byte {}", bytes_.size(), begin);
    }
    const std::string_view rest = bytes_.substr(begin);
    return std::string(rest.substr(0, rest.find('\0')));
  }

  std::string_view bytes_;
  std::vector<Section> sections_;
  std::size_t names_index_ = 0;
};

using ResourcesBySymbol = std::map<std::string, EntryResources>;

void read_info(const Elf& elf, const Section& info, ResourcesBySymbol& resources) {
  const std::uint64_t end = info.offset + info.size;
  for (std::uint64_t at = info.offset; at + 4 <= end;) {
    const auto format = elf.read<std::uint8_t>(at);
    const auto attribute = elf.read<std::uint8_t>(at + 1);
    const auto size = elf.read<std::uint16_t>(at + 2);
    at += 4;
    if (format != kFormatSized) continue;
    const std::uint64_t payload = at;
    at += size;
    if (size != 8) continue;
    const auto symbol = elf.read<std::uint32_t>(payload);
    const auto value = elf.read<std::uint32_t>(payload + 4);
    if (attribute == kAttributeRegisterCount) {
      resources[elf.symbol(symbol)].registers = static_cast<int>(value);
    } else if (attribute == kAttributeFrameSize || attribute == kAttributeMinStackSize) {
      std::int64_t& local = resources[elf.symbol(symbol)].local_bytes;
      local = std::max<std::int64_t>(local, value);
    }
  }
}

}  // namespace

std::vector<EntryResources> read_cubin_resources(std::string_view cubin) {
  const Elf elf(cubin);
  ResourcesBySymbol resources;
  if (const Section* info = elf.find(".nv.info")) read_info(elf, *info, resources);

  std::vector<EntryResources> rows;
  for (auto& [symbol, row] : resources) {
    // Device functions that were not inlined have records too, but no constant bank.
    if (!elf.find(".nv.constant0." + symbol)) continue;
    row.symbol = symbol;
    if (const Section* shared = elf.find(".nv.shared." + symbol)) {
      row.shared_bytes = static_cast<std::int64_t>(shared->size);
    }
    rows.push_back(row);
  }
  return rows;
}

}  // namespace sinter::runtime
