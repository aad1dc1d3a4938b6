// One case a family.
#include "tests/support/operator_samples.h"

#include "tests/support/random_functions.h"

namespace sinter::tests {

namespace {

using ir::AttributeName;
using ir::Attributes;
using ir::Op;
using ir::Shape;
using Samples = std::vector<OperatorSample>;
using Integers = std::vector<std::int64_t>;

const std::string kNone = "none";

/// Sliding over two dimensions, with everything that can be set.
Attributes sliding(std::int64_t groups, const std::string& layout) {
  return {{AttributeName::Step, Integers{2, 1}},   {AttributeName::Dilation, Integers{1, 2}},
          {AttributeName::PadLow, Integers{1, 2}}, {AttributeName::PadHigh, Integers{0, 2}},
          {AttributeName::Variant, layout},        {AttributeName::Count, groups}};
}

Samples convolutions(DType dtype, bool transposed) {
  const Shape grouped = transposed ? Shape{4, 1, 3, 2} : Shape{2, 2, 3, 2};
  const Shape last = transposed ? Shape{4, 3, 2, 3} : Shape{3, 3, 2, 4};
  return {{{{dtype, {2, 4, 5, 4}}, {dtype, grouped}}, sliding(2, "nchw")},
          {{{dtype, {2, 5, 4, 4}}, {dtype, last}}, sliding(1, "nhwc")}};
}

Samples pools(DType dtype, Attributes more) {
  more.set(AttributeName::Axes, Integers{1, 2});
  more.set(AttributeName::Window, Integers{3, 2});
  more.set(AttributeName::PadLow, Integers{1, 0});
  more.set(AttributeName::PadHigh, Integers{1, 1});
  more.set(AttributeName::Step, Integers{2, 3});
  more.set(AttributeName::CeilMode, true);
  return {{{{dtype, {2, 6, 7}}}, more}};
}

Samples resized(DType dtype, Attributes more = {}) {
  more.set(AttributeName::Axes, Integers{0, 1});
  more.set(AttributeName::Shape, Shape{4, 11});
  return {{{{dtype, {6, 7}}}, more}};
}

Samples attentions(DType dtype) {
  const ir::Type q{dtype, {2, 4, 5, 3}};
  const ir::Type k{dtype, {2, 2, 6, 3}};
  const ir::Type v{dtype, {2, 2, 6, 4}};
  const ir::Type mask{DType::Bool, {4, 5, 6}};
  const ir::Type added{dtype, {5, 6}};
  const ir::Type slopes{ir::compute_dtype(dtype), {4}};
  const ir::Type lengths{DType::I32, {2}};
  return {
      {{q, k, v}, {}},
      {{q, k, v, mask}, {{AttributeName::Causal, true}, {AttributeName::Cap, 2.0}}},
      {{q, k, v, added}, {{AttributeName::Window, Integers{2, 1}}, {AttributeName::Scale, 0.5}}},
      {{q, k, v, mask, added, slopes, lengths, {DType::I64, {}}},
       {{AttributeName::Given, std::string("mask bias slopes key_lengths query_lengths")}}},
      {{q, k, v, slopes, lengths},
       {{AttributeName::Given, std::string("slopes key_lengths")}, {AttributeName::Causal, true}}}};
}

/// Folds with an operator that has a reduction, with one that has none, and with a Function.
Samples window_folds(DType dtype) {
  std::vector<ir::Reducer> reducers;
  for (const Op op : {Op::Add, Op::Maximum, Op::Xor}) {
    if (ir::identity_of(op, dtype)) reducers.push_back({op, nullptr, {}});
  }
  if (dtype != DType::Bool) reducers.push_back(make_largest_magnitude(dtype));
  Samples samples;
  for (const ir::Reducer& reducer : reducers) {
    samples.push_back(pools(dtype, {{AttributeName::Reducer, reducer}})[0]);
  }
  return samples;
}

Samples norms(DType dtype) {
  Samples samples;
  for (const double order : {0.0, 1.0, 2.0, 3.0}) {
    samples.push_back(
        {{{dtype, {6, 8}}}, {{AttributeName::Axes, Integers{1}}, {AttributeName::Order, order}}});
  }
  return samples;
}

Samples losses(DType dtype, std::size_t count, Attributes attributes) {
  attributes.set(AttributeName::Variant, kNone);
  return {{std::vector<ir::Type>(count, {dtype, {6, 8}}), attributes}};
}

Samples of_labels(DType dtype) {
  return {{{{dtype, {6, 8}}, {DType::I64, {6}}},
           {{AttributeName::Axis, std::int64_t{1}}, {AttributeName::Variant, kNone}}}};
}

Samples quantized(DType dtype) {
  const DType target = DType::I8;
  return {{{{dtype, {6, 8}}, {dtype, {8}}, {DType::I8, {}}},
           {{AttributeName::DType, target}, {AttributeName::Axis, std::int64_t{1}}}},
          {{{dtype, {6, 8}}, {dtype, {6, 3}}},
           {{AttributeName::DType, target},
            {AttributeName::Axis, std::int64_t{1}},
            {AttributeName::Group, std::int64_t{3}},
            {AttributeName::Bits, std::int64_t{4}}}}};
}

Samples dequantized(DType dtype) {
  Samples samples{{{{dtype, {6, 8}}, {DType::F32, {6}}},
                   {{AttributeName::DType, DType::BF16}, {AttributeName::Axis, std::int64_t{0}}}}};
  samples.push_back({{{dtype, {6, 8}}, {DType::F32, {3, 1}}, {DType::I8, {3, 8}}},
                     {{AttributeName::DType, DType::F32},
                      {AttributeName::Axis, std::int64_t{0}},
                      {AttributeName::Group, std::int64_t{2}}}});
  return samples;
}

}  // namespace

std::vector<OperatorSample> samples_of(Op op, DType dtype) {
  const ir::Type matrix{dtype, {6, 8}};
  const ir::Type images{dtype, {3, 4, 5}};
  const ir::Type channels{dtype, {4}};
  const ir::Type seed{DType::I64, {}};
  switch (op) {
    case Op::Conv: return convolutions(dtype, false);
    case Op::ConvTranspose: return convolutions(dtype, true);
    case Op::MaxPool: return pools(dtype, {});
    case Op::AvgPool:
      return {pools(dtype, {})[0], pools(dtype, {{AttributeName::IncludePad, false}})[0]};
    case Op::LpPool: return pools(dtype, {{AttributeName::Order, 2.0}});
    case Op::WindowReduce: return window_folds(dtype);
    case Op::Norm: return norms(dtype);
    case Op::GroupedMatmul: return {{{matrix, {dtype, {3, 8, 4}}, {DType::I32, {4}}}, {}}};
    case Op::AdaptiveMaxPool:
    case Op::AdaptiveAvgPool: return resized(dtype);
    case Op::Interpolate:
      return {resized(dtype, {{AttributeName::Variant, std::string("linear")}})[0],
              resized(dtype, {{AttributeName::Variant, std::string("cubic")}})[0],
              resized(dtype, {{AttributeName::Variant, std::string("cubic")},
                              {AttributeName::AlignCorners, true}})[0]};
    case Op::Attention: return attentions(dtype);
    case Op::Rope:
      return {{{matrix, {dtype, {6, 4}}, {dtype, {6, 4}}}, {}},
              {{matrix, {dtype, {4}}, {dtype, {4}}},
               {{AttributeName::Variant, std::string("interleaved")}}}};
    case Op::RopePositions:
      return {
          {{matrix, {DType::I32, {6}}}, {}},
          {{matrix, {DType::I64, {6}}},
           {{AttributeName::Base, 500.0}, {AttributeName::Variant, std::string("interleaved")}}}};
    case Op::MseLoss:
    case Op::L1Loss:
    case Op::HuberLoss:
    case Op::SmoothL1Loss:
    case Op::BceLoss:
    case Op::BceWithLogits:
    case Op::KlDiv:
    case Op::HingeLoss: return losses(dtype, 2, {});
    case Op::TripletLoss: return losses(dtype, 3, {{AttributeName::Axis, std::int64_t{1}}});
    case Op::NllLoss:
    case Op::CrossEntropy: return of_labels(dtype);
    case Op::GroupNorm:
      return {{{images, channels, channels}, {{AttributeName::Count, std::int64_t{2}}}}};
    case Op::InstanceNorm:
    case Op::BatchNormTrain: return {{{images, channels, channels}, {}}};
    case Op::BatchNorm: return {{{images, channels, channels, channels, channels}, {}}};
    case Op::RandomNormal:
    case Op::RandomUniform: return {{{{dtype, {}}, seed}, {{AttributeName::Shape, Shape{3, 5}}}}};
    case Op::Dropout: return {{{matrix, seed}, {{AttributeName::Alpha, 0.25}}}};
    case Op::FoldWindows:
      return {{{{dtype, {3, 7, 3, 2}}},
               {{AttributeName::Shape, Shape{7, 9}},
                {AttributeName::Axes, Integers{0, 1}},
                {AttributeName::Step, Integers{2, 1}},
                {AttributeName::Window, Integers{3, 2}},
                {AttributeName::Dilation, Integers{1, 2}}}}};
    case Op::GatherTranspose:
      return {{{{dtype, {6, 3}}, {DType::I64, {6, 3}}, {DType::I64, {6, 3}}},
               {{AttributeName::Shape, Shape{4, 5}}}}};
    case Op::Quantize: return quantized(dtype);
    case Op::Dequantize: return dequantized(dtype);
    case Op::Unpack4:
      return {{{{DType::U8, {6, 8}}}, {{AttributeName::Axis, std::int64_t{1}}}},
              {{{DType::U8, {6, 8}}},
               {{AttributeName::Axis, std::int64_t{0}},
                {AttributeName::Variant, std::string("unsigned")}}}};
    default: return {};
  }
}

}  // namespace sinter::tests
