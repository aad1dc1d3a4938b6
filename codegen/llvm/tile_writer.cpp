#include "codegen/llvm/tile_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "codegen/llvm/transposes.h"

namespace sinter::codegen::llvm {

TileWriter::TileWriter(ValueEmitter& emitter, const NestPlan& plan, std::int64_t ahead)
    : emitter_(emitter), plan_(plan), ahead_(ahead), width_(emitter.options().width) {}

std::string TileWriter::plus(const std::string& first, std::int64_t number) {
  if (number == 0) return first;
  return emitter_.out().assign("next", fmt::format("add i64 {}, {}", first, number));
}

bool TileWriter::is_tiled(ir::NodeId id) const { return std::ranges::count(plan_.tiled, id) > 0; }

void TileWriter::along_tile(const std::string& lane, std::int64_t number, const std::string& tile,
                            const std::function<void()>& body) {
  const ValueEmitter::Scope scope(emitter_);
  emitter_.bind_axis(*plan_.lane_axis, plus(lane, number));
  emitter_.bind_lanes(*plan_.tile_axis, tile, width_);
  body();
}

void TileWriter::write(const std::string& lane, const std::string& tile, bool is_reversed,
                       const std::function<void()>& step) {
  const LaneWriter lanes = emitter_.lanes(width_);
  std::map<ir::NodeId, std::vector<Register>> loaded, stored;
  for (const ir::NodeId id : plan_.tiled) {
    if (emitter_.kernel().node(id).op != ir::Op::Load) continue;
    std::vector<Register> rows;
    for (int r = 0; r < width_; ++r) {
      // What comes next along the lane axis lies where no hardware looks ahead.
      if (ahead_ > 0) along_tile(lane, ahead_ + r, tile, [&] { emitter_.prefetch(id); });
      along_tile(lane, r, tile, [&] { rows.push_back(emitter_.value({id, 0})); });
    }
    loaded[id] = emit_transpose(lanes, rows);
  }
  for (int number = 0; number < width_; ++number) {
    const int column = is_reversed ? width_ - 1 - number : number;
    const ValueEmitter::Scope scope(emitter_);
    emitter_.bind_axis(*plan_.tile_axis, plus(tile, column));
    emitter_.bind_lanes(*plan_.lane_axis, lane, width_);
    for (const auto& [id, columns] : loaded) {
      emitter_.preset({id, 0}, columns[static_cast<std::size_t>(column)]);
    }
    if (step) step();
    for (const ir::NodeId id : plan_.group.stores) {
      if (is_tiled(id)) {
        stored[id].push_back(emitter_.stored(id));
      } else {
        emitter_.store(id);
      }
    }
  }
  for (auto& [id, columns] : stored) {
    if (is_reversed) std::ranges::reverse(columns);
    const std::vector<Register> rows = emit_transpose(lanes, columns);
    for (int r = 0; r < width_; ++r) {
      along_tile(lane, r, tile,
                 [&, id = id] { emitter_.write(id, rows[static_cast<std::size_t>(r)]); });
    }
  }
}

}  // namespace sinter::codegen::llvm
