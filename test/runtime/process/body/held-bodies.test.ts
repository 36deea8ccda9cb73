import assert from 'node:assert/strict';
import test from 'node:test';
import { HeldBodies } from '../../../../runtime/process/body/held-bodies.ts';

test('the bodies that have waited longest make room, one after the other', () => {
  const given: string[] = [];
  const bodies = new HeldBodies(10);
  const open = (name: string) => {
    const body = bodies.open(() => given.push(name));
    return {
      add: (bytes: number) => bodies.add(body, bytes),
      close: () => bodies.close(body),
    };
  };
  const [a, b, c] = [open('a'), open('b'), open('c')];
  a.add(4);
  b.add(4);
  c.add(2);
  assert.deepEqual(given, []);
  c.add(1);
  assert.deepEqual(given, ['a']);
  a.add(100);
  c.add(3);
  assert.deepEqual(given, ['a']);
  b.close();
  c.add(4);
  assert.deepEqual(given, ['a']);
  c.add(1);
  assert.deepEqual(given, ['a', 'c']);
  open('d').add(10);
  assert.deepEqual(given, ['a', 'c']);
});
