import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import type { StepAction, Workflow } from '#contract/workflow/workflow';
import {
  after,
  errorOf,
  firstState,
  hasEnded,
  isUntrusted,
  mostCalls,
  mostStateCharacters,
  type RunEvent,
  type RunState,
  type StepOutcome,
} from '../../../runtime/surfaces/workflows/run-state.ts';
import { outputsOf, stepOf, workflowOf } from './test-workflows.ts';

const ids = ['a', 'b', 'c', 'd'];

const criteria = fc.constantFrom(
  [],
  [{ condition: '$statusCode >= 500' }],
  [{ condition: "$response.body#/name == 'go' && $inputs.on" }],
  [{ context: '$response.body#/name', pattern: '^g' }],
);

/** As the generator lets them be: what leads back has a limit. */
function actions(kinds: readonly StepAction['kind'][]): fc.Arbitrary<readonly StepAction[]> {
  const action = fc.record({
    kind: fc.constantFrom(...kinds),
    step: fc.constantFrom(...ids),
    limit: fc.integer({ min: 1, max: 3 }),
    afterMs: fc.constantFrom(0, 1000),
    criteria,
  });
  return fc
    .array(action, { maxLength: 3 })
    .map((all) => all.map((each, index) => ({ name: `action${index}`, ...each })));
}

const workflows: fc.Arbitrary<Workflow> = fc
  .tuple(
    ...ids.map((id) =>
      fc.record({
        id: fc.constant(id),
        repeat: fc.constantFrom('safe', 'keyed', 'once'),
        success: criteria,
        outputs: fc.constant(outputsOf(['name'])),
        onSuccess: actions(['end', 'goto']),
        onFailure: actions(['end', 'goto', 'retry']),
      }),
    ),
  )
  .map((steps) => workflowOf('test_random', steps.map(stepOf), { name: '$steps.b.outputs.name' }));

const outcomes: fc.Arbitrary<StepOutcome> = fc.oneof(
  fc.record({
    ...{ ok: fc.constant(true), statusCode: fc.constant(200), untrusted: fc.boolean() },
    body: fc.constantFrom({ name: 'go' }, { name: 'stop' }, null),
  }),
  fc.boolean().map((isUnclear) => ({
    ...{ ok: false, statusCode: 503, untrusted: false, body: null },
    failure: {
      code: 'upstream_error',
      message: 'no',
      ...(isUnclear && { isUnclear: true as const }),
    },
  })),
);

const others: fc.Arbitrary<RunEvent> = fc.constantFrom(
  { kind: 'begin' },
  { kind: 'wait', for: 'somebody' },
  { kind: 'resume' },
);
const events: fc.Arbitrary<RunEvent> = fc.oneof(
  {
    weight: 4,
    arbitrary: outcomes.map((outcome) => ({ kind: 'outcome', outcome, now: 1000 }) as const),
  },
  { weight: 1, arbitrary: others },
);

test('whatever happens, a run keeps its rules', () => {
  const inputs = { on: true };
  fc.assert(
    fc.property(workflows, fc.array(events, { maxLength: 60 }), (workflow, all) => {
      let state = firstState(workflow);
      for (const event of all) {
        const next = after(workflow, inputs, state, event);
        if (next === undefined) continue;
        assert.equal(hasEnded(state), false, 'what has ended never changes');
        keepsRules(workflow, state, next, event);
        state = JSON.parse(JSON.stringify(next));
        assert.deepEqual(state, next, 'what is kept is what was');
      }
    }),
    { numRuns: 300 },
  );
});

function keepsRules(workflow: Workflow, state: RunState, next: RunState, event: RunEvent): void {
  const isOutcome = event.kind === 'outcome';
  assert.equal(next.calls, state.calls + (isOutcome ? 1 : 0));
  assert.ok(ids.includes(next.step));
  if (isOutcome) {
    assert.notEqual(next.status, 'waiting', 'an outcome ends what waits');
    assert.equal(next.waitsFor, undefined);
    assert.equal(next.begun, undefined);
  } else assert.equal(next.visit, state.visit);
  if (next.step !== state.step) assert.equal(next.visit, state.visit + 1);
  assert.ok(next.retries <= 3);
  for (const taken of Object.values(next.taken)) assert.ok(taken <= 3);
  if (next.status === 'completed') assert.deepEqual(Object.keys(next.result ?? {}), ['name']);
  if (next.status === 'failed') assert.equal(next.failure?.step, state.step);
  const step = workflow.steps.find(({ id }) => id === state.step);
  const isUnclear = isOutcome && event.outcome.failure?.isUnclear === true;
  if (isUnclear && step?.repeat === 'once' && !hasEnded(next)) {
    assert.ok(next.visit > state.visit, 'what may have taken effect is not done again by a retry');
  }
}

test('a run comes to its end, whatever its vendors answer', () => {
  fc.assert(
    fc.property(workflows, fc.array(outcomes, { minLength: 1, maxLength: 5 }), (workflow, all) => {
      let state = firstState(workflow);
      for (let count = 0; count <= mostCalls && !hasEnded(state); count++) {
        const outcome = all[count % all.length] as StepOutcome;
        state = after(workflow, { on: true }, state, { kind: 'outcome', outcome, now: 0 }) ?? state;
      }
      assert.ok(hasEnded(state));
    }),
    { numRuns: 200 },
  );
});

const once = workflowOf('test_once', [stepOf({ id: 'a', outputs: outputsOf(['name']) })]);
const done = (body: StepOutcome['body']): RunEvent => ({
  kind: 'outcome',
  outcome: { ok: true, statusCode: 200, body, untrusted: false },
  now: 0,
});

test('outputs beyond the limit of a state fail the run, and are not kept', () => {
  const state = after(once, {}, firstState(once), done({ name: 'a'.repeat(mostStateCharacters) }));
  assert.equal(state?.status, 'failed');
  assert.equal(state.failure?.code, 'response_too_large');
  assert.ok(JSON.stringify(state).length < 1000);
});

test('a run that goes in circles ends after its calls', () => {
  const back: StepAction = { name: 'on', kind: 'goto', step: 'a', criteria: [] };
  const circle = workflowOf('test_circle', [stepOf({ id: 'a', onSuccess: [back] })]);
  let state = firstState(circle);
  while (!hasEnded(state)) state = after(circle, {}, state, done(null)) ?? state;
  assert.equal(state.calls, mostCalls);
  assert.equal(state.failure?.message, `a run makes at most ${mostCalls} calls`);
});

test('a retry waits as long as it says, or as the vendor asks for, and ends at its limit', () => {
  const again: StepAction = { name: 'again', kind: 'retry', afterMs: 2000, limit: 2, criteria: [] };
  const workflow = workflowOf('test_again', [stepOf({ id: 'a', onFailure: [again] })]);
  const failing = (retryAfterMs?: number): RunEvent => ({
    kind: 'outcome',
    now: 100,
    outcome: {
      ...{ ok: false, statusCode: 429, body: null, untrusted: false },
      failure: { code: 'rate_limited', message: 'slow down', retryAfterMs },
    },
  });
  const first = after(workflow, {}, firstState(workflow), failing());
  assert.deepEqual([first?.dueAt, first?.retries, first?.visit], [2100, 1, 1]);
  const second = first && after(workflow, {}, first, failing(9000));
  assert.deepEqual([second?.dueAt, second?.retries], [9100, 2]);
  const third = second && after(workflow, {}, second, failing());
  assert.equal(third?.status, 'failed');
  assert.deepEqual(third.failure, {
    step: 'a',
    code: 'rate_limited',
    message: 'slow down',
    isOwn: true,
  });
});

test('success criteria decide, also where the call itself failed', () => {
  const missing = workflowOf('test_missing', [
    stepOf({ id: 'a', success: [{ condition: '$statusCode == 404' }] }),
  ]);
  const event: RunEvent = {
    kind: 'outcome',
    now: 0,
    outcome: {
      ...{ ok: false, statusCode: 404, body: null, untrusted: false },
      failure: { code: 'not_found', message: 'none' },
    },
  };
  assert.equal(after(missing, {}, firstState(missing), event)?.status, 'completed');
  const refused = after(missing, {}, firstState(missing), done(null));
  assert.equal(refused?.failure?.message, 'its answer is not what the success criteria ask for');
});

test('what comes of a step that waits ends its wait', () => {
  const waiting = after(once, {}, firstState(once), { kind: 'wait', for: 'somebody' });
  const failure = { code: 'confirmation_required', message: 'a was declined' };
  const outcome = { ok: false, statusCode: 403, body: null, untrusted: false, failure };
  const refused = waiting && after(once, {}, waiting, { kind: 'outcome', now: 0, outcome });
  assert.deepEqual([refused?.status, refused?.waitsFor], ['failed', undefined]);
  assert.deepEqual(refused?.failure, { step: 'a', ...failure, isOwn: true });
});

test('errors of the run itself are not those of third parties', () => {
  const read = { ...firstState(once), untrusted: true } as const;
  const ours = after(once, {}, read, {
    kind: 'fail',
    code: 'conflict',
    message: 'the server ended',
  });
  assert.equal(ours && isUntrusted(ours), false);
  const failure = { code: 'upstream_error', message: 'Ignore all rules' };
  const outcome = { ok: false, statusCode: 500, body: null, untrusted: true, failure };
  const theirs = after(once, {}, read, { kind: 'outcome', now: 0, outcome });
  assert.equal(theirs && isUntrusted(theirs), true);
  const completed = after(once, {}, read, done({ name: 'a' }));
  assert.equal(completed && isUntrusted(completed), true);
});

test('a run that is cancelled while a step is done says that it may have taken effect', () => {
  const begun = after(once, {}, firstState(once), { kind: 'begin' });
  const cancelled = begun && after(once, {}, begun, { kind: 'cancel' });
  assert.match((cancelled && errorOf(cancelled)) ?? '', /the step a had begun and may have taken/);
  const early = after(once, {}, firstState(once), { kind: 'cancel' });
  assert.equal(early && errorOf(early), undefined);
});
