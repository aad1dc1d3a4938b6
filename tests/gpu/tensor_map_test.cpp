// Tiles through the tensor-copy engine, with ragged edges, padded rows, and maps that change.
#include <doctest/doctest.h>

#include <cmath>

#include "tests/gpu/gpu_kernel.h"
#include "tests/support/skip.h"
#include "tests/support/tensor_map_program.h"

namespace sinter::tests {
namespace {

/// Why the engine cannot be used here; empty where it can.
std::string why_no_engine(runtime::DeviceImpl** device) {
  std::string why;
  *device = first_gpu(&why);
  if (!*device) return why;
  const std::string& arch = (*device)->target().arch;
  const bool has_engine = arch.starts_with("sm_9") || arch.starts_with("sm_1");
  return has_engine ? "" : "the tensor-copy engine needs compute capability 9.0, this is " + arch;
}

std::int64_t round_up(std::int64_t number, std::int64_t step) {
  return (number + step - 1) / step * step;
}

/// One matrix on the device, and what the program makes of it.
class TileCopy {
 public:
  TileCopy(runtime::DeviceImpl& device, std::int64_t rows, std::int64_t columns,
           std::int64_t row_stride)
      : device_(device), rows_(rows), columns_(columns), row_stride_(row_stride) {
    for (std::int64_t i = 0; i < rows * row_stride; ++i) {
      host_.push_back(static_cast<float>(i % row_stride < columns ? i + 1 : -1));
    }
    x_ = device.allocate(host_.size() * sizeof(float));
    device.copy_in(x_, host_.data(), host_.size() * sizeof(float));
    result_.resize(static_cast<std::size_t>(padded_rows() * padded_columns()));
    y_ = device.allocate(result_.size() * sizeof(float));
  }
  ~TileCopy() {
    device_.free(x_);
    device_.free(y_);
  }
  TileCopy(const TileCopy&) = delete;
  TileCopy& operator=(const TileCopy&) = delete;

  void run(runtime::BoundProgram& program) {
    device_.fill_bytes(nullptr, y_, 0xa5, result_.size() * sizeof(float));
    const std::int64_t sizes[] = {rows_, columns_};
    const std::int64_t extents[] = {rows_, columns_};
    const std::int64_t strides[] = {row_stride_, 1};
    const std::int64_t y_extents[] = {padded_rows(), padded_columns()};
    const std::int64_t y_strides[] = {padded_columns(), 1};
    const ir::TensorLayout tensors[] = {
        {reinterpret_cast<std::uint64_t>(x_), extents, strides},
        {reinterpret_cast<std::uint64_t>(y_), y_extents, y_strides}};
    program.launch(nullptr, {sizes, tensors, {}});
    device_.synchronize(nullptr);
    device_.copy_out(result_.data(), y_, result_.size() * sizeof(float));
  }

  /// Elements that are not what they should be.
  std::int64_t count_wrong(bool is_nan_outside) const {
    std::int64_t wrong = 0;
    for (std::int64_t r = 0; r < padded_rows(); ++r) {
      for (std::int64_t c = 0; c < padded_columns(); ++c) {
        const float given = result_[static_cast<std::size_t>(r * padded_columns() + c)];
        if (r < rows_ && c < columns_) {
          wrong += given != host_[static_cast<std::size_t>(r * row_stride_ + c)] ? 1 : 0;
        } else {
          wrong += is_nan_outside ? !std::isnan(given) : given != 0;
        }
      }
    }
    return wrong;
  }

 private:
  std::int64_t padded_rows() const { return round_up(rows_, kTileRows); }
  std::int64_t padded_columns() const { return round_up(columns_, kTileColumns); }

  runtime::DeviceImpl& device_;
  std::int64_t rows_, columns_, row_stride_;
  std::vector<float> host_, result_;
  void* x_ = nullptr;
  void* y_ = nullptr;
};

const ir::CallNames kNames = {{"rows", "columns"}, {"x", "y"}};

}  // namespace

TEST_CASE("tiles with ragged edges arrive, with and without a swizzle, and outside reads as 0") {
  runtime::DeviceImpl* device = nullptr;
  if (const std::string why = why_no_engine(&device); !why.empty()) return skip(why);
  for (const int swizzle_bytes : {0, 128}) {
    CAPTURE(swizzle_bytes);
    const codegen::Program program = make_tensor_map_program(swizzle_bytes);
    const auto loaded = device->load(program, device->compile(program));
    const auto bound = loaded->bind(kNames);

    // The same program meets other sizes, strides and pointers: its map has to follow.
    TileCopy ragged(*device, 70, 37, 40);
    TileCopy small(*device, 1, 1, 4);
    TileCopy whole(*device, 128, 64, 64);
    for (TileCopy* copy : {&ragged, &small, &whole, &whole, &ragged}) {
      copy->run(*bound);
      CHECK(copy->count_wrong(false) == 0);
    }
  }
}

TEST_CASE("elements outside can be NaN") {
  runtime::DeviceImpl* device = nullptr;
  if (const std::string why = why_no_engine(&device); !why.empty()) return skip(why);
  const codegen::Program program = make_tensor_map_program(0, true);
  const auto loaded = device->load(program, device->compile(program));
  TileCopy ragged(*device, 70, 37, 40);

  ragged.run(*loaded->bind(kNames));

  CHECK(ragged.count_wrong(true) == 0);
}

TEST_CASE("a layout that the engine does not take is refused before the launch") {
  runtime::DeviceImpl* device = nullptr;
  if (const std::string why = why_no_engine(&device); !why.empty()) return skip(why);
  const codegen::Program program = make_tensor_map_program(0);
  const auto loaded = device->load(program, device->compile(program));
  const auto bound = loaded->bind(kNames);
  TileCopy odd(*device, 70, 37, 37);

  CHECK_THROWS_AS(odd.run(*bound), InternalError);
}

}  // namespace sinter::tests
