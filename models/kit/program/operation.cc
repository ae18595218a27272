#include "models/kit/program/operation.h"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <string>
#include <string_view>

namespace nowait::model {

const char* Name(OperationKind kind) {
  switch (kind) {
    case OperationKind::kLoad:
      return "load";
    case OperationKind::kStore:
      return "store";
    case OperationKind::kLateStore:
      return "store takes effect";
    case OperationKind::kCompareExchange:
      return "compare-exchange";
    case OperationKind::kExchange:
      return "exchange";
    case OperationKind::kFetchAdd:
      return "fetch_add";
    case OperationKind::kFetchSub:
      return "fetch_sub";
    case OperationKind::kFetchAnd:
      return "fetch_and";
    case OperationKind::kFetchOr:
      return "fetch_or";
    case OperationKind::kFetchXor:
      return "fetch_xor";
    case OperationKind::kWait:
      return "wait";
    case OperationKind::kSleep:
      return "sleep";
    case OperationKind::kNotify:
      return "notify";
    case OperationKind::kFence:
      return "fence";
    case OperationKind::kPlainRead:
      return "plain read";
    case OperationKind::kPlainWrite:
      return "plain write";
    case OperationKind::kLock:
      return "lock";
    case OperationKind::kTryLock:
      return "try_lock";
    case OperationKind::kUnlock:
      return "unlock";
    case OperationKind::kWaitCondition:
      return "condition wait";
    case OperationKind::kWakeUp:
      return "condition wake";
    case OperationKind::kNotifyCondition:
      return "condition notify";
    case OperationKind::kYield:
      return "yield";
    case OperationKind::kNew:
      return "new";
    case OperationKind::kDelete:
      return "delete";
    case OperationKind::kUse:
      return "use";
    case OperationKind::kEndAtomic:
      return "end of atomic";
    case OperationKind::kEndPlain:
      return "end of plain datum";
    case OperationKind::kEndMutex:
      return "end of mutex";
    case OperationKind::kEndCondition:
      return "end of condition";
  }
  return "?";
}

const char* Name(std::memory_order order) {
  switch (order) {
    case std::memory_order::relaxed:
      return "relaxed";
    case std::memory_order::consume:
      return "consume";
    case std::memory_order::acquire:
      return "acquire";
    case std::memory_order::release:
      return "release";
    case std::memory_order::acq_rel:
      return "acq_rel";
    case std::memory_order::seq_cst:
      return "seq_cst";
  }
  return "?";
}

std::string Format(Word value, ValueType type) {
  switch (type) {
    case ValueType::kUnsigned:
      return fmt::format("{}", value);
    case ValueType::kSigned:
      return fmt::format("{}", static_cast<std::int64_t>(value));
    case ValueType::kFloat:
      return fmt::format("{}", std::bit_cast<float>(static_cast<std::uint32_t>(value)));
    case ValueType::kDouble:
      return fmt::format("{}", std::bit_cast<double>(value));
    case ValueType::kBool:
      return value != 0 ? "true" : "false";
    case ValueType::kPointer:
      return value == 0 ? "null" : fmt::format("{:#x}", value);
    case ValueType::kOther:
      return fmt::format("{:#x}", value);
  }
  return "?";
}

std::string FileOf(const Site& site) {
  // The file may have been passed to the compiler as "./models/...".
  std::string_view file = site.file_name();
  if (file.starts_with("./")) file.remove_prefix(2);
  return std::string(file);
}

std::string Format(const Site& site) { return fmt::format("{}:{}", FileOf(site), site.line()); }

}  // namespace nowait::model
