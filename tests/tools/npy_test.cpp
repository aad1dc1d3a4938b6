// Inputs from .npy files.
#include <doctest/doctest.h>

#include <cstring>

#include "sinter/error.h"
#include "tests/support/run_program.h"
#include "tools/npy.h"

using sinter::tests::TemporaryFolder;
using sinter::tools::read_npy;

namespace {

std::string npy(const std::string& dict, const std::string& data) {
  std::string header = dict + "\n";
  std::string file = "\x93NUMPY";
  file += '\x01';
  file += '\0';
  file += static_cast<char>(header.size());
  file += '\0';
  return file + header + data;
}

std::string floats(std::initializer_list<float> values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), values.begin(), bytes.size());
  return bytes;
}

}  // namespace

TEST_CASE("a file of f32 is read with its shape") {
  const TemporaryFolder folder;
  const std::string path = folder.write(
      "x.npy",
      npy("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 1), }", floats({1.5F, -2.0F})));

  const auto array = read_npy(path);

  CHECK(array.dtype == sinter::DType::F32);
  CHECK(array.shape == std::vector<std::int64_t>{2, 1});
  CHECK(std::memcmp(array.data.data(), floats({1.5F, -2.0F}).data(), 8) == 0);
}

TEST_CASE("files that cannot be used are refused with the reason") {
  const TemporaryFolder folder;
  const auto message = [&](const std::string& bytes) {
    try {
      read_npy(folder.write("x.npy", bytes));
      return std::string("no error");
    } catch (const sinter::UserError& error) {
      return std::string(error.what()).substr(folder.path().size() + 8);
    }
  };

  CHECK(message("hello") == " is no .npy file");
  CHECK(message(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }", floats({1}))) ==
        " is in Fortran order; C order is needed");
  CHECK(message(npy("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", floats({1}))) ==
        " holds elements of type '<c8', which is no dtype of Sinter");
  CHECK(message(npy("{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }", floats({1}))) ==
        " is cut short: 4 bytes of 12 are there");
}
