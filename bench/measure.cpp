#include "bench/measure.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "bench/operator_bench.h"
#include "bench/peers/cublas_lt.h"
#include "runtime/profile/statistics.h"
#include "support/check.h"

namespace sinter::bench {

namespace {

using runtime::Cache;
using runtime::Contender;

CaseResult describe(const Case& one) {
  CaseResult result;
  result.suite = one.suite;
  result.name = one.name;
  result.point = one.point;
  return result;
}

/// The fastest of its algorithms, found in a pass of its own.
Contender best_cublas_lt(runtime::DeviceImpl& device, const std::shared_ptr<CublasLtProduct>& peer,
                         const OperatorBench& bench, bool adds_c) {
  const RotatingBuffers& buffers = bench.buffers();
  const std::string name =
      fmt::format("cuBLASLt{}, best of {}", adds_c ? " + residual" : "", peer->algorithms());
  std::vector<Contender> algorithms;
  for (std::size_t a = 0; a < peer->algorithms(); ++a) {
    const auto launch = [&buffers, peer, a, adds_c](runtime::StreamHandle stream,
                                                    std::int64_t turn) {
      const void* c = adds_c ? buffers.at(turn, "r") : nullptr;
      peer->launch(stream, a,
                   {buffers.at(turn, "x"), buffers.at(turn, "w"), c, buffers.at(turn, "out0")});
    };
    algorithms.push_back({name, launch, buffers.sets()});
  }
  return pick_fastest(device, std::move(algorithms), Cache::BackToBack);
}

Contender product_peer(runtime::DeviceImpl& device, const ProductPeer& product,
                       const OperatorBench& bench, bool adds_c) {
  const ProductShape shape{product.m, product.n, product.k, bench.input_dtype(), adds_c};
  const auto peer = std::make_shared<CublasLtProduct>(device, shape);
  if (peer->algorithms() == 0) support::throw_runtime("cuBLASLt offers no algorithm");
  Contender contender = best_cublas_lt(device, peer, bench, adds_c);
  // What computes less than the operator has another output.
  const bool is_same = !product.is_part && adds_c == product.adds_residual;
  if (is_same) contender.verification = bench.verify_peer();
  if (!is_same) contender.name += ", bare product";
  return contender;
}

/// Why one is missing; empty where none is.
std::string add_product_peers(runtime::DeviceImpl& device, const ProductPeer& product,
                              const OperatorBench& bench, std::vector<Contender>& contenders) {
  try {
    for (const bool adds_c : {false, true}) {
      if (adds_c && !product.adds_residual) continue;
      contenders.push_back(product_peer(device, product, bench, adds_c));
    }
    return {};
  } catch (const RuntimeError& error) {
    return error.what();
  }
}

ModeResult describe(const runtime::TimingRun& run, runtime::Cache cache, const Session& session) {
  return {cache, run.warm_up_ms, run.has_settled, session.has_settled(), {}};
}

CaseResult measure_kernel(const Case& one, const MeasureOptions& options, Session& session) {
  const Device& device = session.device();
  const OperatorBench bench(session.executable(one), session.pool(),
                            {.family = one.family, .most_visits = session.pace().most_visits});
  CaseResult result = describe(one);
  result.description = bench.description();
  result.flops = bench.work().flops;
  result.ideal_bytes = bench.work().ideal_bytes;
  result.is_rate_bytes = one.has_copy_peer;
  std::vector<Contender> contenders = {bench.whole()};
  for (Contender& config : bench.configs(options.configs)) contenders.push_back(std::move(config));
  const std::size_t own = contenders.size();
  std::optional<std::size_t> copy;
  if (one.product) {
    result.missing = add_product_peers(device.impl(), *one.product, bench, contenders);
  }
  if (one.has_copy_peer) {
    copy = contenders.size();
    contenders.push_back(session.copies().make(bench.work().bytes_read, bench.work().bytes_written,
                                               bench.buffers().sets(), Cache::BackToBack));
  }
  for (const Cache cache : {Cache::Cold, Cache::BackToBack}) {
    const runtime::TimingRun run =
        session.time(contenders, cache, options.budget_ms.value_or(session.pace().budget_ms));
    ModeResult mode = describe(run, cache, session);
    for (std::size_t c = 0; c < contenders.size(); ++c) {
      Figure figure = {.timing = run.timings[c], .is_peer = c >= own};
      if (!figure.is_peer)
        figure.share = find_share(run, c, copy, bench.work(), session.ceilings());
      figure.to_sinter = ratio_of_times(run, c, 0);
      mode.figures.push_back(std::move(figure));
    }
    result.modes.push_back(std::move(mode));
  }
  result.compared_elements = bench.compared_elements();
  return result;
}

CaseResult measure_layouts(const Case& one, const MeasureOptions& options, Session& session) {
  const Executable executable = session.executable(one);
  std::vector<std::unique_ptr<OperatorBench>> benches;
  std::vector<Contender> contenders;
  for (const Layout layout : all_layouts()) {
    const OperatorBench::Options of_layout = {
        .family = one.family, .layout = layout, .most_visits = session.pace().most_visits};
    benches.push_back(std::make_unique<OperatorBench>(executable, session.pool(), of_layout));
    contenders.push_back(benches.back()->whole());
    contenders.back().name = to_string(layout);
  }
  CaseResult result = describe(one);
  result.compares_layouts = true;
  result.description = benches.front()->description();
  result.flops = benches.front()->work().flops;
  result.ideal_bytes = benches.front()->work().ideal_bytes;
  result.is_rate_bytes = true;
  for (const Cache cache : {Cache::Cold, Cache::BackToBack}) {
    const runtime::TimingRun run =
        session.time(contenders, cache, options.budget_ms.value_or(session.pace().budget_ms));
    ModeResult mode = describe(run, cache, session);
    for (std::size_t c = 0; c < contenders.size(); ++c) {
      mode.figures.push_back({.timing = run.timings[c], .to_sinter = ratio_of_times(run, c, 0)});
    }
    result.modes.push_back(std::move(mode));
  }
  for (const auto& bench : benches) result.compared_elements += bench->compared_elements();
  return result;
}

/// Two timings of one kernel differ falsely where their medians are farther apart than half of both intervals.
CaseResult measure_against_itself(const Case& one, Session& session) {
  constexpr int kRuns = 5;
  const Device& device = session.device();
  const OperatorBench bench(session.executable(one), session.pool(), {.family = one.family});
  CaseResult result = describe(one);
  result.description = bench.description();
  const Contender contender = bench.whole();
  for (int round = 0; round < kRuns; ++round) {
    runtime::TimingOptions options;
    options.budget_ms = 400;
    if (round > 0) options.warm_up = {.least_ms = 50, .most_ms = 50};
    const runtime::TimingRun run = time_interleaved(device.impl(), {contender, contender}, options);
    const runtime::Timing& a = run.timings[0];
    const runtime::Timing& b = run.timings[1];
    const double allowed = (a.high_us - a.low_us + b.high_us - b.low_us) / 2;
    ++result.comparisons;
    if (std::abs(a.median_us - b.median_us) > allowed) ++result.false_differences;
    ModeResult mode = describe(run, Cache::Cold, session);
    for (std::size_t c = 0; c < 2; ++c) {
      mode.figures.push_back({.timing = run.timings[c], .to_sinter = ratio_of_times(run, c, 0)});
    }
    result.modes.push_back(std::move(mode));
  }
  return result;
}

CaseResult measure_launch(const Device& device, const Case& one) {
  constexpr int kRounds = 15;
  // A GPU's queue holds a thousand launches: a host that fills it waits for the GPU.
  const int calls = device.kind() == DeviceKind::Cpu ? 20000 : 200;
  CompileOptions options;
  options.fuse = one.fuse;
  const Executable op = compile_text(one.graph, device, options);
  const Stream stream = device.make_stream();
  std::vector<Buffer> buffers;
  std::vector<TensorView> views;
  for (int tensor = 0; tensor < 3; ++tensor) {
    buffers.push_back(device.allocate(2 * 8 * sizeof(float)));
    const std::vector<float> values(2 * 8, static_cast<float>(tensor));
    buffers.back().copy_in(values.data(), values.size() * sizeof(float));
    views.push_back(buffers.back().view(DType::F32, {2, 8}));
  }
  std::vector<double> times_ns;
  for (int round = 0; round < kRounds; ++round) {
    const auto start = std::chrono::steady_clock::now();
    for (int call = 0; call < calls; ++call) {
      op.run(stream, std::span(views).first(2), std::span(views).last(1));
    }
    const auto stop = std::chrono::steady_clock::now();
    stream.synchronize();
    times_ns.push_back(std::chrono::duration<double, std::nano>(stop - start).count() / calls);
  }
  CaseResult result = describe(one);
  result.description = device.id();
  const runtime::Quantiles quantiles = runtime::quantiles_of(std::move(times_ns));
  result.call_ns = quantiles.median;
  result.fastest_call_ns = quantiles.least;
  return result;
}

}  // namespace

CaseResult measure(const Case& one, const MeasureOptions& options, Session& session) {
  switch (one.method) {
    case Method::Kernel: return measure_kernel(one, options, session);
    case Method::Layouts: return measure_layouts(one, options, session);
    case Method::SelfCompare: return measure_against_itself(one, session);
    case Method::Launch: return measure_launch(session.device(), one);
  }
  return {};
}

}  // namespace sinter::bench
