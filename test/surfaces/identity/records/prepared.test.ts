import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import { storeWith } from '#contract/house/store';
import type { IdentityTables } from '../../../../generated/surfaces/identity/tables.ts';
import { createStore } from '../../../../runtime/store/index.ts';
import { prepared } from '../../../../runtime/surfaces/identity/records/prepared.ts';
import { createRevocationRecords } from '../../../../runtime/surfaces/identity/records/revocations.ts';

test('queries that are put together once give what each asks for', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'prepared-'));
  const owned = createStore({ dataDir: join(folder, 'data') });
  await owned.open();
  t.after(async () => {
    await owned.close();
    rmSync(folder, { recursive: true });
  });
  const store = storeWith<IdentityTables>(owned);
  let now = 1000;
  const recordsOf = (tenant: string) => createRevocationRecords({ store, tenant, now: () => now });
  const [ours, theirs] = [recordsOf('ours'), recordsOf('theirs')];
  const left: string[] = [];
  const leave = async () => void left.push(String(now));
  await ours.deny({ id: 'early', expiresAt: 5000 }, leave);
  await theirs.deny({ id: 'of others', expiresAt: 5000 }, leave);
  await theirs.raise({ kind: 'client', id: 'of others', notBefore: 900 });
  now = 2000;
  await ours.deny({ id: 'late', expiresAt: 3000 }, leave);
  await ours.deny({ id: 'early', expiresAt: 5000 }, leave);
  assert.deepEqual(left, ['1000', '1000', '2000'], 'what is denied already is not denied again');
  await ours.raise({ kind: 'user', id: 'user_1', notBefore: 1500 });

  const early = { id: 'early', expiresAt: 5000 };
  const late = { id: 'late', expiresAt: 3000 };
  const mark = { kind: 'user', id: 'user_1', notBefore: 1500 };
  assert.deepEqual(await ours.since(0), { denied: [early, late], watermarks: [mark] });
  assert.deepEqual(await ours.since(1500), { denied: [late], watermarks: [mark] });
  assert.deepEqual(await ours.since(2001), { denied: [], watermarks: [] });
  now = 4000;
  assert.deepEqual(await ours.since(0), { denied: [early], watermarks: [mark] });

  let made = 0;
  const idsAfter = prepared(
    () => store.db,
    ['after', 'tenant'],
    (at: { readonly after: number; readonly tenant: string }) => {
      made += 1;
      return store.db
        .selectFrom('identity_denied_token')
        .select('jti')
        .where('expires_at', '>', at.after)
        .where('tenant', '=', at.tenant);
    },
  );
  const found = await Promise.all([
    idsAfter({ after: 0, tenant: 'theirs' }),
    idsAfter({ after: 4000, tenant: 'ours' }),
    idsAfter({ after: 5000, tenant: 'ours' }),
  ]);
  assert.deepEqual(found, [[{ jti: 'of others' }], [{ jti: 'early' }], []]);
  assert.equal(made, 1);
});
