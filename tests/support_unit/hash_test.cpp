// Content hashes.
#include "support/hash.h"

#include <doctest/doctest.h>

namespace sinter::support {

TEST_CASE("a hash is the 32 digits that XXH3-128 gives everywhere") {
  CHECK(hash_hex("") == "99aa06d3014798d86001c324468d497f");
  CHECK(hash_hex("sinter").size() == 32);
}

TEST_CASE("one changed byte changes the hash") {
  CHECK(hash_hex("kernel a") != hash_hex("kernel b"));
  CHECK(hash_hex(std::string_view("a\0b", 3)) != hash_hex(std::string_view("a\0c", 3)));
}

}  // namespace sinter::support
