#include <cstddef>
#include <vector>

#include "models/kit/exhaustive/graph/seq_cst.h"
#include "models/kit/exhaustive/oracle/checker.h"
#include "models/kit/exhaustive/oracle/graph_signature.h"
#include "models/kit/exhaustive/search/extension.h"
#include "models/kit/exhaustive/search/work_list.h"

namespace nowait::model::oracle {
namespace {

Request RequestOf(const Statement& statement) {
  using enum Statement::Kind;
  Request request;
  request.order = statement.order;
  request.failure = statement.failure;
  request.expected = static_cast<Word>(statement.expected);
  request.operand = static_cast<Word>(statement.value);
  switch (statement.kind) {
    case kLoad:
      request.effect = Effect::kRead;
      break;
    case kStore:
      request.effect = Effect::kWrite;
      break;
    case kAdd:
      request.effect = Effect::kUpdate;
      request.combine = [](Word old, Word operand) { return old + operand; };
      break;
    case kExchange:
      request.effect = Effect::kUpdate;
      request.combine = [](Word, Word operand) { return operand; };
      break;
    case kStrong:
    case kWeak:
      request.effect = Effect::kExchangeIfEqual;
      request.weak = statement.kind == kWeak;
      break;
    case kFence:
    case kRead:
    case kWrite:
      request.effect = Effect::kFence;
      break;
  }
  return request;
}

Findings FindBelow(const Graph& root, const StraightLine& program) {
  std::vector<std::vector<Statement>> threads;
  for (const auto& thread : program.threads) {
    auto& steps = threads.emplace_back(thread);
    std::erase_if(steps, [](const Statement& statement) { return statement.IsPlain(); });
  }
  Findings findings;
  WorkList work_list;
  Extension extension(work_list);
  Graph graph;
  work_list.Begin(root, TreePath(), 1);
  while (!work_list.empty()) {
    if (findings.executions.size() == kMaxExecutions) {
      findings.complaint = "the search does not end";
      break;
    }
    work_list.Pop(graph);
    for (std::size_t t = 0; t < threads.size(); ++t) {
      const int thread = static_cast<int>(t);
      while (graph.Length(thread) < threads[t].size()) {
        const Statement& statement = threads[t][graph.Length(thread)];
        const LocationIndex location =
            statement.IsFence() ? kNoLocation
                                : graph.Locate(static_cast<ObjectName>(statement.location), 0);
        extension.Add(graph, thread, RequestOf(statement), location, Site(), Observations());
        // The search itself never checks this for the first choice (extension.h).
        if (!HasTotalOrder(graph)) findings.complaint = "a maximal choice without an order S";
      }
    }
    findings.executions.push_back(SignatureOf(graph, program));
    work_list.EndVisit();
  }
  return findings;
}

}  // namespace

Findings FindByGraphs(const StraightLine& program) { return FindBelow(Graph(), program); }

Findings FindRepresentatives(const StraightLine& program) {
  Graph root;
  root.SetSymmetric();
  return FindBelow(root, program);
}

}  // namespace nowait::model::oracle
