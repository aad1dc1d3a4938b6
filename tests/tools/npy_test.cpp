// Inputs from .npy files.
#include <doctest/doctest.h>
#include <sys/stat.h>

#include <cstring>

#include "sinter/error.h"
#include "tests/support/run_program.h"
#include "tools/npy.h"

using sinter::tests::TemporaryFolder;
using sinter::tools::read_npy;

namespace {

std::string npy(const std::string& dict, const std::string& data, char version = 1) {
  std::string header = dict + "\n";
  std::string file = "\x93NUMPY";
  file += version;
  file += '\0';
  file += static_cast<char>(header.size());
  file += '\0';
  if (version > 1) file += std::string(2, '\0');
  return file + header + data;
}

std::string floats(std::initializer_list<float> values) {
  std::string bytes(values.size() * sizeof(float), '\0');
  std::memcpy(bytes.data(), values.begin(), bytes.size());
  return bytes;
}

// What is said of a file with these bytes, without its path.
std::string message(const std::string& bytes) {
  const TemporaryFolder folder;
  try {
    read_npy(folder.write("x.npy", bytes));
    return "no error";
  } catch (const sinter::UserError& error) {
    return std::string(error.what()).substr(folder.path().size() + 8);
  }
}

// What is said of a header.
std::string header_message(const std::string& dict) {
  const std::string text = message(npy(dict, floats({1})));
  const std::string start = " is no .npy file: ";
  return text.starts_with(start) ? text.substr(start.size()) : text;
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

TEST_CASE("versions 2 and 3, other blanks and rank 0 are read") {
  const TemporaryFolder folder;
  const std::string dict = "{\"shape\": (), 'fortran_order' : False,'descr':'<f4'}  ";

  for (const char version : {'\x02', '\x03'}) {
    const auto array = read_npy(folder.write("x.npy", npy(dict, floats({1}), version)));
    CHECK(array.shape.empty());
    CHECK(array.data.size() == 4);
  }
}

TEST_CASE("files that cannot be used are refused with the reason") {
  CHECK(message("") == " is empty, no .npy file");
  CHECK(message("hello") == " is no .npy file: it does not begin with the bytes 93 'NUMPY'");
  CHECK(message(npy("{'descr': '<f4', 'fortran_order': True, 'shape': (1,), }", floats({1}))) ==
        " is in Fortran order; C order is needed");
  CHECK(message(npy("{'descr': '<c8', 'fortran_order': False, 'shape': (1,), }", floats({1}))) ==
        " holds elements of type '<c8', which is no dtype of Sinter");
  const std::string three = "{'descr': '<f4', 'fortran_order': False, 'shape': (3,), }";
  CHECK(message(npy(three, floats({1}))) == " is cut short: 4 bytes of 12 are there");
  CHECK(message(npy(three, floats({1, 2, 3, 4}))) ==
        " holds 4 bytes after its array; one array is needed");
  CHECK(message(npy(three, floats({1, 2, 3}), 9)) ==
        " has .npy version 9.0; 1.0, 2.0 or 3.0 is needed");
  CHECK(message(npy(three, "").substr(0, 30)) ==
        " is cut short: its header ends at byte 68, the file at byte 30");
  CHECK(message(npy("{'descr': '|b1', 'fortran_order': False, 'shape': (2,), }", "\x01\x02")) ==
        ": element 1 is 2; a bool is 0 or 1");
}

TEST_CASE("a shape is a tuple of whole numbers and nothing else") {
  const auto shape = [](const std::string& text) {
    return header_message("{'descr': '<f4', 'fortran_order': False, 'shape': " + text + ", }");
  };

  CHECK(shape("(4junk)") ==
        "header byte 61: found '4junk', a whole number and ',' or ')' is needed");
  CHECK(shape("(4)") == "header byte 62: found ')', ',' after the only extent is needed");
  CHECK(shape("(-1,)") == "header byte 61: found '-1', a whole number, or ')' is needed");
  CHECK(shape("(1.5,)") == "header byte 61: found '1.5', a whole number and ',' or ')' is needed");
  CHECK(shape("(99999999999999999999,)") ==
        "header byte 61: found '99999999999999999999', an extent below 2^63 is needed");
  CHECK(shape("[4]") == "header byte 60: found '[', a tuple is needed");
  CHECK(shape("(1, 2") == "header byte 67: found '}', a whole number, or ')' is needed");
  CHECK(shape("(0, 4611686018427387904, 4611686018427387904)") ==
        " says shape [0, 4611686018427387904, 4611686018427387904]; the product of the extents is "
        "too large");
}

TEST_CASE("a header has its three keys once, and nothing behind them") {
  CHECK(header_message("{'descr': '<f4', 'shape': (1,), }") == "its header has no 'fortran_order'");
  CHECK(header_message("{'descr': '<f4', 'descr': '<f4'}") ==
        "header byte 27: found ''descr'', each key once is needed");
  CHECK(header_message("{'dtype': '<f4'}") ==
        "header byte 11: found ''dtype'', 'descr', 'fortran_order' or 'shape' is needed");
  CHECK(header_message("{'descr': [('a', '<f4')]}") ==
        "header byte 20: found '[', one dtype in quotes is needed");
  CHECK(header_message("{'fortran_order': 0}") ==
        "header byte 28: found '0', True or False is needed");
  CHECK(header_message("{'descr': '<f4', 'fortran_order': False, 'shape': (1,), } x") ==
        "header byte 68: found 'x', the end of the header is needed");
  CHECK(header_message("") == "header byte 11: found the end, '{' is needed");
  CHECK(header_message("{'descr': '<f4") ==
        "header byte 20: found ''<f4', the closing quote is needed");
}

TEST_CASE("a pipe, a device or a folder is refused without waiting") {
  const TemporaryFolder folder;
  const std::string pipe = folder.path() + "/pipe.npy";
  REQUIRE(::mkfifo(pipe.c_str(), 0600) == 0);

  for (const auto& [path, kind] : {std::pair(pipe, "a pipe"),
                                   {folder.path(), "a folder"},
                                   {std::string("/dev/zero"), "a device"}}) {
    CHECK_THROWS_WITH_AS(
        read_npy(path),
        ("input file '" + path + "' cannot be read: it is " + kind + ", not a regular file")
            .c_str(),
        sinter::UserError);
  }
}
