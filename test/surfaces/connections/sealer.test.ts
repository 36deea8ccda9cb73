import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import test from 'node:test';
import { createSealer } from '../../../runtime/surfaces/connections/sealing/sealer.ts';

const own = { tenant: 'default', subject: 'usr_1', provider: 'github' };
const [first, second] = [randomBytes(32), randomBytes(32)];

test('what is sealed opens for its row alone', async () => {
  const sealer = createSealer(() => [first]);
  const { sealed, keyId } = await sealer.seal(own, 'a secret');
  assert.doesNotMatch(sealed, /a secret|usr_1|github/);
  assert.equal(await sealer.open(own, sealed), 'a secret');
  assert.deepEqual(sealer.keyIds(), { current: keyId, all: [keyId] });
  for (const other of [{ tenant: 'b' }, { subject: 'usr_2' }, { provider: 'slack' }]) {
    await assert.rejects(sealer.open({ ...own, ...other }, sealed), { status: 503 });
  }
  const changed = `${sealed.slice(0, -2)}${sealed.endsWith('AA') ? 'BB' : 'AA'}`;
  await assert.rejects(sealer.open(own, changed), { code: 'connection_unreadable' });
});

test('two texts of one row have keys of their own', async () => {
  const sealer = createSealer(() => [first]);
  const [one, other] = [await sealer.seal(own, 'a secret'), await sealer.seal(own, 'a secret')];
  const wrapped = ({ sealed }: { sealed: string }) => sealed.split('.')[1];
  assert.notEqual(wrapped(one), wrapped(other));
});

test('the first key seals, and older ones open', async () => {
  const before = createSealer(() => [first]);
  const { sealed, keyId } = await before.seal(own, 'a secret');
  const after = createSealer(() => [second, first]);
  assert.equal(await after.open(own, sealed), 'a secret');
  const anew = await after.seal(own, 'a secret');
  assert.notEqual(anew.keyId, keyId);
  await assert.rejects(before.open(own, anew.sealed), { status: 503 });
  await assert.rejects(createSealer(() => [second]).open(own, sealed), { status: 503 });
});
