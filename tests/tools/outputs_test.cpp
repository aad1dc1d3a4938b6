// `sinter run --save` and `--print`.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstring>
#include <filesystem>

#include "tests/support/run_program.h"
#include "tools/npy.h"
#include "tools/outputs.h"

using sinter::DType;
using sinter::tests::run_sinter;
using sinter::tests::TemporaryFolder;
using sinter::tools::read_npy;
using sinter::tools::TaskOutput;

namespace {

/// Two outputs of numbers that the graph alone decides: 0, 0.5, 1, ... and whether one is above 1.
std::string counting_task(const std::string& dtype) {
  const std::string t = dtype + "[2, 3]";
  return "task:\n  name: counting\n  device: cpu\n  benchmark_iterations: 1\n  graph: |\n"
         "    graph counting(%x: " +
         t +
         ") {\n"
         "      %0: i64[2, 3] = iota() {dtype: i64, shape: [2, 3], axis: 1}\n"
         "      %1: " +
         t + " = cast(%0) {dtype: " + dtype +
         "}\n"
         "      %2: " +
         dtype + " = constant() {value: 0.5: " + dtype +
         "}\n"
         "      %3: " +
         t +
         " = broadcast(%2) {shape: [2, 3]}\n"
         "      %4: " +
         t +
         " = mul(%1, %3)\n"
         "      %5: " +
         t +
         " = mul(%4, %x)\n"
         "      %6: bool[2, 3] = gt(%4, %3)\n"
         "      return %5, %6\n    }\n"
         "  inputs:\n    - {name: x, dtype: " +
         dtype + ", shape: [2, 3], file: ones.npy}\n";
}

template <typename T>
std::vector<std::byte> bytes_of(const std::vector<T>& values) {
  std::vector<std::byte> bytes(values.size() * sizeof(T));
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

/// The task above in this folder, with its input file of f32 ones.
std::string write_task(const TemporaryFolder& folder, const std::string& dtype) {
  const std::string ones = folder.path() + "/ones.npy";
  sinter::tools::write_npy(ones, {DType::F32, {2, 3}, bytes_of(std::vector<float>(6, 1))});
  std::string text = counting_task(dtype);
  text.replace(text.find("ones.npy"), 8, ones);
  return folder.write("t.yaml", text);
}

}  // namespace

TEST_CASE("every dtype of .npy files is read as it was written") {
  const TemporaryFolder folder;
  const std::string path = folder.path() + "/x.npy";

  for (const DType dtype :
       {DType::Bool, DType::I8, DType::I16, DType::I32, DType::I64, DType::U8, DType::U16,
        DType::U32, DType::U64, DType::F16, DType::F32, DType::F64}) {
    for (const std::vector<std::int64_t>& shape :
         {std::vector<std::int64_t>{}, {3}, {2, 3}, {0, 4}, {1, 1, 1, 1, 1, 1, 2, 1, 1, 3, 1, 1}}) {
      std::size_t count = sinter::size_bytes(dtype);
      for (const std::int64_t extent : shape) count *= static_cast<std::size_t>(extent);
      std::vector<std::byte> data(count);
      for (std::size_t i = 0; i < count; ++i) data[i] = static_cast<std::byte>(i % 2);

      sinter::tools::write_npy(path, {dtype, shape, data});
      const sinter::tools::NpyArray read = read_npy(path);

      CHECK(read.dtype == dtype);
      CHECK(read.shape == shape);
      CHECK(read.data == data);
      CHECK((std::filesystem::file_size(path) - count) % 64 == 0);  // as np.save aligns the data
    }
  }
  CHECK_FALSE(sinter::tools::is_npy_dtype(DType::BF16));
  CHECK_FALSE(sinter::tools::is_npy_dtype(DType::F8E4M3));
}

TEST_CASE("run --save writes each output into a folder that it makes, and --print shows them") {
  const TemporaryFolder folder;
  const std::string saved = folder.path() + "/new/results";

  const auto result =
      run_sinter({"run", write_task(folder, "f32"), "--save", saved, "--print", "4"});

  REQUIRE_MESSAGE(result.exit_code == 0, result.err);
  CHECK(result.out.find("\noutput 0  f32[2, 3]: 0.0, 0.5, 1.0, 0.0, ...\n"
                        "output 1  bool[2, 3]: false, false, true, false, ...\n") !=
        std::string::npos);
  const auto values = read_npy(saved + "/output_0.npy");
  CHECK(values.dtype == DType::F32);
  CHECK(values.shape == std::vector<std::int64_t>{2, 3});
  CHECK(values.data == bytes_of(std::vector<float>{0, 0.5, 1, 0, 0.5, 1}));
  CHECK(read_npy(saved + "/output_1.npy").data == bytes_of(std::vector<char>{0, 0, 1, 0, 0, 1}));
  CHECK(std::distance(std::filesystem::directory_iterator(saved), {}) ==
        2);  // nothing else is left
}

TEST_CASE("bf16 and f8 are saved as the f32 numbers that they are, and read from such files") {
  for (const std::string dtype : {"bf16", "f8e4m3", "f8e5m2"}) {
    const TemporaryFolder folder;

    const auto result = run_sinter(
        {"run", write_task(folder, dtype), "--save", folder.path() + "/out", "--print", "9"});

    REQUIRE_MESSAGE(result.exit_code == 0, result.err);
    CHECK(result.out.find("output 0  " + dtype + "[2, 3]: 0.0, 0.5, 1.0, 0.0, 0.5, 1.0\n") !=
          std::string::npos);
    const auto values = read_npy(folder.path() + "/out/output_0.npy");
    CHECK(values.dtype == DType::F32);
    CHECK(values.data == bytes_of(std::vector<float>{0, 0.5, 1, 0, 0.5, 1}));
  }
}

TEST_CASE("a file of f32 numbers that a narrow input does not hold is refused") {
  const TemporaryFolder folder;
  const std::string task = write_task(folder, "bf16");
  const std::string ones = folder.path() + "/ones.npy";
  sinter::tools::write_npy(
      ones, {DType::F32, {2, 3}, bytes_of(std::vector<float>{1, 1, 1.001F, 1, 1, 1})});

  const auto result = run_sinter({"run", task});

  CHECK(result.exit_code == 2);
  CHECK(result.err ==
        "sinter: input 'x': element 2 of file '" + ones + "' is 1.001, which bf16 does not hold\n");
}

TEST_CASE("outputs of no element and of rank 0 are printed") {
  CHECK(sinter::tools::to_text(
            {{DType::F32, {0, 3}, {}}, {DType::I64, {}, bytes_of(std::vector<std::int64_t>{-7})}},
            8) == "output 0  f32[0, 3]: no element\noutput 1  i64: -7\n");
}

TEST_CASE("a folder that cannot be made or written to is one error, before anything runs") {
  const TemporaryFolder folder;
  const std::string task = write_task(folder, "f32");
  const std::string file = folder.write("file", "");

  const auto in_file = run_sinter({"run", task, "--save", file});
  CHECK(in_file.exit_code == 6);
  CHECK(in_file.out.empty());
  CHECK(in_file.err.starts_with("sinter: cannot save outputs in folder '" + file + "': "));
  const auto below_file = run_sinter({"run", task, "--save", file + "/below"});
  CHECK(below_file.exit_code == 6);
  CHECK(below_file.err ==
        "sinter: cannot save outputs in folder '" + file + "/below': Not a directory\n");
}

TEST_CASE("an output file that cannot be written is one error") {
  const TemporaryFolder folder;
  const std::string blocked = folder.path() + "/out/output_0.npy";
  std::filesystem::create_directories(blocked + "/folder");

  const auto result =
      run_sinter({"run", write_task(folder, "f32"), "--save", folder.path() + "/out"});

  CHECK(result.exit_code == 6);
  CHECK(result.err.starts_with("sinter: cannot write '" + blocked + "': "));
}
