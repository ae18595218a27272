// Objects that several threads update, for benchmarks: with transactions in both variants, and with
// the locks and copies that a game would have without them.
//
// Each class has the same interface: Objects(how many, for how many threads), and for each thread a
// Thread, whose Update does one update: it adds up the objects that it reads alone, works for some
// time, and changes the others. The baselines know all objects beforehand.
//
// Thread safety: a Thread belongs to one thread; they end before their objects' counts() are read.
#ifndef NOWAIT_TESTS_BENCH_OBJECT_UPDATES_H_
#define NOWAIT_TESTS_BENCH_OBJECT_UPDATES_H_

#include <array>
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <shared_mutex>
#include <span>
#include <vector>

#include "src/game/object_table.h"
#include "src/game/transaction.h"

namespace nowait {

constexpr std::uint32_t kMost = 5;  // objects of an update

struct Object {
  std::uint64_t health = 0;
  std::array<float, 14> state{};
};

// Some 2.5 ns a round, which no other thread sees.
inline std::uint64_t Work(std::uint32_t rounds, std::uint64_t value) {
  for (std::uint32_t i = 0; i < rounds; ++i) {
    value = value * 6364136223846793005u + 1442695040888963407u;
    asm volatile("" : "+r"(value));  // not computed beforehand
  }
  return value;
}

// The objects of one update, in a random order. The first `written` of them are taken for writing;
// of these the last `unchanged` stay as they are, which nobody knows beforehand.
struct Plan {
  std::array<std::uint32_t, kMost> which;
  std::uint32_t asked;
  std::uint32_t written;
  std::uint32_t unchanged = 0;

  bool Changes(std::uint32_t i) const { return i + unchanged < written; }
};

template <class Policy, Isolation kIsolation = Isolation::kSerializable>
class Transactions {
 public:
  Transactions(std::uint32_t objects, std::uint32_t threads)
      : table_(objects, objects + 2 * kMost * threads) {
    for (std::uint32_t i = 0; i < objects; ++i) handles_.push_back(*table_.Create({}));
  }

  class Thread {
   public:
    explicit Thread(Transactions& all)
        : all_(all), transaction_(all.table_, {.objects = kMost, .isolation = kIsolation}) {}
    ~Thread() { all_.Add(transaction_.counts()); }
    void Update(const Plan& plan, std::uint32_t work) {
      const auto done = transaction_.Run([&](auto& tx) -> Result<void> {
        std::uint64_t sum = 0;
        for (std::uint32_t i = plan.written; i < plan.asked; ++i) {
          const auto object = tx.Read(all_.handles_[plan.which[i]]);
          if (!object) return std::unexpected(object.error());
          sum += (*object)->health;
        }
        for (std::uint32_t i = 0; i < plan.written; ++i) {
          const auto object = tx.Write(all_.handles_[plan.which[i]]);
          if (!object) return std::unexpected(object.error());
          if (i == 0) sum = Work(work, sum);
          if (plan.Changes(i)) (*object)->health += 1 + (sum & 1);
        }
        return {};
      });
      if (!done) std::abort();
    }

   private:
    Transactions& all_;
    Transaction<ObjectTable<Object>, Policy> transaction_;
  };

  const TransactionCounts& counts() const { return counts_; }

 private:
  void Add(const TransactionCounts& counts) {
    const std::lock_guard lock(mutex_);
    counts_ += counts;
  }

  ObjectTable<Object> table_;
  std::vector<ObjectHandle> handles_;
  std::mutex mutex_;
  TransactionCounts counts_;
};

inline void ChangeInPlace(std::span<Object* const> objects, const Plan& plan, std::uint32_t work) {
  std::uint64_t sum = 0;
  for (std::uint32_t i = plan.written; i < plan.asked; ++i) sum += objects[i]->health;
  for (std::uint32_t i = 0; i < plan.written; ++i) {
    if (i == 0) sum = Work(work, sum);
    if (plan.Changes(i)) objects[i]->health += 1 + (sum & 1);
  }
}

class OneLock {
 public:
  OneLock(std::uint32_t objects, std::uint32_t) : objects_(objects) {}

  class Thread {
   public:
    explicit Thread(OneLock& all) : all_(all) {}
    void Update(const Plan& plan, std::uint32_t work) {
      const std::lock_guard lock(all_.mutex_);
      std::array<Object*, kMost> objects;
      for (std::uint32_t i = 0; i < plan.asked; ++i) objects[i] = &all_.objects_[plan.which[i]];
      ChangeInPlace(objects, plan, work);
    }

   private:
    OneLock& all_;
  };
  TransactionCounts counts() const { return {}; }

 private:
  std::mutex mutex_;
  std::vector<Object> objects_;
};

class LockAnObject {
 public:
  LockAnObject(std::uint32_t objects, std::uint32_t) : cells_(objects) {}

  class Thread {
   public:
    explicit Thread(LockAnObject& all) : all_(all) {}
    void Update(const Plan& plan, std::uint32_t work) {
      std::array<std::uint32_t, kMost> order;
      for (std::uint32_t i = 0; i < plan.asked; ++i) {  // sorted by insertion: they are few
        std::uint32_t k = i;
        for (; k > 0 && plan.which[order[k - 1]] > plan.which[i]; --k) order[k] = order[k - 1];
        order[k] = i;
      }
      std::array<Object*, kMost> objects;
      for (std::uint32_t k = 0; k < plan.asked; ++k) {
        const std::uint32_t i = order[k];
        Cell& cell = all_.cells_[plan.which[i]];
        if (i < plan.written) {
          cell.mutex.lock();
        } else {
          cell.mutex.lock_shared();
        }
        objects[i] = &cell.object;
      }
      ChangeInPlace(objects, plan, work);
      for (std::uint32_t i = 0; i < plan.asked; ++i) {
        Cell& cell = all_.cells_[plan.which[i]];
        if (i < plan.written) {
          cell.mutex.unlock();
        } else {
          cell.mutex.unlock_shared();
        }
      }
    }

   private:
    LockAnObject& all_;
  };
  TransactionCounts counts() const { return {}; }

 private:
  struct alignas(64) Cell {
    std::shared_mutex mutex;
    Object object;
  };
  std::vector<Cell> cells_;
};

// All objects are one version, which an update copies. Readers keep a version, and nobody waits; of
// two updates at a time one begins again.
class CopyAll {
 public:
  CopyAll(std::uint32_t objects, std::uint32_t)
      : current_(std::make_shared<const std::vector<Object>>(objects)) {}

  class Thread {
   public:
    explicit Thread(CopyAll& all) : all_(all) {}
    void Update(const Plan& plan, std::uint32_t work) {
      for (;;) {
        const std::shared_ptr<const std::vector<Object>> seen = all_.Current();
        auto copy = std::make_shared<std::vector<Object>>(*seen);
        std::array<Object*, kMost> objects;
        for (std::uint32_t i = 0; i < plan.asked; ++i) objects[i] = &(*copy)[plan.which[i]];
        ChangeInPlace(objects, plan, work);
        if (all_.Replace(seen, std::move(copy))) return;
      }
    }

   private:
    CopyAll& all_;
  };
  TransactionCounts counts() const { return {}; }

 private:
  std::shared_ptr<const std::vector<Object>> Current() {
    const std::lock_guard lock(mutex_);
    return current_;
  }
  bool Replace(const std::shared_ptr<const std::vector<Object>>& seen,
               std::shared_ptr<const std::vector<Object>> next) {
    const std::lock_guard lock(mutex_);
    if (current_ != seen) return false;
    current_ = std::move(next);
    return true;
  }

  std::mutex mutex_;
  std::shared_ptr<const std::vector<Object>> current_;
};

}  // namespace nowait

#endif  // NOWAIT_TESTS_BENCH_OBJECT_UPDATES_H_
