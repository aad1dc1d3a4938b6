// Writes a square of lane axis by tile axis: what is dense along the tile axis is loaded and stored along it,
// one vector a lane, and transposed in registers.
#pragma once

#include <functional>
#include <string>

#include "codegen/llvm/store_groups.h"
#include "codegen/llvm/value_emitter.h"

namespace sinter::codegen::llvm {

class TileWriter {
 public:
  /// The plan has a tile axis. `ahead`: what lies so many lanes ahead is prefetched; 0: nothing.
  TileWriter(ValueEmitter& emitter, const NestPlan& plan, std::int64_t ahead = 0);

  /// The stores of elements [lane, lane + width) x [tile, tile + width). Elements of the tile axis come one after
  /// the other, from the last where it is reversed; `step` runs for each, its axes bound.
  void write(const std::string& lane, const std::string& tile, bool is_reversed = false,
             const std::function<void()>& step = {});

 private:
  std::string plus(const std::string& first, std::int64_t number);
  /// Runs `body` with lanes along the tile axis, the lane axis at `lane` + `number`.
  void along_tile(const std::string& lane, std::int64_t number, const std::string& tile,
                  const std::function<void()>& body);
  bool is_tiled(ir::NodeId id) const;

  ValueEmitter& emitter_;
  const NestPlan& plan_;
  std::int64_t ahead_;
  int width_;
};

}  // namespace sinter::codegen::llvm
