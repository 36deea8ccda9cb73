import assert from 'node:assert/strict';
import test from 'node:test';
import { repairWithdrawn } from '../../../generator/read/repair/repair-withdrawn.ts';

/** What is left of the demands of operations, `false` where one takes the usual credential away. */
function read(methods: Readonly<Record<string, boolean>>, security: unknown = [{ bearer: [] }]) {
  const paths = Object.fromEntries(
    Object.entries(methods).map(([place, isAsked]) => {
      const [path = '', method = ''] = place.split(' ');
      return [path, { [method]: isAsked ? {} : { security: [] } }];
    }),
  );
  const told: string[] = [];
  repairWithdrawn({ security, paths }, (_, message) => told.push(message));
  const left = Object.values(paths).filter((item) => 'security' in (Object.values(item)[0] ?? {}));
  return { left: left.length, told };
}

const three = { '/a post': false, '/b put': false, '/c delete': false };

test('a credential that most operations take away again is what they all demand', () => {
  const { left, told } = read({ ...three, '/d get': false, '/e post': true });
  assert.equal(left, 0);
  assert.deepEqual(told, [
    'most operations take it away again; it is read as what they all demand',
  ]);
});

test('what is open to all stays so where others that change something are not', () => {
  assert.equal(read({ '/in post': false, '/up post': false, '/a post': true }).left, 2);
  assert.equal(read({ ...three, '/d post': true, '/e post': true, '/f put': true }).left, 3);
  assert.equal(
    read({ '/a get': false, '/b get': false, '/c get': false, '/d get': false }).left,
    4,
  );
  assert.equal(read(three, []).left, 3);
  assert.equal(read(three, [{}]).left, 3);
});
