import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import type { AuditLog } from '#contract/house/audit';
import { auditCatalogue } from '../../../../generated/audit-events.ts';
import { exportLog } from '../../../../runtime/audit/anchors/export.ts';
import { Signer } from '../../../../runtime/audit/keys/signing-key.ts';
import { openCheckpoint, parseVerifierKey } from '../../../../runtime/audit/verify/verify.ts';
import { verifyPath, verifyProof } from '../../../../runtime/audit/verify/verify-files.ts';
import { checkPayloads } from '../../../../runtime/audit/wiring/audit-payloads.ts';
import { appendNotes } from '../audit-note.ts';
import type { MakePlace, TestPlace } from '../engine/audit-contract.ts';

const seeds = [7, 8, 9].map((byte) => Buffer.alloc(32, byte));

/** Three signing keys, as they are configured; logs of the tests are made with the first. */
export const [first = '', second = '', third = ''] = seeds.map((seed) => seed.toString('base64'));

/** Their verifier keys. */
export const [k1 = '', k2 = '', k3 = ''] = seeds.map(
  (seed) => new Signer('tools.example.com/audit', seed).vkey,
);

/** Which of the three keys signed a checkpoint. */
export function signersOf(note: string): readonly string[] {
  return [k1, k2, k3].filter((vkey) => openCheckpoint(note, parseVerifierKey(vkey)));
}

/** Make a log of 11 entries whose key was replaced after the sixth. */
export async function makeRotated({ open }: TestPlace): Promise<void> {
  const before = await open();
  await appendNotes(before, 5);
  await before.close();
  const log = await open({ key: second, previousKey: first });
  await appendNotes(log, 4, 5);
  await log.close();
}

/** The issues that each key finds in a bundle of the log. */
async function bundleIssues(t: TestContext, log: AuditLog, vkeys: readonly string[]) {
  const bundle = mkdtempSync(join(tmpdir(), 'audit-bundle-'));
  t.after(() => rmSync(bundle, { recursive: true, force: true }));
  await exportLog(log, bundle);
  return vkeys.map((vkey) => verifyPath(bundle, vkey).issues.map(({ reason }) => reason));
}

/** What holds for the rotation of every audit log, whatever database it has (audit.md 4.6). */
export function rotationContract(name: string, make: MakePlace): void {
  test(`${name}: the start rotates to a new key: an entry, and a checkpoint over it that both sign`, async (t) => {
    const { open } = await make(t);
    const before = await open();
    await appendNotes(before, 5);
    assert.deepEqual(before.keys, [{ vkey: k1, since: 0 }]);
    await before.close();

    const log = await open({ key: second, previousKey: first });
    assert.equal(log.vkey, k2);
    assert.deepEqual(log.keys, [
      { vkey: k2, since: 7 },
      { vkey: k1, since: 0 },
    ]);
    const entry = (await log.entry(6))?.entry;
    assert.equal(entry?.action, 'AUDIT_KEY_ROTATED');
    assert.deepEqual({ ...entry.payload }, { vkey: k2, previous_vkey: k1 });
    const handover = await log.checkpoint();
    assert.equal(handover.size, 7);
    assert.deepEqual(signersOf(handover.note), [k1, k2]);

    const { log: _, seq, prev_hash, ts, v, ...event } = entry;
    const receipt = { seq: 0, hash: '', ts: '' };
    const checked = checkPayloads(
      { append: async () => receipt, appendLater() {} },
      auditCatalogue,
    );
    assert.equal(await checked.append(event), receipt, 'the entry is one of the catalogue');
  });

  test(`${name}: both keys sign as long as the old one is at hand, then the new one alone`, async (t) => {
    const place = await make(t);
    await makeRotated(place);
    const again = await place.open({ key: second, previousKey: first });
    await appendNotes(again, 1);
    assert.deepEqual(signersOf((await again.anchorNow()).note), [k1, k2]);
    assert.equal((await again.list({ limit: 9, action: 'AUDIT_KEY_ROTATED' })).records.length, 1);
    await again.close();
    const alone = await place.open({ key: second });
    await appendNotes(alone, 1);
    assert.deepEqual(signersOf((await alone.anchorNow()).note), [k2]);
    assert.deepEqual((await alone.verify()).issues, []);
    const found = await bundleIssues(t, alone, [k1, k2, `${k2}\n${k1}\n`, k3]);
    assert.deepEqual(found, [[], [], [], ['bad_signature']]);
  });

  test(`${name}: a log is not signed by another key unless the one of now is given too`, async (t) => {
    const place = await make(t);
    await makeRotated(place);
    const refusals = [
      [{ key: third }, [k2, k3, /SERVICE_AUDIT_PREVIOUS_KEY$/]],
      [{ key: third, previousKey: first }, [k2, k3, k1, /SERVICE_AUDIT_PREVIOUS_KEY \(now it is/]],
      [{ key: first }, [/was replaced by a newer one/, k2, k1]],
      [{ key: first, previousKey: second }, [/was replaced by a newer one/]],
      [{ key: second, previousKey: 'short' }, [/expected 32 bytes in base64/]],
    ] as const;
    for (const [keys, told] of refusals) {
      const { message } = await place.open(keys).then(
        () => assert.fail('opened'),
        (error: Error) => error,
      );
      for (const part of told) {
        assert.ok(typeof part === 'string' ? message.includes(part) : part.test(message), message);
      }
    }
    const log = await place.open({ key: second, previousKey: third });
    assert.deepEqual(signersOf((await log.checkpoint()).note), [k1, k2], 'nothing to hand over');
  });

  test(`${name}: a proof is checked with any key that signed its checkpoint (C2SP tlog-proof)`, async (t) => {
    const place = await make(t);
    await makeRotated(place);
    const log = await place.open({ key: second });
    await appendNotes(log, 1);
    await log.anchorNow();
    const signers: readonly (readonly [number | undefined, readonly string[]])[] = [
      [6, [k1]],
      [7, [k1, k2]],
      [11, [k1, k2]],
      [undefined, [k2]],
    ];
    for (const [size, expected] of signers) {
      const proof = await log.proof(3, size);
      assert.ok(proof, String(size));
      const accepted = [k1, k2, k3].filter((vkey) => verifyProof(proof, vkey).ok);
      assert.deepEqual(accepted, expected, `at ${size}`);
      assert.equal(verifyProof(proof, `${k3}\n${k2}\n${k1}`).ok, true);
    }
  });
}
