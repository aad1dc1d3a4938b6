// Workers take the next number from shared memory, and report through a pipe, one record a message.
#include "tests/support/fuzz_workers.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <csignal>
#include <cstring>
#include <new>

#include "support/check.h"
#include "tests/support/required_use.h"

namespace sinter::tests {

namespace {

/// A worker ends after so many cases: compiled kernels stay loaded for as long as it lives.
constexpr int kCasesPerWorker = 400;
constexpr unsigned kSecondsPerCase = 120;

struct Slot {
  std::atomic<std::int64_t> current{-1};  // the case under way
  CheckCounts counts;
  FuzzCoverage coverage;
};

struct Shared {
  std::atomic<std::uint64_t> next{0};
};

/// Memory that forked processes share, zeroed.
template <typename T>
T* share(std::size_t count) {
  void* memory =
      mmap(nullptr, sizeof(T) * count, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  support::check(memory != MAP_FAILED, "mmap: {}", std::strerror(errno));
  T* items = static_cast<T*>(memory);
  for (std::size_t i = 0; i < count; ++i) new (items + i) T();
  return items;
}

void write_all(int file, const std::string& text) {
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t written = write(file, text.data() + at, text.size() - at);
    if (written <= 0) return;
    at += static_cast<std::size_t>(written);
  }
}

std::string read_all(std::FILE* file) {
  std::rewind(file);
  std::string text;
  std::array<char, 4096> part{};
  for (std::size_t got = 0; (got = std::fread(part.data(), 1, part.size(), file)) > 0;) {
    text.append(part.data(), got);
  }
  return text;
}

std::string end_text(int status) {
  if (WIFSIGNALED(status)) {
    const int number = WTERMSIG(status);
    return number == SIGALRM ? "hangs: no result after 120 s"
                             : fmt::format("crashes: signal {} ({})", number, strsignal(number));
  }
  return fmt::format("ends with exit code {}", WEXITSTATUS(status));
}

class Pool {
 public:
  explicit Pool(const FuzzRun& run)
      : run_(run),
        shared_(share<Shared>(1)),
        slots_(share<Slot>(static_cast<std::size_t>(run.workers))),
        records_(std::tmpfile()) {
    support::check(records_ != nullptr, "no temporary file: {}", std::strerror(errno));
  }
  ~Pool() { std::fclose(records_); }
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  FuzzReport run() {
    all_required_uses();  // found once, before processes part
    for (int w = 0; w < run_.workers; ++w) start(w);
    while (!workers_.empty()) {
      int status = 0;
      const pid_t id = waitpid(-1, &status, 0);
      const auto worker = workers_.find(id);
      if (worker == workers_.end()) continue;
      const int slot = worker->second;
      workers_.erase(worker);
      const std::int64_t current = slots_[slot].current.exchange(-1);
      if (current >= 0) {
        report_.failures.push_back({static_cast<std::uint64_t>(current), end_text(status)});
      }
      if (shared_->next < run_.count) start(slot);
    }
    collect();
    return std::move(report_);
  }

 private:
  void start(int slot) {
    const pid_t id = fork();
    support::check(id >= 0, "fork: {}", std::strerror(errno));
    if (id == 0) {
      work(slots_[slot]);
      _exit(0);
    }
    workers_[id] = slot;
  }

  void work(Slot& slot) {
    for (int done = 0; done < kCasesPerWorker; ++done) {
      const std::uint64_t index = shared_->next++;
      if (index >= run_.count) return;
      const std::uint64_t number = run_.first + index;
      slot.current = static_cast<std::int64_t>(number);
      alarm(kSecondsPerCase);
      const std::string trouble = check(number, slot);
      alarm(0);
      slot.current = -1;
      // A GPU whose context died fails all that follows.
      if (!trouble.empty() && run_.device != "cpu") return;
    }
  }

  std::string check(std::uint64_t number, Slot& slot) {
    FuzzVerdict verdict;
    try {
      const FuzzCase fuzz = make_fuzz_case(number);
      const auto expected = run_.expected_hashes.find(number);
      const bool is_expected = expected != run_.expected_hashes.end();
      verdict = check_fuzz_case(fuzz, Device::parse(run_.device), run_.strict,
                                is_expected ? expected->second : std::string());
      slot.coverage.add(fuzz);
      slot.counts.add(verdict.counts);
    } catch (const std::exception& error) {
      verdict.trouble = error.what();
    }
    std::string record;
    const auto add = [&](const char* key, const auto& value) {
      record += fmt::format("{} {} {}", key, number, value) + '\0';
    };
    if (!verdict.trouble.empty()) add("failure", verdict.trouble);
    if (!verdict.hash.empty()) add("hash", verdict.hash);
    if (verdict.counts.undecided > 0) add("undecided", verdict.counts.undecided);
    // One write a record at the end of a file that all workers opened as one: they do not mix.
    write_all(fileno(records_), record);
    return verdict.trouble;
  }

  void collect() {
    const std::string text = read_all(records_);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t end = std::min(text.find('\0', at), text.size());
      const std::string record = text.substr(at, end - at);
      at = end + 1;
      const std::size_t first = record.find(' ');
      const std::size_t second = record.find(' ', first + 1);
      if (second == std::string::npos) continue;
      const std::uint64_t number = std::stoull(record.substr(first + 1, second - first - 1));
      if (record.starts_with("hash")) report_.hashes[number] = record.substr(second + 1);
      if (record.starts_with("failure")) {
        report_.failures.push_back({number, record.substr(second + 1)});
      }
      if (record.starts_with("undecided")) {
        report_.undecided.emplace_back(std::stoll(record.substr(second + 1)), number);
      }
    }
    std::sort(report_.failures.begin(), report_.failures.end(),
              [](const auto& a, const auto& b) { return a.number < b.number; });
    std::sort(report_.undecided.rbegin(), report_.undecided.rend());
    for (int w = 0; w < run_.workers; ++w) {
      report_.counts.add(slots_[w].counts);
      report_.coverage.add(slots_[w].coverage);
    }
    report_.done = std::min<std::uint64_t>(shared_->next, run_.count);
  }

  const FuzzRun& run_;
  Shared* shared_;
  Slot* slots_;
  std::FILE* records_;
  std::map<pid_t, int> workers_;  // process to slot
  FuzzReport report_;
};

/// The first word of each line's way and kind: crashes, hangs, an error, a wrong result.
std::string kind_of(const std::string& trouble) {
  for (const char* kind : {"crashes", "hangs", "invalid", "strict", "wrote outside", "output "}) {
    if (trouble.find(kind) != std::string::npos) return kind;
  }
  return trouble.empty() ? "" : "error";
}

}  // namespace

FuzzReport run_fuzz(const FuzzRun& run) { return Pool(run).run(); }

std::string trouble_of(const FuzzCase& fuzz, const FuzzRun& run) {
  std::FILE* file = std::tmpfile();
  support::check(file != nullptr, "no temporary file: {}", std::strerror(errno));
  const pid_t id = fork();
  support::check(id >= 0, "fork: {}", std::strerror(errno));
  if (id == 0) {
    alarm(kSecondsPerCase);
    std::string trouble;
    try {
      const auto expected = run.expected_hashes.find(fuzz.seed);
      const bool is_whole = expected != run.expected_hashes.end() &&
                            to_string(fuzz) == to_string(make_fuzz_case(fuzz.seed));
      trouble = check_fuzz_case(fuzz, Device::parse(run.device), run.strict,
                                is_whole ? expected->second : std::string())
                    .trouble;
    } catch (const std::exception& error) {
      trouble = error.what();
    }
    write_all(fileno(file), trouble);
    _exit(0);
  }
  int status = 0;
  waitpid(id, &status, 0);
  std::string trouble = status == 0 ? read_all(file) : end_text(status);
  std::fclose(file);
  return trouble;
}

bool fails_alike(const FuzzCase& fuzz, const FuzzRun& run, const std::string& trouble) {
  return kind_of(trouble_of(fuzz, run)) == kind_of(trouble);
}

}  // namespace sinter::tests
