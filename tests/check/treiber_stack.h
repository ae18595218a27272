// The stack of R. K. Treiber (1986), written as a user of the library would: over any atomic. With
// `kHeads` as a plain pointer it has the error that everybody makes once, reuse of a freed node
// between the load of the head and the exchange (ABA).
#ifndef NOWAIT_TESTS_CHECK_TREIBER_STACK_H_
#define NOWAIT_TESTS_CHECK_TREIBER_STACK_H_

#include <atomic>

namespace stacks {

enum class Publishes { kReleased, kRelaxed };

// Nodes are the caller's, and are not freed while the stack is in use.
template <template <class> class Atom, class Datum, Publishes kPublishes = Publishes::kReleased>
class TreiberStack {
 public:
  struct Node {
    Datum value{};
    Node* next = nullptr;
  };

  void Push(Node* node) {
    constexpr auto kOrder =
        kPublishes == Publishes::kReleased ? std::memory_order_release : std::memory_order_relaxed;
    Node* head = head_.load(std::memory_order_relaxed);
    do {
      node->next = head;
    } while (!head_.compare_exchange_weak(head, node, kOrder, std::memory_order_relaxed));
  }
  // All of them, the newest first.
  Node* TakeAll() { return head_.exchange(nullptr, std::memory_order_acquire); }

 private:
  Atom<Node*> head_{nullptr};
};

// Pops one at a time and gives its nodes back at once: between its load of the head and its
// exchange another thread may free that node and push it again.
template <template <class> class Atom>
class FreeingStack {
 public:
  struct Node {
    explicit Node(int v) : value(v) {}
    int value;
    Atom<Node*> next{nullptr};
  };

  ~FreeingStack() {
    int value = 0;
    while (Pop(&value)) {
    }
  }
  void Push(int value) {
    Node* const node = new Node(value);
    Node* head = head_.load();
    do {
      node->next.store(head);
    } while (!head_.compare_exchange_weak(head, node));
  }
  bool Pop(int* value) {
    Node* head = head_.load();
    do {
      if (head == nullptr) return false;
    } while (!head_.compare_exchange_weak(head, head->next.load()));
    *value = head->value;
    delete head;
    return true;
  }

 private:
  Atom<Node*> head_{nullptr};
};

}  // namespace stacks

#endif  // NOWAIT_TESTS_CHECK_TREIBER_STACK_H_
