// The test of a project that has a stack of its own, a template over the atomic that it uses.
#include <nowait_check/check.h>

#include <atomic>

#ifdef PLANTED_DEFECT
constexpr auto kPublish = std::memory_order_relaxed;
#else
constexpr auto kPublish = std::memory_order_release;
#endif

#ifdef PLAIN_VALUE
using Value = int;
#else
using Value = check::var<int>;
#endif

template <template <class> class Atom>
class Stack {
 public:
  struct Node {
    Value value{0};
    Node* next = nullptr;
  };
  void Push(Node* node) {
    Node* head = head_.load(std::memory_order_relaxed);
    do {
      node->next = head;
    } while (!head_.compare_exchange_weak(head, node, kPublish, std::memory_order_relaxed));
  }
  Node* TakeAll() { return head_.exchange(nullptr, std::memory_order_acquire); }

 private:
  Atom<Node*> head_{nullptr};
};

int main() {
  const auto body = [] {
    Stack<check::atomic> stack;
    Stack<check::atomic>::Node nodes[2];
    int sum = 0;
    const auto take = [&] {
      for (auto* node = stack.TakeAll(); node != nullptr; node = node->next) sum += node->value;
    };
    const auto push = [&](int i) {
      nodes[i].value = i + 1;
      stack.Push(&nodes[i]);
    };
    check::thread one(push, 0), two(push, 1), taker(take);
    one.join();
    two.join();
    taker.join();
    take();
    check::require(sum == 3, "each node is taken once");
  };
  return check::explore(body, {.name = "stack",
                               .promise = "each node is taken once, with its value",
                               .accepted = {check::Gap::second_spurious_failure}})
      .report();
}
