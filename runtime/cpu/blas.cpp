// Panels: rows of one batch entry. A thread keeps its panel buffers from call to call.
#include "runtime/cpu/blas.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <memory>
#include <mutex>

#include "runtime/cpu/memory.h"
#include "support/check.h"

namespace sinter::runtime {

namespace {

// With so many rows a thread, panels of rows are worth more than blocks of columns.
constexpr std::int64_t kFewRows = 32;

/// While one lives, OpenBLAS runs each call on the thread that makes it.
class SingleThreadedBlas {
 public:
  explicit SingleThreadedBlas(const SinterCpuJitApi& jit) : jit_(jit) {
    const std::lock_guard lock(mutex_);
    if (users_++ == 0) former_ = jit_.set_blas_threads(1);
  }
  ~SingleThreadedBlas() {
    const std::lock_guard lock(mutex_);
    if (--users_ == 0) jit_.set_blas_threads(former_);
  }
  SingleThreadedBlas(const SingleThreadedBlas&) = delete;
  SingleThreadedBlas& operator=(const SingleThreadedBlas&) = delete;

 private:
  static inline std::mutex mutex_;
  static inline int users_ = 0;
  static inline int former_ = 1;
  const SinterCpuJitApi& jit_;
};

/// Memory of a thread that grows and stays.
class PanelBuffer {
 public:
  std::uint64_t reserve(std::size_t size_bytes) {
    if (size_bytes > size_bytes_) {
      memory_.reset(allocate_host(size_bytes));
      size_bytes_ = size_bytes;
    }
    return reinterpret_cast<std::uint64_t>(memory_.get());
  }

 private:
  struct Free {
    void operator()(void* memory) const { free_host(memory); }
  };
  std::unique_ptr<void, Free> memory_;
  std::size_t size_bytes_ = 0;
};

PanelBuffer& panel_buffer(bool is_a) {
  thread_local PanelBuffer buffers[2];
  return buffers[is_a ? 0 : 1];
}

/// One operand as BLAS wants it.
struct Operand {
  std::uint64_t address = 0;
  std::int64_t batch_stride = 0, row_stride = 0, column_stride = 0;
  bool is_transposed = false;
  int leading = 1;
};

int to_blas_integer(std::int64_t number) {
  if (number > std::numeric_limits<int>::max()) {
    support::throw_runtime("a matrix product of extent or stride {} is too large for OpenBLAS",
                           number);
  }
  return static_cast<int>(number);
}

/// Rows and columns of one step apart: either may be the dense direction.
void choose_order(Operand& operand, std::int64_t rows, std::int64_t columns) {
  const bool is_row_major = operand.column_stride == 1 || columns <= 1;
  operand.is_transposed = !is_row_major;
  support::check(is_row_major || operand.row_stride == 1 || rows <= 1,
                 "a BLAS operand has strides {} and {}", operand.row_stride, operand.column_stride);
  const std::int64_t dense = is_row_major ? columns : rows;
  const std::int64_t stride = is_row_major ? operand.row_stride : operand.column_stride;
  const bool is_single = (is_row_major ? rows : columns) <= 1;
  operand.leading = to_blas_integer(std::max<std::int64_t>({1, dense, is_single ? 0 : stride}));
}

class BlasRun {
 public:
  BlasRun(const BlasStep& step, const CallArguments& call, const SinterCpuJitApi& jit,
          ThreadPool& pool)
      : step_(step), call_(call), jit_(jit), pool_(pool) {
    batch_ = step.batch.evaluate(call.sizes);
    m_ = step.m.evaluate(call.sizes);
    n_ = step.n.evaluate(call.sizes);
    k_ = step.k.evaluate(call.sizes);
    element_bytes_ = step.is_f64 ? 8 : 4;
    a_ = operand(step.a);
    b_ = operand(step.b);
    choose_order(a_, m_, k_);
    choose_order(b_, k_, n_);
  }

  void run() {
    if (batch_ == 0 || m_ == 0 || n_ == 0) return;
    const SingleThreadedBlas single(jit_);
    if (step_.convert_b) run_parallel(*step_.convert_b, call_, pool_);
    const std::int64_t rows = std::min(step_.panel_rows, m_);
    const std::int64_t panels = (m_ + rows - 1) / rows * batch_;
    if (panels >= pool_.threads() || batch_ * m_ >= kFewRows * pool_.threads()) {
      run_panels();
    } else {
      run_columns(panels);
    }
  }

 private:
  Operand operand(const BlasOperand& bound) const {
    Operand operand;
    if (bound.place) operand.address = slot_value(*bound.place, call_);
    operand.batch_stride = bound.batch_stride.evaluate(call_.sizes);
    operand.row_stride = bound.row_stride.evaluate(call_.sizes);
    operand.column_stride = bound.column_stride.evaluate(call_.sizes);
    return operand;
  }

  bool has_panel_a() const { return !step_.a.place; }
  bool has_panel_c() const { return !step_.c.place; }

  std::uint64_t bytes(std::int64_t elements) const {
    return static_cast<std::uint64_t>(elements * element_bytes_);
  }

  /// One task a panel: conversion, product and epilogue while it is in cache.
  void run_panels() {
    // Fewer rows a panel where there would be no panel for every thread.
    const std::int64_t share = (batch_ * m_ + pool_.threads() - 1) / pool_.threads();
    const std::int64_t rows = std::min(step_.panel_rows, (share + 15) / 16 * 16);
    const std::int64_t panels = (m_ + rows - 1) / rows;
    pool_.parallel_for(panels * batch_, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t first = i % panels * rows;
        run_panel(i / panels, first, std::min(first + rows, m_));
      }
    });
  }

  /// Few rows: threads share the columns of each batch entry instead, step by step.
  void run_columns(std::int64_t panels) {
    const std::int64_t shares = (pool_.threads() + panels - 1) / panels;
    const std::int64_t columns = ((n_ + shares - 1) / shares + 63) / 64 * 64;
    const std::int64_t blocks = (n_ + columns - 1) / columns;
    const std::int64_t all = batch_ * m_;
    PanelAddresses panels_at;
    std::uint64_t a = a_.address;
    std::int64_t a_batch_stride = a_.batch_stride;
    if (has_panel_a()) {
      a = panel_buffer(true).reserve(bytes(all * k_));
      a_batch_stride = m_ * k_;
      panels_at.a = a;
      run_rows(*step_.convert_a, panels_at, all);
    }
    const std::uint64_t c = has_panel_c() ? panel_buffer(false).reserve(bytes(all * n_))
                                          : slot_value(*step_.c.place, call_);
    pool_.parallel_for(batch_ * blocks, 1, [&](std::int64_t begin, std::int64_t end) {
      for (std::int64_t i = begin; i < end; ++i) {
        const std::int64_t batch = i / blocks;
        const std::int64_t first = i % blocks * columns;
        const std::int64_t b = batch * b_.batch_stride + first * b_.column_stride;
        multiply(a + bytes(batch * a_batch_stride), b_.address + bytes(b),
                 c + bytes(batch * m_ * n_ + first), m_, std::min(columns, n_ - first));
      }
    });
    panels_at.c = c;
    if (step_.epilogue) run_rows(*step_.epilogue, panels_at, all);
  }

  /// The entry over all rows, on all threads.
  void run_rows(const CpuEntry& entry, const PanelAddresses& panels, std::int64_t rows) {
    pool_.parallel_for(rows, 1, [&](std::int64_t begin, std::int64_t end) {
      run_entry(entry, panels, begin, end);
    });
  }

  /// Rows [begin, end) of one batch entry.
  void run_panel(std::int64_t batch, std::int64_t begin, std::int64_t end) {
    const std::int64_t first = batch * m_ + begin;
    PanelAddresses panels;
    std::uint64_t a = a_.address + bytes(batch * a_.batch_stride + begin * a_.row_stride);
    if (has_panel_a()) {
      a = panel_buffer(true).reserve(bytes((end - begin) * k_));
      // The entry counts rows from the first of all.
      panels.a = a - bytes(first * k_);
      run_entry(*step_.convert_a, panels, first, first + end - begin);
    }
    const std::uint64_t c = has_panel_c() ? panel_buffer(false).reserve(bytes((end - begin) * n_))
                                          : slot_value(*step_.c.place, call_) + bytes(first * n_);
    multiply(a, b_.address + bytes(batch * b_.batch_stride), c, end - begin, n_);
    if (!step_.epilogue) return;
    panels.c = c - bytes(first * n_);
    run_entry(*step_.epilogue, panels, first, first + end - begin);
  }

  void run_entry(const CpuEntry& entry, const PanelAddresses& panels, std::int64_t begin,
                 std::int64_t end) const {
    SlotBuffer slots;
    fill_slots(entry.slots, call_, slots, panels);
    entry.function(slots.data(), begin, end);
  }

  /// `rows` rows and `columns` columns of C, whose lines are n apart.
  void multiply(std::uint64_t a, std::uint64_t b, std::uint64_t c, std::int64_t rows,
                std::int64_t columns) const {
    if (k_ == 0) {
      for (std::int64_t row = 0; row < rows; ++row) {
        std::memset(reinterpret_cast<void*>(c + bytes(row * n_)), 0, bytes(columns));
      }
      return;
    }
    const auto call_gemm = [&](auto gemm, auto element) {
      using Element = decltype(element);
      gemm(a_.is_transposed, b_.is_transposed, to_blas_integer(rows), to_blas_integer(columns),
           to_blas_integer(k_), reinterpret_cast<const Element*>(a), a_.leading,
           reinterpret_cast<const Element*>(b), b_.leading, reinterpret_cast<Element*>(c),
           to_blas_integer(n_));
    };
    if (step_.is_f64) {
      call_gemm(jit_.dgemm, double{});
    } else {
      call_gemm(jit_.sgemm, float{});
    }
  }

  const BlasStep& step_;
  const CallArguments& call_;
  const SinterCpuJitApi& jit_;
  ThreadPool& pool_;
  std::int64_t batch_ = 0, m_ = 0, n_ = 0, k_ = 0;
  std::int64_t element_bytes_ = 4;
  Operand a_, b_;
};

}  // namespace

BlasStep make_blas_step(const codegen::Entry& entry, const SlotFinder& finder,
                        const std::map<std::string, CpuEntry>& entries) {
  const codegen::BlasRecipe& recipe = entry.blas;
  const auto place = [&](const std::string& name) {
    return name.empty() ? std::nullopt : std::optional(finder.find_address(entry.symbol, name));
  };
  const auto called = [&](const std::string& symbol) {
    return symbol.empty() ? nullptr : &entries.at(symbol);
  };
  BlasStep step;
  step.a = {place(recipe.a), finder.flatten(recipe.a_batch_stride),
            finder.flatten(recipe.a_row_stride), finder.flatten(recipe.a_col_stride)};
  step.b = {place(recipe.b), finder.flatten(recipe.b_batch_stride),
            finder.flatten(recipe.b_row_stride), finder.flatten(recipe.b_col_stride)};
  step.c.place = place(recipe.c);
  step.batch = finder.flatten(recipe.batch);
  step.m = finder.flatten(recipe.m);
  step.n = finder.flatten(recipe.n);
  step.k = finder.flatten(recipe.k);
  step.panel_rows = recipe.panel_rows;
  step.is_f64 = recipe.dtype == "f64";
  step.convert_a = called(recipe.convert_a);
  step.convert_b = called(recipe.convert_b);
  step.epilogue = called(recipe.epilogue);
  return step;
}

void run_blas(const BlasStep& step, const CallArguments& call, const SinterCpuJitApi& jit,
              ThreadPool& pool) {
  BlasRun(step, call, jit, pool).run();
}

}  // namespace sinter::runtime
