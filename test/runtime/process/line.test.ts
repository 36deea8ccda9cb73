import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { Line, type Place } from '../../../runtime/process/line.ts';

test('a line holds what a Set would, in the same order', () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant('add' as const) }),
    fc.record({ kind: fc.constant('remove' as const), at: fc.nat(30) }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const line = new Line<number>();
      const model = new Set<number>();
      const places: Place<number>[] = [];
      for (const next of steps) {
        if (next.kind === 'add') {
          model.add(places.length);
          places.push(line.add(places.length));
          continue;
        }
        const place = places[next.at];
        if (place) assert.equal(line.remove(place), model.delete(place.value));
      }
      assert.deepEqual(line.values, [...model]);
      assert.equal(line.size, model.size);
      assert.equal(line.first?.value, [...model][0]);
      for (const place of places) assert.equal(line.has(place), model.has(place.value));
    }),
  );
});

test('whoever has left a line keeps nobody who stood beside', () => {
  const line = new Line<string>();
  const [first, second, third] = ['a', 'b', 'c'].map((value) => line.add(value));
  if (second) line.remove(second);
  assert.deepEqual({ ...second }, { value: 'b', before: undefined, after: undefined, isIn: false });
  if (first) line.remove(first);
  if (third) line.remove(third);
  assert.deepEqual(line.values, []);
});
