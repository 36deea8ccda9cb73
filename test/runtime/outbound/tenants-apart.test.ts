import assert from 'node:assert/strict';
import test from 'node:test';
import { AnswerRoom, Hold } from '../../../runtime/outbound/call/answer-room.ts';
import type { CallLife } from '../../../runtime/outbound/call/call-life.ts';
import { defaultLimits } from '../../../runtime/outbound/call/options.ts';
import type { DigestJob } from '../../../runtime/outbound/digest/digest.ts';
import { DigestPool } from '../../../runtime/outbound/digest/digest-pool.ts';

test('large answers of one tenant leave room for those of another', () => {
  const room = new AnswerRoom(64);
  const [vendor, other, third] = [room.share(true), room.share(true), room.share(true)];
  const first = new Hold(vendor, 'ours');
  assert.equal(first.growTo(16), true);
  assert.equal(first.growTo(17), false, 'half of what the vendor may have');
  const second = new Hold(other, 'ours');
  assert.equal(second.growTo(16), true);
  const more = new Hold(third, 'ours');
  assert.equal(more.growTo(1), false, 'half of everything');
  const theirs = new Hold(vendor, 'theirs');
  assert.equal(theirs.growTo(16), true);
  first.close();
  first.close();
  assert.equal(more.growTo(16), true);
  assert.equal(more.growTo(17), false);
});

test('of a single tenant, one vendor has half of the room', () => {
  const room = new AnswerRoom(64);
  const vendor = room.share();
  const [first, second] = [new Hold(vendor, 'default'), new Hold(vendor, 'default')];
  assert.equal(first.growTo(32), true);
  assert.equal(second.growTo(1), false);
  assert.equal(new Hold(room.share(), 'default').growTo(32), true);
  assert.equal(new Hold(room.share(), 'default').growTo(1), false);
});

test('tenants take turns at the thread for large answers, and do not fill the line of another', async (t) => {
  const pool = new DigestPool({ ...defaultLimits, digestThreads: 1, digestQueue: 3 });
  t.after(() => pool.close());
  const life = { during: () => () => {} } as unknown as CallLife;
  const read: string[] = [];
  // What comes of it does not matter here, but when.
  const job = () => ({ body: Buffer.from(new Uint8Array(2).buffer) }) as unknown as DigestJob;
  const run = (tenant: string, vendor: string, name: string) =>
    pool.run(job(), { tenant, vendor }, life).then(
      () => read.push(name),
      () => read.push(name),
    );
  const ours = [1, 2, 3, 4].map((number) => run('ours', 'one', `ours ${number}`));
  await assert.rejects(async () => pool.run(job(), { tenant: 'ours', vendor: 'one' }, life), {
    code: 'rate_limited_local',
  });
  const theirs = [1, 2].map((number) => run('theirs', 'one', `theirs ${number}`));
  await Promise.all([...ours, ...theirs]);
  assert.deepEqual(read, ['ours 1', 'theirs 1', 'ours 2', 'theirs 2', 'ours 3', 'ours 4']);

  read.length = 0;
  const vendors = ['one', 'two', 'three'].map((vendor) => run('ours', vendor, `ours ${vendor}`));
  await Promise.all([...vendors, run('theirs', 'four', 'theirs four')]);
  assert.deepEqual(read, ['ours one', 'theirs four', 'ours two', 'ours three']);
});
