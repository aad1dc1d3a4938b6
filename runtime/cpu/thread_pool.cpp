// Jobs live on their caller's stack: a caller leaves only when no worker is in its job.
#include "runtime/cpu/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <exception>

namespace sinter::runtime {

namespace {

// Chunks a thread: enough to even out threads of different speed, few enough to cost nothing.
constexpr std::int64_t kChunksPerThread = 8;

}  // namespace

struct ThreadPool::Job {
  const std::function<void(std::int64_t, std::int64_t)>& body;
  std::int64_t extent;
  std::int64_t chunk;
  std::atomic<std::int64_t> next{0};
  int workers = 0;               // in run_chunks; guarded by mutex_
  std::exception_ptr exception;  // the first; guarded by mutex_
};

ThreadPool::ThreadPool(int threads) {
  for (int i = 1; i < threads; ++i) workers_.emplace_back([this] { work(); });
}

ThreadPool::~ThreadPool() {
  {
    const std::lock_guard lock(mutex_);
    stops_ = true;
  }
  has_job_.notify_all();
  for (std::thread& worker : workers_) worker.join();
}

void ThreadPool::run_chunks(Job& job) {
  while (true) {
    const std::int64_t begin = job.next.fetch_add(job.chunk);
    if (begin >= job.extent) return;
    try {
      job.body(begin, std::min(begin + job.chunk, job.extent));
    } catch (...) {
      const std::lock_guard lock(mutex_);
      if (!job.exception) job.exception = std::current_exception();
      job.next = job.extent;
    }
  }
}

void ThreadPool::work() {
  std::unique_lock lock(mutex_);
  while (true) {
    has_job_.wait(lock, [this] { return stops_ || !jobs_.empty(); });
    if (stops_) return;
    Job& job = *jobs_.front();
    ++job.workers;
    lock.unlock();
    run_chunks(job);
    lock.lock();
    std::erase(jobs_, &job);
    --job.workers;
    job_done_.notify_all();
  }
}

void ThreadPool::parallel_for(std::int64_t extent, std::int64_t grain,
                              const std::function<void(std::int64_t, std::int64_t)>& body) {
  if (extent <= 0) return;
  const std::int64_t shares = kChunksPerThread * threads();
  const std::int64_t chunk =
      std::max(std::max<std::int64_t>(grain, 1), (extent + shares - 1) / shares);
  if (workers_.empty() || chunk >= extent) {
    body(0, extent);
    return;
  }
  Job job{body, extent, chunk};
  const std::int64_t chunks = (extent + chunk - 1) / chunk;
  {
    const std::lock_guard lock(mutex_);
    jobs_.push_back(&job);
  }
  if (chunks > static_cast<std::int64_t>(workers_.size())) {
    has_job_.notify_all();
  } else {
    for (std::int64_t i = 1; i < chunks; ++i) has_job_.notify_one();
  }
  run_chunks(job);
  std::unique_lock lock(mutex_);
  std::erase(jobs_, &job);
  job_done_.wait(lock, [&] { return job.workers == 0; });
  if (job.exception) std::rethrow_exception(job.exception);
}

}  // namespace sinter::runtime
