// The record in the page: found, parsed, and looked through for damage before anything is drawn, so
// that a file that was cut or edited gives one sentence and not half a page.

export const kFormat = "nowait counterexample";
export const kVersion = 1;

export class Damaged extends Error {}

export function ReadRecord() {
  const text = document.getElementById("record").textContent;
  let record;
  try {
    record = JSON.parse(text);
  } catch (error) {
    throw new Damaged(`it is not JSON (${error.message})`);
  }
  Check(IsObject(record), "the record is not an object");
  Check(record.format === kFormat, `its format is ${Show(record.format)}, not "${kFormat}"`);
  Check(record.version === kVersion,
        `its version is ${Show(record.version)}; this page reads version ${kVersion}`);
  Check(typeof record.structure === "string", "structure is not a name");
  Check(IsObject(record.scenario) && typeof record.scenario.name === "string",
        "scenario has no name");
  Check(Array.isArray(record.sources), "sources is not a list");
  record.sources.forEach((source, i) => CheckSource(source, `sources[${i}]`));
  CheckExecution(record.execution, "execution");
  CheckFailure(record.execution);
  if (record.repair && record.repair.execution) {
    CheckExecution(record.repair.execution, "repair.execution");
    CheckParting(record.repair.diverges, record.execution, record.repair.execution);
  }
  if (record.recorded) CheckRecorded(record.recorded);
  return record;
}

// A gallery's story before the counterexample, or null.
export function ReadStory() {
  const story = JSON.parse(document.getElementById("story").textContent);
  Check(story === null || Array.isArray(story.parts), "its story has no parts");
  return story;
}

function CheckSource(source, where) {
  Check(IsObject(source) && typeof source.file === "string" && Array.isArray(source.lines),
        `${where} is not a file with its lines`);
}

function CheckExecution(execution, where) {
  Check(IsObject(execution), `${where} is missing`);
  for (const list of ["objects", "calls", "events", "modification_orders", "synchronises_with",
                      "candidates"]) {
    Check(Array.isArray(execution[list]), `${where}.${list} is not a list`);
  }
  const count = execution.events.length;
  const objects = new Set(execution.objects.map((object) => object.id));
  const calls = new Set(execution.calls.map((call) => call.id));
  const is_event = (number) => Number.isInteger(number) && number >= 1 && number <= count;
  const check_event = (number, path) =>
    Check(is_event(number), `${where}.${path} names step ${Show(number)}, and there are ${count}`);

  Check(count > 0, `${where}.events is empty`);
  execution.events.forEach((event, i) => {
    const path = `${where}.events[${i}]`;
    Check(IsObject(event), `${path} is not an event`);
    Check(event.number === i + 1, `${path}.number is ${Show(event.number)}, not ${i + 1}`);
    Check(Number.isInteger(event.thread) && event.thread >= -2, `${path}.thread is no thread`);
    Check(typeof event.kind === "string", `${path}.kind is missing`);
    Check(event.object === null || objects.has(event.object), `${path}.object is unknown`);
    Check(event.call === null || calls.has(event.call), `${path}.call is unknown`);
    Check(event.site === null || IsObject(event.site) && typeof event.site.file === "string",
          `${path}.site is no place`);
    if (event.read && event.read.from !== null) {
      check_event(event.read.from, `events[${i}].read.from`);
    }
  });
  execution.modification_orders.forEach((order, i) => {
    Check(objects.has(order.object), `${where}.modification_orders[${i}].object is unknown`);
    order.stores.forEach((store) => check_event(store, `modification_orders[${i}]`));
  });
  execution.synchronises_with.forEach((edge, i) => {
    check_event(edge.from, `synchronises_with[${i}].from`);
    check_event(edge.to, `synchronises_with[${i}].to`);
  });
  execution.candidates.forEach((candidate, i) => {
    check_event(candidate.event, `candidates[${i}].event`);
    Check(Array.isArray(candidate.stores), `${where}.candidates[${i}].stores is not a list`);
  });
}

function IsStep(number, execution) {
  return Number.isInteger(number) && number >= 1 && number <= execution.events.length;
}

function CheckFailure(execution) {
  const failure = execution.failure;
  Check(IsObject(failure), "execution.failure is missing: nothing fails here");
  Check(Array.isArray(failure.details), "execution.failure.details is not a list");
  Check(Array.isArray(failure.events), "execution.failure.events is not a list");
  failure.events.forEach((number, i) => Check(IsStep(number, execution),
    `execution.failure.events[${i}] names step ${Show(number)}, and there are ${execution.events.length}`));
}

// Where the two executions diverge.
function CheckParting(diverges, failing, repaired) {
  if (!diverges) return;
  Check(IsStep(diverges.event, failing), "repair.diverges.event names no step");
  Check(IsStep(diverges.other, repaired), "repair.diverges.other names no step");
  Check(typeof diverges.words === "string", "repair.diverges.words is no text");
}

function CheckRecorded(recorded) {
  Check(Array.isArray(recorded.operations) && Array.isArray(recorded.executions),
        "recorded has no operations or no executions");
  recorded.executions.forEach((execution, i) => {
    const where = `recorded.executions[${i}]`;
    Check(Array.isArray(execution.order), `${where}.order is not a list`);
    execution.order.forEach(([operation, from], k) => {
      Check(Number.isInteger(operation) && operation in recorded.operations, `${where}.order[${k}] names no operation`);
      Check(Number.isInteger(from) && from < k, `${where}.order[${k}] reads from what is not before it`);
    });
  });
}

function Check(holds, words) {
  if (!holds) throw new Damaged(words);
}

function IsObject(value) {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function Show(value) {
  return value === undefined ? "missing" : JSON.stringify(value);
}
