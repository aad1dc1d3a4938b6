// Worker threads that share loops.
#pragma once

#include <condition_variable>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace sinter::runtime {

class ThreadPool {
 public:
  /// `threads` - 1 workers; the thread that calls parallel_for is the last.
  explicit ThreadPool(int threads);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  int threads() const { return static_cast<int>(workers_.size()) + 1; }

  /// Calls body(begin, end) for chunks that cover [0, extent), each of at least `grain` (but for the
  /// last), on several threads; returns when all are done. An exception of a chunk is rethrown
  /// here, chunks not yet begun are then left out. May be called from several threads at once, and
  /// from within a body.
  void parallel_for(std::int64_t extent, std::int64_t grain,
                    const std::function<void(std::int64_t, std::int64_t)>& body);

 private:
  struct Job;
  void work();
  void run_chunks(Job& job);

  std::mutex mutex_;
  std::condition_variable has_job_;
  std::condition_variable job_done_;
  std::deque<Job*> jobs_;  // with chunks that nobody has begun
  bool stops_ = false;
  std::vector<std::thread> workers_;
};

}  // namespace sinter::runtime
