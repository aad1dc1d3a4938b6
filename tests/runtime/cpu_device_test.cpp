// The CPU as a device: description, memory, and what failures say.
#include <doctest/doctest.h>

#include <cstdint>

#include "runtime/cpu/features.h"
#include "runtime/cpu/jit_module.h"
#include "runtime/device_impl.h"
#include "sinter/error.h"

namespace sinter::runtime {

TEST_CASE("the CPU describes itself") {
  DeviceImpl& cpu = *cpu_device();

  CHECK(cpu.id() == "cpu");
  CHECK(cpu.target().backend == codegen::Backend::Cpu);
  CHECK(cpu.target().units >= 1);
  CHECK(cpu.toolchain().find("LLVM ") == 0);
  CHECK(cpu.free_bytes() <= cpu.total_bytes());
}

TEST_CASE(
    "arithmetic of f16 is never the processor's, and registers are as wide as the features say") {
  CHECK(usable_features("+avx,+avx512f,+avx512fp16,+fma") == "+avx,+avx512f,-avx512fp16,+fma");
  CHECK(usable_features("+avx,-avx512fp16") == "+avx,-avx512fp16");
  CHECK(usable_features("+avx512f") == "+avx512f");
  CHECK(vector_bytes("+avx,+avx512f,-avx512fp16") == 64);
  CHECK(vector_bytes("+avx,-avx512f") == 32);
  CHECK(vector_bytes("+sse2") == 16);
  CHECK(cpu_device()->target().features.find("+avx512fp16") == std::string::npos);
}

TEST_CASE("memory is aligned, and too much of it is an error with both numbers") {
  DeviceImpl& cpu = *cpu_device();

  void* memory = cpu.allocate(1000);

  CHECK(reinterpret_cast<std::uintptr_t>(memory) % 256 == 0);
  cpu.free(memory);
  CHECK_THROWS_AS(cpu.allocate(std::size_t{1} << 60), EnvironmentError);
  CHECK_THROWS_AS(cpu.allocate(~std::size_t{0}), EnvironmentError);
}

TEST_CASE("a program that LLVM refuses shows the line") {
  codegen::Program program;
  program.sources.push_back(
      {"bad.ll", "llvm", "define void @f() {\n  %x = bad i32 1\n  ret void\n}\n"});
  std::string message;

  try {
    cpu_device()->compile(program);
  } catch (const CompileError& error) {
    message = error.what();
  }

  CAPTURE(message);
  CHECK(message.find("cannot compile bad.ll: 2:") != std::string::npos);
  CHECK(message.find(">     2 |   %x = bad i32 1") != std::string::npos);
}

TEST_CASE("a missing module is an error that names the path") {
  CHECK_THROWS_WITH_AS(open_cpu_jit("/nowhere/libsinter_cpu_jit.so"),
                       doctest::Contains("cannot open /nowhere/libsinter_cpu_jit.so: "),
                       EnvironmentError);
}

}  // namespace sinter::runtime
