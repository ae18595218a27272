#include "models/kit/exhaustive/parallel/process_report.h"

#include <cstddef>
#include <cstring>
#include <type_traits>

#include "src/base/assert.h"

namespace nowait::model {
namespace {

static_assert(std::is_trivially_copyable_v<SiteRecord>);

class Packer {
 public:
  template <class T>
  void Put(const T& value) {
    static_assert(std::is_trivially_copyable_v<T>);
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  // Sequence: a string or a vector.
  template <class Sequence>
  void PutAll(const Sequence& values) {
    Put(values.size());
    for (const auto& value : values) Put(value);
  }
  std::string bytes() { return std::move(bytes_); }

 private:
  std::string bytes_;
};

class Unpacker {
 public:
  explicit Unpacker(std::string_view bytes) : bytes_(bytes) {}

  template <class T>
  T Get() {
    NOWAIT_ASSERT(bytes_.size() >= sizeof(T), "a process that ended well has reported everything");
    T value;
    std::memcpy(&value, bytes_.data(), sizeof value);
    bytes_.remove_prefix(sizeof value);
    return value;
  }
  template <class Sequence>
  Sequence GetAll() {
    Sequence values;
    for (auto count = Get<std::size_t>(); count > 0; --count) {
      values.push_back(Get<typename Sequence::value_type>());
    }
    return values;
  }

 private:
  std::string_view bytes_;
};

}  // namespace

std::string Pack(const ProcessReport& report) {
  Packer packer;
  packer.Put(report.executions);
  packer.Put(report.done);
  packer.Put(report.left.size());
  for (const TreePath& path : report.left) packer.PutAll(path);
  packer.PutAll(report.sites);
  packer.PutAll(report.omissions);
  packer.Put(report.found.has_value());
  if (report.found) {
    packer.Put(report.found->failure.kind);
    packer.PutAll(report.found->failure.words);
    packer.Put(report.found->failure.site);
    packer.Put(report.found->failure.thread);
    packer.PutAll(report.found->path);
  }
  return packer.bytes();
}

ProcessReport Unpack(std::string_view bytes) {
  Unpacker unpacker(bytes);
  ProcessReport report;
  report.executions = unpacker.Get<std::uint64_t>();
  report.done = unpacker.Get<double>();
  for (auto count = unpacker.Get<std::size_t>(); count > 0; --count) {
    report.left.push_back(unpacker.GetAll<TreePath>());
  }
  report.sites = unpacker.GetAll<std::vector<SiteRecord>>();
  report.omissions = unpacker.GetAll<std::string>();
  if (unpacker.Get<bool>()) {
    Found& found = report.found.emplace();
    found.failure.kind = unpacker.Get<FailureKind>();
    found.failure.words = unpacker.GetAll<std::string>();
    found.failure.site = unpacker.Get<Site>();
    found.failure.thread = unpacker.Get<int>();
    found.path = unpacker.GetAll<TreePath>();
  }
  return report;
}

}  // namespace nowait::model
