// Mistakes in a call of a compiled operator: the whole message each, naming the tensor and what was
// given and is needed.
#include <doctest/doctest.h>

#include "sinter/sinter.h"

using namespace sinter;

namespace {

const char* const kText = R"(graph shift(%x: f32[n, 4], %y: f32[n, 4], %a: f32 {host: true}) {
  %0: f32[n, 4] = broadcast(%a) {shape: [n, 4]}
  %1: f32[n, 4] = add(%x, %0)
  %2: f32[n, 4] = add(%1, %y)
  %3: f32[n] = sum(%2) {axes: [1]}
  return %2, %3
})";

/// A right call of `shift` with n = 3, for a test to spoil.
struct Call {
  std::vector<float> memory = std::vector<float>(100);
  TensorView x = view(0, {3, 4});
  TensorView y = view(12, {3, 4});
  TensorView a = view(70, {});
  TensorView sums = view(48, {3});
  TensorView result = view(24, {3, 4});

  TensorView view(std::size_t first, std::vector<std::int64_t> shape) {
    TensorView made;
    made.data = memory.data() + first;
    made.shape = std::move(shape);
    return made;
  }
  static const Executable& op() {
    static const Executable compiled = compile_text(kText, Device::cpu());
    return compiled;
  }
  std::string message(std::vector<TensorView> inputs, std::vector<TensorView> outputs) const {
    try {
      op().run(Device::cpu().make_stream(), inputs, outputs);
    } catch (const UserError& error) {
      return error.what();
    }
    return "no error";
  }
  std::string message() const { return message({x, y, a}, {result, sums}); }
};

}  // namespace

TEST_CASE("a right call has no error") { CHECK(Call().message() == "no error"); }

TEST_CASE("a wrong number of tensors") {
  const Call call;
  CHECK(call.message({call.x, call.y}, {call.result, call.sums}) ==
        "shift takes 3 inputs; given 2");
  CHECK(call.message({call.x, call.y, call.a}, {call.result}) == "shift has 2 outputs; given 1");
}

TEST_CASE("extents and ranks that do not fit the parameters") {
  Call call;
  call.y.shape = {2, 4};
  CHECK(call.message() == "input y has shape [2, 4]; [n, 4] is needed, where n = 3");
  call.y.shape = {3, 5};
  CHECK(call.message() == "input y has shape [3, 5]; [n, 4] is needed");
  call.y.shape = {12};
  CHECK(call.message() == "input y has shape [12] of rank 1; [n, 4] of rank 2 is needed");
  call.y.shape = {-3, 4};
  CHECK(call.message() == "input y has the negative extent -3");
  call.y.shape = {std::int64_t{1} << 61, 4};
  CHECK(call.message() ==
        "input y has shape [2305843009213693952, 4]; its extents may multiply to 2^60 at most (0 "
        "counts as 1)");
}

TEST_CASE("a dtype that the parameter has not") {
  Call call;
  call.x.dtype = DType::I32;
  CHECK(call.message() == "input x has dtype i32; f32 is needed");
}

TEST_CASE("strides that are none") {
  Call call;
  call.x.strides = {4};
  CHECK(call.message() == "input x has 1 stride; one a dimension (2 in all) or none is needed");
  call.x.strides = {std::int64_t{1} << 62, 1};
  CHECK(call.message() ==
        "input x has strides [4611686018427387904, 1] for shape [3, 4]; offsets must fit 63 bits");
}

TEST_CASE("trap E01: memory that is none, is misaligned or lies elsewhere") {
  Call call;
  call.x.data = nullptr;
  CHECK(call.message() == "input x has a null pointer; memory for shape [3, 4] is needed");
  call = Call();
  call.x.data = reinterpret_cast<void*>(0x1002);
  CHECK(call.message() == "input x starts at address 0x1002; f32 needs a multiple of 4 bytes");
  call = Call();
  call.x.device_kind = DeviceKind::Cuda;
  call.x.device_index = 1;
  CHECK(call.message() == "input x lies on cuda:1; the operator was compiled for cpu");
  call = Call();
  call.x.device_index = 3;
  CHECK(call.message() ==
        "input x lies on cpu with device_index 3; the operator was compiled for cpu, whose "
        "device_index is 0");
  call = Call();
  call.a.device_kind = DeviceKind::Cuda;
  CHECK(call.message() == "input a lies on cuda:0; a host scalar lies in host memory");
}

TEST_CASE("host scalars of another dtype or rank") {
  Call call;
  const double wide = 2;
  call.a = scalar_view(wide);
  CHECK(call.message() == "input a has dtype f64; f32 is needed");
  call.a = call.view(60, {1});
  CHECK(call.message() == "input a has shape [1] of rank 1; [] of rank 0 is needed");
}

TEST_CASE("outputs that do not fit") {
  Call call;
  call.sums.shape = {4};
  CHECK(call.message() == "output 1 has shape [4]; [3] is needed");
  call = Call();
  call.result.dtype = DType::F64;
  CHECK(call.message() == "output 0 has dtype f64; f32 is needed");
  call = Call();
  call.result.strides = {0, 1};
  CHECK(call.message() == "output 0 overlaps itself: shape [3, 4] with strides [0, 1]");
}

TEST_CASE("outputs that overlap each other, or inputs that are read elsewhere") {
  Call call;
  call.sums = call.view(24, {3});
  CHECK(call.message() == "output 1 overlaps output 0; each needs memory of its own");
  call = Call();
  call.sums = call.view(1, {3});
  CHECK(call.message() ==
        "output 1 overlaps input x, and shift reads other elements of it than it writes there; "
        "give the output memory of its own");
  call = Call();
  call.result = call.view(1, {3, 4});
  CHECK(call.message() ==
        "output 0 overlaps input x, and shift reads other elements of it than it writes there; "
        "give the output memory of its own");
}

TEST_CASE("conditions that only a call can show") {
  const Executable op = compile_text(
      "graph pair(%x: f32[n], %y: f32[m]) {\n  %0: f32[n] = broadcast(%y) {shape: [n]}\n"
      "  %1: f32[n] = add(%x, %0)\n  return %1\n}\n",
      Device::cpu());
  Call call;
  const std::vector<TensorView> inputs{call.view(0, {3}), call.view(4, {4})};

  CHECK_THROWS_WITH_AS(op.output_views(inputs), "pair: broadcast needs m = n; given m = 4, n = 3",
                       UserError);
}

TEST_CASE("copies and views beyond a buffer") {
  Buffer buffer = Device::cpu().allocate(16);
  std::vector<std::byte> bytes(32);
  CHECK_THROWS_WITH_AS(buffer.copy_in(bytes.data(), 32), "copy of 32 bytes into a buffer of 16",
                       UserError);
  CHECK_THROWS_WITH_AS(buffer.copy_out(bytes.data(), 32), "copy of 32 bytes out of a buffer of 16",
                       UserError);
  CHECK_THROWS_WITH_AS(buffer.view(DType::F32, {5}), "view of 20 bytes over a buffer of 16",
                       UserError);
  CHECK_THROWS_WITH_AS(buffer.view(DType::F32, {-1}), "view with the negative extent -1",
                       UserError);
}

TEST_CASE("devices that there are not") {
  CHECK_THROWS_WITH_AS(Device::parse("tpu"),
                       "device 'tpu'; 'cpu', 'gpu', 'cuda', 'cuda:<index>' or 'best' is needed",
                       UserError);
}

TEST_CASE("sizes of the options that are no dimension's, or negative") {
  const auto message = [](const std::map<std::string, std::int64_t>& sizes) {
    try {
      compile_text(kText, Device::cpu(), {.sizes = sizes});
    } catch (const UserError& error) {
      return std::string(error.what());
    }
    return std::string("no error");
  };

  CHECK(message({{"n", 3}}) == "no error");
  CHECK(message({{"m", 3}}) ==
        "CompileOptions::sizes names 'm', which is no dimension of shift; did you mean 'n'?");
  CHECK(message({{"n", -3}}) ==
        "CompileOptions::sizes has -3 for the dimension 'n'; at least 0 is needed");
}
