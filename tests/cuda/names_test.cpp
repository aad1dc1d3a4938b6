// User names in generated text.
#include <doctest/doctest.h>

#include "codegen/cuda/names.h"

namespace sinter::codegen::cuda {

TEST_CASE("trap C11: any name becomes an identifier") {
  CHECK(sanitize_name("x") == "x");
  CHECK(sanitize_name("3d") == "u3d");
  CHECK(sanitize_name("") == "u");
  CHECK(sanitize_name("a.b c") == "a_b_c");
  CHECK(sanitize_name("__shared__") == "u_shared_");
  CHECK(sanitize_name("\xce\xb1") == "u_");
  CHECK(sanitize_name(std::string(300, 'a')).size() == 60);
}

TEST_CASE("trap C11: names differ from keywords, from device pieces and from each other") {
  NameTable table;

  CHECK(table.make_name("double") == "double_2");
  CHECK(table.make_name("threadIdx") == "threadIdx_2");
  CHECK(table.make_name("f32_to_bf16") == "f32_to_bf16_2");
  CHECK(table.make_name("a b") == "a_b");
  CHECK(table.make_name("a.b") == "a_b_2");
  CHECK(table.make_name("a_b") == "a_b_3");
}

}  // namespace sinter::codegen::cuda
