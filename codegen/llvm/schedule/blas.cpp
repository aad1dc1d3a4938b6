// Config: width, tail_width, block (of the loops around the product), panel_rows.
#include "codegen/llvm/schedule/blas.h"

#include <algorithm>

#include "codegen/expand/expand.h"
#include "codegen/llvm/costs.h"
#include "codegen/llvm/nest_program.h"
#include "codegen/llvm/nest_writer.h"
#include "codegen/llvm/program_writer.h"
#include "codegen/llvm/schedule/blas_layout.h"

namespace sinter::codegen::llvm {

using ir::AttributeName;
using ir::IndexExpr;
using ir::Op;

namespace {

// Panels of so many bytes stay in the outer caches.
constexpr double kPanelBytes = 8 << 20;
constexpr std::int64_t kMostPanelRows = 512;
constexpr std::int64_t kFewestPanelRows = 64;
// What OpenBLAS reaches of the fma rate with large matrices, and the extents that cost it half.
constexpr double kEfficiency = 0.85;
constexpr double kHalfRows = 8, kHalfColumns = 16, kHalfSum = 16;
constexpr double kCallUs = 2;

std::optional<std::string> refuses_blas(const ir::Kernel& kernel, const Target& target) {
  if (target.backend != Backend::Cpu) return "it is for the CPU";
  if (kernel.mode() == ir::Mode::Strict) return "strict mode fixes the order of sums";
  std::string why_not;
  const auto product = match_matrix_product(kernel, why_not);
  if (!product) return why_not;
  const ir::DType dtype = kernel.node(product->contract).results[0];
  if (dtype != ir::DType::F32 && dtype != ir::DType::F64) {
    return "its contraction is neither in f32 nor in f64";
  }
  return std::nullopt;
}

MatrixProduct product_of(const ir::Kernel& kernel) {
  std::string why_not;
  return match_matrix_product(kernel, why_not).value();
}

double predict_us(const ir::Kernel& kernel, const ir::Facts& facts, const Target& target,
                  const Sizes& sizes) {
  const MatrixProduct product = product_of(kernel);
  const double batch = count_points(kernel, product.batch, sizes);
  const double m = count_points(kernel, product.m, sizes);
  const double n = count_points(kernel, product.n, sizes);
  const double k = count_points(kernel, product.k, sizes);
  const double efficiency =
      kEfficiency * m / (m + kHalfRows) * n / (n + kHalfColumns) * k / (k + kHalfSum);
  const double panels = std::max(1.0, batch * m / 16);
  const double units = std::min<double>(target.units, panels);
  const double rate = target.fma_gflop_per_s * 1e3 * efficiency * units / target.units;
  double moved = traffic_bytes(kernel, sizes);
  const auto pack = [&](ir::Value value, const auto& rows, const auto& columns, double elements) {
    if (!match_layout(kernel, facts, product, value, rows, columns)) moved += 8 * elements;
  };
  pack(product.a, product.m, product.k, batch * m * k);
  pack(product.b, product.k, product.n, batch * n * k);
  const double memory_us = moved / (std::max(target.memory_gb_per_s, 1.0) * 1e3);
  // The product itself streams from memory too, but for that it is not slowed down.
  return 2 * batch * m * n * k / rate + 0.5 * memory_us + batch * kCallUs + target.launch_us;
}

std::int64_t choose_panel_rows(const ir::Kernel& kernel, const Sizes& sizes) {
  const MatrixProduct product = product_of(kernel);
  const double row =
      8 * std::max(count_points(kernel, product.n, sizes), count_points(kernel, product.k, sizes));
  const auto rows = static_cast<std::int64_t>(kPanelBytes / std::max(row, 1.0)) / 16 * 16;
  return std::clamp(rows, kFewestPanelRows, kMostPanelRows);
}

std::vector<Candidate> candidates_blas(const ir::Kernel& kernel, const ir::Facts& facts,
                                       const Target& target, const Sizes& sizes) {
  const int native = native_lanes(kernel, target);
  Config config;
  config.schedule = "blas";
  config.values = {{"width", 2 * native},
                   {"tail_width", 1},
                   {"block", 512},
                   {"panel_rows", choose_panel_rows(kernel, sizes)}};
  return {{config, predict_us(kernel, facts, target, sizes)}};
}

/// Node ids stay; the contraction becomes a load of the product from `param`.
ir::Kernel replace_contract(const ir::Kernel& kernel, const MatrixProduct& product,
                            std::int64_t& param) {
  ir::Kernel changed(kernel.name(), kernel.mode());
  for (const ir::Axis& axis : kernel.axes()) changed.add_axis(axis.name, axis.extent);
  for (const ir::KernelParam& tensor : kernel.params()) changed.add_param(tensor);
  const ir::Shape shape = {extent_of(kernel, product.rows()), extent_of(kernel, product.n)};
  param = changed.add_param({"product.c", kernel.node(product.contract).results[0], shape});
  for (ir::NodeId id = 0; id < kernel.nodes().size(); ++id) {
    const ir::KernelNode& node = kernel.node(id);
    if (id == product.contract) {
      changed.load(param, {flat_index(kernel, product.rows()), flat_index(kernel, product.n)});
    } else {
      changed.add(node.op, node.operands, node.attributes, node.location);
    }
  }
  return changed;
}

/// True where the epilogue reads tensors: one of them may be the output's own memory, so that the
/// product must not be written there first.
bool has_loads(const ir::Kernel& epilogue, std::int64_t product_param) {
  for (const ir::NodeId id : needed_nodes(epilogue, epilogue.stores())) {
    const ir::KernelNode& node = epilogue.node(id);
    if (node.op != Op::Load) continue;
    if (node.attributes.get<std::int64_t>(AttributeName::Param) != product_param) return true;
  }
  return false;
}

class BlasProgram {
 public:
  BlasProgram(const ir::Kernel& kernel, const ir::Facts& facts, const Config& config,
              const Target& target)
      : kernel_(kernel),
        facts_(facts),
        config_(config),
        product_(product_of(kernel)),
        program_(kernel, config) {
    options_ = {has_f16c(target), static_cast<int>(config.at("width")),
                static_cast<int>(config.at("tail_width"))};
  }

  Program write() {
    recipe_.dtype = to_string(dtype());
    recipe_.batch = extent_of(kernel_, product_.batch);
    recipe_.m = extent_of(kernel_, product_.m);
    recipe_.n = extent_of(kernel_, product_.n);
    recipe_.k = extent_of(kernel_, product_.k);
    recipe_.panel_rows = config_.at("panel_rows");
    choose_a();
    choose_b();
    choose_c();
    Entry entry;
    entry.symbol = program_.symbol("product");
    entry.kind = EntryKind::Blas;
    entry.blas = recipe_;
    program_.add_entry(std::move(entry));
    // The library may add in any order: at most a rounding for each product and for each addition.
    program_.add_chain(product_.contract, recipe_.k);
    return program_.finish();
  }

 private:
  ir::DType dtype() const { return kernel_.node(product_.contract).results[0]; }

  std::string param_name(std::int64_t param) const {
    return kernel_.params()[static_cast<std::size_t>(param)].name;
  }

  void choose_a() {
    if (const auto layout =
            match_layout(kernel_, facts_, product_, product_.a, product_.m, product_.k)) {
      recipe_.a = param_name(layout->param);
      recipe_.a_batch_stride = layout->strides.batch;
      recipe_.a_row_stride = layout->strides.row;
      recipe_.a_col_stride = layout->strides.column;
      return;
    }
    recipe_.a_row_stride = recipe_.k;
    recipe_.a_col_stride = 1;
    recipe_.convert_a = program_.symbol("convert_a");
    NestPlan plan;
    plan.parallel = product_.rows();
    plan.inner = product_.k;
    plan.lane_axis = product_.k.back();
    write_conversion(recipe_.convert_a, product_.a, product_.rows(), product_.k, kPanelA, plan);
  }

  void choose_b() {
    if (const auto layout =
            match_layout(kernel_, facts_, product_, product_.b, product_.k, product_.n)) {
      recipe_.b = param_name(layout->param);
      recipe_.b_batch_stride = layout->strides.batch;
      recipe_.b_row_stride = layout->strides.row;
      recipe_.b_col_stride = layout->strides.column;
      return;
    }
    std::vector<ir::AxisId> rows = product_.k;
    const bool is_shared = std::ranges::none_of(product_.batch, [&](ir::AxisId axis) {
      return std::ranges::binary_search(kernel_.domain(product_.b), axis);
    });
    if (!is_shared) rows.insert(rows.begin(), product_.batch.begin(), product_.batch.end());
    recipe_.b = "converted.b";
    recipe_.b_batch_stride = is_shared ? IndexExpr(0) : recipe_.k * recipe_.n;
    recipe_.b_row_stride = recipe_.n;
    recipe_.b_col_stride = 1;
    recipe_.convert_b = program_.symbol("convert_b");
    NestPlan plan;
    plan.parallel = rows;
    plan.inner = product_.n;
    plan.lane_axis = product_.n.back();
    const IndexExpr size = extent_of(kernel_, rows) * recipe_.n;
    program_.add_workspace({recipe_.b, size * static_cast<std::int64_t>(size_bytes(dtype()))});
    write_conversion(recipe_.convert_b, product_.b, rows, product_.n, recipe_.b, plan);
  }

  /// Writes the operand as a dense matrix [rows, columns] of the product's type into `workspace`.
  void write_conversion(const std::string& symbol, ir::Value operand,
                        const std::vector<ir::AxisId>& rows, const std::vector<ir::AxisId>& columns,
                        const std::string& workspace, NestPlan plan) {
    ir::Kernel kernel = kernel_;
    const ir::Shape shape = {extent_of(kernel, rows), extent_of(kernel, columns)};
    const auto param = kernel.add_param({"converted.matrix", dtype(), shape, ir::ParamRole::Out});
    ir::Value value = operand;
    if (kernel.dtype(value) != dtype()) {
      value = kernel.add(Op::Cast, {value}, {{AttributeName::DType, dtype()}});
    }
    kernel.store(value, param, {flat_index(kernel, rows), flat_index(kernel, columns)});
    write_nest(kernel, param, {ArgumentKind::Workspace, workspace}, symbol, std::move(plan),
               {static_cast<ir::NodeId>(kernel.nodes().size()) - 1});
  }

  void choose_c() {
    std::int64_t param = 0;
    const ir::Kernel epilogue = replace_contract(kernel_, product_, param);
    const auto output = match_dense_output(kernel_, facts_, product_);
    const bool is_in_place = output && !has_loads(epilogue, param);
    if (is_in_place) recipe_.c = param_name(*output);
    const std::vector<ir::NodeId> stores = kernel_.stores();
    const bool is_plain = is_in_place && stores.size() == 1 &&
                          kernel_.node(stores[0]).operands[0] == ir::Value{product_.contract, 0};
    if (is_plain) return;
    recipe_.epilogue = program_.symbol("epilogue");
    NestPlan plan;
    plan.parallel = product_.rows();
    plan.inner = product_.n;
    plan.lane_axis = product_.n.back();
    const Argument place = is_in_place ? Argument{ArgumentKind::Pointer, recipe_.c}
                                       : Argument{ArgumentKind::Workspace, kPanelC};
    write_nest(epilogue, param, place, recipe_.epilogue, std::move(plan), stores);
  }

  /// One nest whose dense matrix `param` lies at `place`.
  void write_nest(const ir::Kernel& kernel, std::int64_t param, const Argument& place,
                  const std::string& symbol, NestPlan plan, std::vector<ir::NodeId> stores) {
    ir::Facts facts = facts_;
    facts.add(ir::Fact::contiguous(kernel.params()[static_cast<std::size_t>(param)].name));
    plan.group.stores = std::move(stores);
    plan.group.domain = kernel.node(plan.group.stores[0]).domain;
    plan.group.needed = needed_nodes(kernel, plan.group.stores);
    FunctionWriter out(symbol);
    ValueEmitter emitter(out, kernel, facts, options_);
    emitter.redirect(param, place);
    write_items(emitter, plan);
    program_.add_parallel(out, item_count(kernel, plan), 1, false);
  }

  const ir::Kernel& kernel_;
  const ir::Facts& facts_;
  const Config& config_;
  MatrixProduct product_;
  ProgramWriter program_;
  EmitterOptions options_;
  BlasRecipe recipe_;
};

Program emit_blas(const ir::Kernel& kernel, const ir::Facts& facts, const Config& config,
                  const Target& target) {
  const ir::Kernel expanded = expand_elementary(kernel);
  return BlasProgram(expanded, facts, config, target).write();
}

}  // namespace

const Schedule kBlasSchedule = {"blas", refuses_blas, layout_classes, candidates_blas, emit_blas};

}  // namespace sinter::codegen::llvm
