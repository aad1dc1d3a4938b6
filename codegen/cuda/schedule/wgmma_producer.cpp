// The producer warpgroup: one thread fills the ring, one for each consumer serves its staging buffers.
#include "codegen/cuda/schedule/wgmma_text.h"

namespace sinter::codegen::cuda {

using Scope = support::TextWriter::Scope;

void WgmmaText::emit_producer() {
  out_.line("if (group == 2) {{");
  out_.indent();
  out_.line("asm volatile(\"setmaxnreg.dec.sync.aligned.u32 {};\");", producer_registers());
  out_.line("if (warp == 0 && lane == 0) {{");
  {
    const Scope scope(out_);
    emit_ring_loads();
  }
  out_.line("}} else if ((warp == 1 || warp == 2) && lane == 0) {{");
  {
    const Scope scope(out_);
    emit_staging_copies();
  }
  out_.line("}}");
  out_.dedent();
  out_.line("}} else {{");
  out_.indent();
}

void WgmmaText::emit_next_stage() {
  out_.line("if (++stage == {}) {{", tiling_.stages);
  out_.line("  stage = 0;");
  out_.line("  parity ^= 1;");
  out_.line("}}");
}

void WgmmaText::emit_ring_loads() {
  out_.line("u32 stage = 0;");
  out_.line("u32 parity = 1;  // a stage that nobody has filled is empty");
  emit_tile_loop();
  out_.line("for (idx step = 0; step < steps; ++step) {{");
  {
    const Scope scope(out_);
    out_.line("const u32 a_at = ring + stage * {};", tiling_.stage_bytes);
    out_.line("const u32 b_at = a_at + {};", tiling_.a_bytes);
    out_.line("const u32 arrived = {};", barrier("full", "stage"));
    out_.line("wait({}, parity);", barrier("empty", "stage"));
    out_.line("expect_bytes(arrived, {});", tiling_.stage_bytes);
    emit_a_loads();
    emit_b_loads();
    emit_next_stage();
  }
  out_.line("}}");
  emit_loop_end();
}

void WgmmaText::emit_a_loads() {
  const auto load = [&](std::int64_t offset, const std::string& at) {
    out_.line("load_tile_{}d(a_at + {}, {}, {}, arrived, {});", a_map_.rank, offset, a_map_.name,
              at, kEvictFirst);
  };
  if (a_lines_are_k()) return load(0, a_map_.at(k0(), "row0"));
  for (std::int64_t rows = 0; rows < kWgmmaRows; rows += 64) {
    load(rows * 128, a_map_.at(fmt::format("row0 + {}", rows), k0()));
  }
}

void WgmmaText::emit_b_loads() {
  const bool shares = tiling_.cluster > 1;
  const auto load = [&](const std::string& offset, const std::string& at) {
    out_.line("{}_tile_{}d(b_at + {}, {}, {}, arrived, {}{});", shares ? "multicast" : "load",
              b_map_.rank, offset, b_map_.name, at, kEvictLast, shares ? ", 3" : "");
  };
  const std::int64_t width = b_box_columns();
  if (b_lines_are_k()) {
    return load(fmt::format("rank * {}", width * 128),
                b_map_.at(k0(), fmt::format("column0 + rank * {}", width)));
  }
  for (std::int64_t column = 0; column < width; column += 64) {
    load(fmt::format("rank * {} + {}", width * 128, column * 128),
         b_map_.at(fmt::format("column0 + rank * {} + {}", width, column), k0()));
  }
}

std::string WgmmaText::slot_index(std::int64_t slot) const {
  return fmt::format("(served * {} + {})", tiling_.slots, slot);
}

void WgmmaText::emit_addend_load(std::int64_t chunk) {
  const std::string slot = slot_index(chunk % tiling_.slots);
  out_.line("expect_bytes({}, {});", barrier("loaded", slot), kStagingBytes);
  out_.line("load_tile_{}d(staging_at + {} * {}, {}, {}, {}, {});", addend_map_.rank, kStagingBytes,
            slot, addend_map_.name, output_place(chunk, addend_map_), barrier("loaded", slot),
            kEvictFirst);
}

std::string WgmmaText::output_place(std::int64_t chunk, const MapText& map) const {
  return map.at(fmt::format("column0 + {}", chunk * tiling_.chunk_columns()), "row0 + served * 64");
}

void WgmmaText::emit_output_store(std::int64_t chunk) {
  out_.line("store_tile_{}d(staging_at + {} * {}, {}, {}, {});", output_map_.rank, kStagingBytes,
            slot_index(chunk % tiling_.slots), output_map_.name, output_place(chunk, output_map_),
            kEvictFirst);
}

void WgmmaText::emit_wait_ready(std::int64_t slot) {
  out_.line("wait({}, parity >> {} & 1);", barrier("ready", slot_index(slot)), slot);
  out_.line("parity ^= {}u;", 1 << slot);
}

void WgmmaText::emit_wait_stored() {
  out_.line("asm volatile(\"cp.async.bulk.wait_group.read 0;\" ::: \"memory\");");
}

void WgmmaText::emit_free(std::int64_t slot) {
  out_.line("arrive({});", barrier("loaded", slot_index(slot)));
}

void WgmmaText::emit_staging_copies() {
  out_.line("const u32 served = warp - 1;");
  out_.line("u32 parity = 0;  // of ready, one bit a slot");
  emit_tile_loop();
  const std::int64_t slots = tiling_.slots;
  const std::int64_t rounds = tiling_.rounds;
  if (tiling_.stages_addend) {
    for (std::int64_t slot = 0; slot < slots; ++slot) emit_addend_load(slot);
  }
  if (tiling_.keeps_addend) {
    out_.line("// Chunks behind the first ones, whose addend is in registers by now.");
    for (std::int64_t round = 1; round < rounds; ++round) {
      for (std::int64_t slot = 0; slot < slots; ++slot) {
        emit_wait_ready(slot);
        if (round > 1) {
          emit_output_store((round - 1) * slots + slot);
          emit_wait_stored();
        }
        emit_addend_load(round * slots + slot);
      }
    }
    for (std::int64_t slot = 0; slot < slots; ++slot) {
      emit_wait_ready(slot);
      emit_output_store((rounds - 1) * slots + slot);
      emit_wait_stored();
      emit_free(slot);
    }
    for (std::int64_t slot = 0; slot < slots; ++slot) {
      emit_wait_ready(slot);
      emit_output_store(slot);
    }
    emit_wait_stored();
  } else {
    for (std::int64_t round = 0; round < rounds; ++round) {
      for (std::int64_t slot = 0; slot < slots; ++slot) {
        emit_wait_ready(slot);
        emit_output_store(round * slots + slot);
      }
      emit_wait_stored();
      if (tiling_.stages_addend) continue;
      for (std::int64_t slot = 0; slot < slots; ++slot) emit_free(slot);
    }
  }
  emit_loop_end();
  out_.line("asm volatile(\"cp.async.bulk.wait_group 0;\" ::: \"memory\");");
}

}  // namespace sinter::codegen::cuda
