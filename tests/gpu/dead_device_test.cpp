// A kernel that kills the device: in a child process, since nothing brings it back.
#include <doctest/doctest.h>

#include <cstdlib>
#include <iostream>

#include "sinter/error.h"
#include "tests/gpu/gpu_kernel.h"
#include "tests/support/run_program.h"
#include "tests/support/skip.h"

namespace sinter::tests {
namespace {

codegen::Program make_wild_program() {
  codegen::Program program;
  program.backend = codegen::Backend::Cuda;
  program.sources.push_back({"wild.cu", "cuda", R"(
extern "C" __global__ void wild(int* out) { *(int*)((long long)out * 0 + 16) = 1; }
)"});
  codegen::Entry entry;
  entry.symbol = "wild";
  entry.arguments.push_back({.param = "out"});
  program.entries.push_back(entry);
  return program;
}

/// What a call throws.
template <typename Call>
std::string message_of(const Call& call) {
  try {
    call();
    return "nothing was thrown";
  } catch (const RuntimeError& error) {
    return error.what();
  }
}

}  // namespace

// Not run by itself: doctest leaves skipped cases out unless --no-skip is given.
TEST_CASE("child: kill the device" * doctest::skip()) {
  std::string why;
  runtime::DeviceImpl& device = *first_gpu(&why);
  const codegen::Program program = make_wild_program();
  const auto loaded = device.load(program, device.compile(program));
  void* memory = device.allocate(4);
  runtime::CallBindings call;
  call.facts.tensors = {{"out", reinterpret_cast<std::uint64_t>(memory), {1}, {1}}};

  loaded->launch(nullptr, call);

  std::cout << "first: " << message_of([&] { device.synchronize(nullptr); }) << "\n";
  std::cout << "later: " << message_of([&] { device.allocate(4); }) << "\n";
  std::cout << "again: " << message_of([&] { loaded->launch(nullptr, call); }) << "\n";
}

TEST_CASE("trap E09: a dead device says so on every later call, with the kernel that killed it") {
  std::string why;
  if (!first_gpu(&why)) return skip(why);

  const ProgramResult child =
      run_program({"/proc/self/exe", "--no-skip", "--test-case=child: kill the device"});

  CAPTURE(child.out);
  CHECK(child.out.find("first: cuStreamSynchronize failed on cuda:0: CUDA_ERROR_ILLEGAL_ADDRESS") !=
        std::string::npos);
  CHECK(child.out.find("the kernel that failed: 'wild'") != std::string::npos);
  const std::string dead = "device cuda:0 is dead since an earlier error, start the process anew";
  CHECK(child.out.find("later: " + dead) != std::string::npos);
  CHECK(child.out.find("again: " + dead) != std::string::npos);
}

}  // namespace sinter::tests
