import assert from 'node:assert/strict';
import test from 'node:test';
import { openGate } from '../../../runtime/edge/gate.ts';

const settings = {
  keys: [new Uint8Array(32)],
  project: 'shop',
  origins: ['https://shop.example'],
  perMinute: 60,
  maxBytes: 1024,
};
const parts = { now: () => 0, forward: async () => {}, count: () => {} };

test('a gate opens with whole bounds alone, as NaN would bound nothing', () => {
  assert.equal(typeof openGate(settings, parts), 'function');
  for (const name of ['perMinute', 'maxBytes']) {
    for (const wrong of [Number.NaN, 0, -1, 1.5, Number.POSITIVE_INFINITY]) {
      assert.throws(() => openGate({ ...settings, [name]: wrong }, parts), {
        name: 'RangeError',
        message: new RegExp(`^${name} has to be a whole number above 0, not ${wrong}$`),
      });
    }
  }
});
