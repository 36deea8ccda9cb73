import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import test from 'node:test';
import fc from 'fast-check';
import { renderEvent } from '../../../runtime/audit/log/canonical-event.ts';
import { EventBatch, eventsOf } from '../../../runtime/audit/log/event-batch.ts';
import { RecurringEvent } from '../../../runtime/audit/log/recurring-event.ts';
import { note } from './audit-note.ts';

const reserved = 300;

test('an event that recurs is rendered as each of them is alone, whatever stands around the gaps', () => {
  const names = fc.stringMatching(/^[a-z_]{1,12}$/).filter((name) => name !== 'clock_skew_ms');
  const members = fc.oneof(
    fc.maxSafeInteger(),
    fc.boolean(),
    fc.constantFrom('0', '1', '"ms":0', '"ms":1', 'Grüße\n😀', '\u2028'),
    fc.dictionary(fc.constantFrom('ms', 'a', 'z'), fc.integer({ min: 0, max: 1 })),
  );
  fc.assert(
    fc.property(
      fc.dictionary(names, members),
      fc.constantFrom('ms', 'a', 'zz', '0'),
      fc.array(fc.maxSafeNat(), { minLength: 1, maxLength: 5 }),
      (payload, integer, values) => {
        const recurring = new RecurringEvent(note(1, { payload }), integer, reserved);
        const batch = new EventBatch();
        const expected = values.map((value) => {
          const id = randomUUID();
          batch.addCall(recurring, id, value);
          const event = { ...payload, [integer]: value };
          return renderEvent(note(1, { payload: event, correlation_id: id }), reserved);
        });
        assert.deepEqual(eventsOf(batch.take()), expected);
      },
    ),
  );
});

test('a batch keeps the order of events that recur and of those that do not', () => {
  const [one, two] = [1, 2].map(
    (number) => new RecurringEvent(note(number, { summary: `"${number}"` }), 'number', reserved),
  );
  assert.ok(one && two);
  const batch = new EventBatch();
  const ids = Array.from({ length: 4 }, () => randomUUID());
  const fill = () => {
    const alone = renderEvent(note(3), reserved);
    assert.ok(batch.fits(alone));
    let size = batch.addCall(two, ids[0] ?? '', 10);
    size += batch.addCall(one, ids[1] ?? '', 11);
    size += batch.add(alone);
    size += batch.addCall(two, ids[2] ?? '', 12);
    const events = batch.take();
    assert.equal(events.length, size);
    return eventsOf(events);
  };
  const expected = [two.with(ids[0] ?? '', 10), one.with(ids[1] ?? '', 11), note(3)]
    .concat(two.with(ids[2] ?? '', 12))
    .map((event) => renderEvent(event, reserved));
  assert.deepEqual(fill(), expected);
  // Each batch can be read without the one before.
  assert.deepEqual(fill(), expected);
});

test('what is not right in an event is found before its first call', () => {
  const refused = (changes: Parameters<typeof note>[1], field: string) =>
    assert.throws(() => new RecurringEvent(note(1, changes), 'duration_ms', reserved), {
      code: 'audit_invalid_event',
      detail: { field },
    });
  refused({ payload: { amount: 1.5 } }, 'payload.amount');
  refused({ summary: 'two\nlines' }, 'summary');
  refused({ payload: { password: 'x' } }, 'payload.password');
  refused({ payload: { text: 'x'.repeat(65_000) } }, 'payload');
});

test('a batch has room for what it says it has room for', () => {
  const batch = new EventBatch();
  const large = (number: number) =>
    new RecurringEvent(note(number, { payload: { text: '世'.repeat(21_000) } }), 'ms', reserved);
  let added = 0;
  for (let next = large(0); batch.fitsCall(next); next = large(added)) {
    batch.addCall(next, randomUUID(), Number.MAX_SAFE_INTEGER);
    added += 1;
  }
  assert.ok(added >= 2);
  assert.equal(eventsOf(batch.take()).length, added);
});
