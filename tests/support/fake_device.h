// A device in host memory that runs nothing: for tests of what the runtime does around compilations.
#pragma once

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <functional>
#include <string>

#include "runtime/device_impl.h"

namespace sinter::tests {

/// Counts its launches.
class FakeProgram final : public runtime::LoadedProgram {
 public:
  explicit FakeProgram(const codegen::Program& program) : LoadedProgram(program.workspaces) {}
  std::unique_ptr<runtime::BoundProgram> bind(const ir::CallNames&) override {
    return std::make_unique<Bound>();
  }
  std::vector<runtime::EntryResources> resources() const override { return {}; }

 private:
  class Bound final : public runtime::BoundProgram {
    void launch(runtime::StreamHandle, const runtime::CallArguments&) override {}
  };
};

class FakeDevice : public runtime::DeviceImpl {
 public:
  /// `on_compile` stands for the compiler and may wait or throw. `toolchain` keeps the binaries apart
  /// from those of other runs in the disk cache.
  FakeDevice(std::string toolchain, std::function<void(const codegen::Program&)> on_compile,
             codegen::Target target = codegen::make_cpu_target())
      : target_(std::move(target)),
        toolchain_(std::move(toolchain)),
        on_compile_(std::move(on_compile)) {}

  std::string id() const override { return "fake"; }
  std::string description() const override { return "fake"; }
  const codegen::Target& target() const override { return target_; }
  std::size_t total_bytes() const override { return 1 << 20; }
  std::size_t free_bytes() const override { return 1 << 20; }
  std::string toolchain() const override { return toolchain_; }
  void* allocate(std::size_t size_bytes) override { return std::aligned_alloc(256, size_bytes); }
  void free(void* memory) noexcept override { std::free(memory); }
  void copy_in(void* to, const void* from, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
  }
  void copy_out(void* to, const void* from, std::size_t bytes) override {
    std::memcpy(to, from, bytes);
  }
  void fill_bytes(runtime::StreamHandle, void* memory, int byte, std::size_t bytes) override {
    std::memset(memory, byte, bytes);
  }
  runtime::StreamHandle make_stream() override { return nullptr; }
  void free_stream(runtime::StreamHandle) noexcept override {}
  void synchronize(runtime::StreamHandle) override {}
  double time_us(runtime::StreamHandle, const std::function<void()>& work) override {
    work();
    return 1;
  }
  runtime::Binary compile(const codegen::Program& program) override {
    on_compile_(program);
    return {"binary", ""};
  }
  std::shared_ptr<runtime::LoadedProgram> load(const codegen::Program& program,
                                               const runtime::Binary&) override {
    return std::make_shared<FakeProgram>(program);
  }

 private:
  codegen::Target target_;
  std::string toolchain_;
  std::function<void(const codegen::Program&)> on_compile_;
};

}  // namespace sinter::tests
