import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  type ActiveAlert,
  advance,
  type Found,
  type Watched,
} from '../../../../runtime/surfaces/observability/alerts/active-alert.ts';

const minute = 60_000;
const watched: Watched = {
  ...{ rule: 'g/Slow/1', alert: 'Slow', source: 'rule', evaluatedBy: 'prom' },
  ...{ forMs: 2 * minute, keepMs: 0 },
};

function held(pod: string): Found {
  return { labels: { pod }, annotations: {}, value: '1' };
}

/** Looks once a minute, unless it is told otherwise. */
function watching(rule: Partial<Watched> = {}) {
  let now = 1_700_000_000_000;
  let formerly: number | undefined;
  let active: readonly ActiveAlert[] = [];
  return (pods: readonly string[], passed = minute) => {
    now += passed;
    const step = advance({ ...watched, ...rule }, active, pods.map(held), {
      ...{ now, formerly, everyMs: minute },
    });
    formerly = now;
    active = step.active;
    return {
      states: active.map(({ labels, state }) => `${labels['pod']} ${state}`),
      fired: step.fired.map(({ labels }) => labels['pod']),
      resolved: step.resolved.map(({ labels }) => labels['pod']),
      sinceMs: active.map(({ activeAt }) => now - activeAt),
    };
  };
}

describe('an alert', () => {
  test('is pending for as long as its rule says, and then fires once', () => {
    const look = watching();
    assert.deepEqual(look(['a']).states, ['a pending']);
    assert.deepEqual(look(['a']).states, ['a pending']);
    const third = look(['a']);
    assert.deepEqual([third.states, third.fired], [['a firing'], ['a']]);
    const fourth = look(['a']);
    assert.deepEqual(
      [fourth.states, fourth.fired, fourth.sinceMs],
      [['a firing'], [], [3 * minute]],
    );
  });

  test('fires at once without a time to wait', () => {
    const { states, fired } = watching({ forMs: 0 })(['a']);
    assert.deepEqual([states, fired], [['a firing'], ['a']]);
  });

  test('that was pending is forgotten without a word, and begins anew', () => {
    const look = watching();
    look(['a']);
    assert.deepEqual(look([]), { states: [], fired: [], resolved: [], sinceMs: [] });
    assert.deepEqual(look(['a']).states, ['a pending']);
  });

  test('that has fired is resolved when its condition does not hold any more', () => {
    const look = watching({ forMs: 0 });
    look(['a', 'b']);
    const after = look(['b']);
    assert.deepEqual([after.states, after.resolved, after.fired], [['b firing'], ['a'], []]);
  });

  test('goes on firing for as long as its rule keeps it', () => {
    const look = watching({ forMs: 0, keepMs: 2 * minute });
    look(['a']);
    assert.deepEqual(look([]).states, ['a firing']);
    assert.deepEqual(look(['a']).fired, []);
    assert.deepEqual(look([]).states, ['a firing']);
    const gone = look([]);
    assert.deepEqual([gone.states, gone.resolved], [[], ['a']]);
  });

  test('does not wait through a time in which nobody has looked', () => {
    const look = watching({ forMs: 10 * minute });
    look(['a']);
    look(['a']);
    // The server is down for an hour: of that, three looks are late at most.
    const after = look(['a'], 60 * minute);
    assert.deepEqual([after.states, after.sinceMs], [['a pending'], [4 * minute]]);
  });

  test('that a back end evaluates itself is as that says', () => {
    const activeAt = 1_699_999_000_000;
    const found = { ...held('a'), known: { state: 'firing', activeAt } } as const;
    const looks = { now: activeAt + minute, formerly: undefined, everyMs: minute };
    const { active, fired } = advance(watched, [], [found], looks);
    assert.deepEqual([active[0]?.firedAt, active[0]?.activeAt], [activeAt, activeAt]);
    assert.equal(fired.length, 1);
    assert.deepEqual(advance(watched, active, [found], looks).fired, []);
  });
});
