import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { InputRequest } from '#contract/client';
import type { TaskProgress, TaskState } from '#contract/house/task';
import { after, type TaskEvent } from '../../../../runtime/mcp/tasks/task-state.ts';

const question: InputRequest = { method: 'roots/list' };
const fresh: TaskProgress = {
  state: 'working',
  statusMessage: '',
  updatedAt: 0,
  expiresAt: 1000,
  starts: 0,
  requests: {},
  answers: { responses: {}, round: 0 },
};

/** What can be tried at any time; an answer is to some of what is asked then. */
type Attempt =
  | Exclude<TaskEvent['kind'], 'ask' | 'answer'>
  | { ask: string[] }
  | { answer: string[] };

const keys = fc.subarray(['a', 'b', '1.a'], { minLength: 1 });
const attempts: fc.Arbitrary<Attempt[]> = fc.array(
  fc.oneof(
    fc.constantFrom('start' as const, 'message' as const, 'end' as const, 'cancel' as const),
    keys.map((ask) => ({ ask })),
    keys.map((answer) => ({ answer })),
    keys.map((answer) => ({ answer })),
  ),
  { maxLength: 30 },
);

/** The standard's states (MCP, Tasks extension), in the fewest words. */
class Model {
  state: TaskState = 'working';
  round = 0;
  open = new Set<string>();

  /** Whether the attempt means something now. */
  step(attempt: Attempt): boolean {
    const isOpen = this.state === 'working' || this.state === 'input_required';
    if (attempt === 'cancel') return isOpen && this.#become('cancelled');
    if (typeof attempt === 'object' && 'answer' in attempt) {
      const hits = attempt.answer.filter((key) => this.open.delete(key));
      if (hits.length > 0 && this.open.size === 0) this.#become('working');
      return hits.length > 0;
    }
    if (this.state !== 'working') return false;
    if (attempt === 'end') return this.#become('completed');
    if (typeof attempt === 'string') return true;
    this.round += 1;
    this.open = new Set(attempt.ask);
    return this.#become('input_required');
  }

  #become(state: TaskState): true {
    this.state = state;
    if (state === 'cancelled') this.open.clear();
    return true;
  }
}

function eventOf(attempt: Attempt, round: number, count: number): TaskEvent {
  if (typeof attempt === 'object' && 'ask' in attempt) {
    return {
      kind: 'ask',
      requests: Object.fromEntries(attempt.ask.map((key) => [key, question])),
      state: count,
    };
  }
  if (typeof attempt === 'object') {
    const given = attempt.answer.map((key) => [`${round}.${key}`, { count }] as const);
    return { kind: 'answer', responses: Object.fromEntries([...given, ['a', { never: true }]]) };
  }
  switch (attempt) {
    case 'start':
      return { kind: 'start', round };
    case 'message':
      return { kind: 'message', text: `message ${count}` };
    case 'end':
      return { kind: 'end', end: { kind: 'result', result: { content: [] } } };
    case 'cancel':
      return { kind: 'cancel' };
  }
}

test('a task goes through the states of the standard and no others, whatever happens to it', () => {
  fc.assert(
    fc.property(attempts, (tried) => {
      const model = new Model();
      const asked = new Set<string>();
      let task = fresh;
      for (const [count, attempt] of tried.entries()) {
        const hadEnded = ['completed', 'failed', 'cancelled'].includes(task.state);
        const event = eventOf(attempt, model.round, count);
        const next = after(task, event, { now: count, ttlMs: 1000 });
        assert.equal(next !== undefined, model.step(attempt), JSON.stringify({ task, event }));
        if (!next) continue;
        assert.ok(!hadEnded, 'what has ended never changes');
        if (event.kind === 'ask') {
          for (const key of Object.keys(next.requests)) {
            assert.ok(!asked.has(key), `${key} was asked before`);
            asked.add(key);
          }
        }
        task = next;
        assert.equal(task.state, model.state);
        assert.equal(Object.keys(task.requests).length, model.open.size);
        assert.equal(task.end !== undefined, task.state === 'completed');
        assert.ok(task.expiresAt >= task.updatedAt);
      }
    }),
    { numRuns: 500 },
  );
});

test('an error ends a task as failed, with the message of the error', () => {
  const end = { kind: 'error', error: { code: -32603, message: 'broken' } } as const;
  const task = after(fresh, { kind: 'end', end }, { now: 5, ttlMs: 10 });
  assert.equal(task?.state, 'failed');
  assert.equal(task.statusMessage, 'broken');
});

test('the run of a round that is over does not begin again', () => {
  assert.equal(after(fresh, { kind: 'start', round: 1 }, { now: 1, ttlMs: 1 }), undefined);
  assert.equal(after(fresh, { kind: 'start', round: 0 }, { now: 1, ttlMs: 1 })?.starts, 1);
});

test('what has expired does not begin', () => {
  const start = { kind: 'start', round: 0 } as const;
  assert.equal(after(fresh, start, { now: fresh.expiresAt, ttlMs: 1 }), undefined);
});

test('answers reach the tool under its own keys, with those of earlier rounds and its last state', () => {
  const moment = { now: 1, ttlMs: 1 };
  const step = (task: TaskProgress, event: TaskEvent) => {
    const next = after(task, event, moment);
    assert.ok(next);
    return next;
  };
  let task = step(fresh, { kind: 'ask', requests: { name: question }, state: 'first' });
  task = step(task, { kind: 'answer', responses: { '1.name': { content: 'Ada' } } });
  task = step(task, { kind: 'ask', requests: { sure: question, name: question } });
  assert.deepEqual(Object.keys(task.requests), ['2.sure', '2.name']);
  task = step(task, { kind: 'answer', responses: { '2.name': { content: 'Eve' } } });
  assert.equal(task.state, 'input_required');
  assert.deepEqual(Object.keys(task.requests), ['2.sure']);
  task = step(task, { kind: 'answer', responses: { '2.sure': {}, '2.name': { late: true } } });
  assert.deepEqual(task.answers, {
    responses: { name: { content: 'Eve' }, sure: {} },
    round: 2,
  });
});
