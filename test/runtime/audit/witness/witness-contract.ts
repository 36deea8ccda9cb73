import assert from 'node:assert/strict';
import test from 'node:test';
import { type Anchor, ForkedLog } from '../../../../runtime/audit/anchors/anchor.ts';
import { Cosigner } from '../../../../runtime/audit/keys/cosignature.ts';
import { verifyProof } from '../../../../runtime/audit/verify/verify-files.ts';
import { appendNotes, note } from '../audit-note.ts';
import type { MakePlace } from '../engine/audit-contract.ts';

/** A witness that cosigns everything, by the number of its key. */
export function trusting(key: number): Anchor {
  const cosigner = new Cosigner(`w${key}.example.com/witness`, Buffer.alloc(32, key));
  return {
    target: `witness:w${key}.example.com/witness`,
    everyMs: 0,
    cosigns: true,
    newest: async () => undefined,
    put: async (checkpoint) => {
      const text = checkpoint.note.slice(0, checkpoint.note.indexOf('\n\n') + 1);
      return cosigner.cosign(text, 1_700_000_000);
    },
  };
}

/** The same one, when it has nothing to add. */
export const silent = (anchor: Anchor): Anchor => ({ ...anchor, put: async () => undefined });

/** What holds for every audit log that has witnesses, whatever database it has. */
export function witnessContract(name: string, make: MakePlace): void {
  test(`${name}: checkpoint and proof carry every cosignature, also after a restart`, async (t) => {
    const { open } = await make(t);
    const witnesses = [trusting(1), trusting(2)];
    const log = await open({ anchors: witnesses });
    await appendNotes(log, 3);
    await log.anchorNow();
    await appendNotes(log, 3, 100);
    const { note: signed } = await log.anchorNow();
    assert.match(signed, /\n— tools\S+ \S+\n— w1\.example\S+ \S+\n— w2\.example\S+ \S+\n$/);
    await log.close();
    const reopened = await open({ anchors: witnesses.map(silent) });
    assert.equal((await reopened.checkpoint()).note, signed);
    const proof = (await reopened.proof(2)) ?? '';
    assert.ok(proof.endsWith(signed), proof);
    assert.equal(verifyProof(proof, reopened.vkey).ok, true);
    assert.deepEqual((await reopened.verify()).issues, []);
  });

  test(`${name}: a log that its witness calls a fork takes no entries, and can be read`, async (t) => {
    const { open } = await make(t);
    let honest = true;
    const witness: Anchor = {
      ...trusting(1),
      async put(...args) {
        if (!honest) throw new ForkedLog('the witness has seen another past');
        return trusting(1).put(...args);
      },
    };
    const reports: string[] = [];
    const log = await open({ anchors: [witness], report: (message) => reports.push(message) });
    await appendNotes(log, 3);
    await log.anchorNow();
    honest = false;
    await appendNotes(log, 3, 100);
    await log.anchorNow();
    assert.equal(log.status().state, 'rolled_back');
    assert.match(reports.join(), /AUDIT_ROLLBACK_DETECTED: the witness has seen another past/);
    await assert.rejects(log.append(note(7)), { code: 'audit_rollback_detected', status: 503 });
    assert.equal((await log.entry(1))?.entry.seq, 1);
    await log.close();
    const restarted = await open({ anchors: [witness] });
    assert.equal(restarted.status().state, 'rolled_back', 'asked before it takes anything');
  });
}
