import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import test, { type TestContext } from 'node:test';
import type { AuditLog } from '#contract/house/audit';
import type { AuditLogOptions } from '../../../../runtime/audit/engine/audit-log.ts';
import { verifyConsistency } from '../../../../runtime/audit/tree/merkle.ts';
import {
  leafHash,
  openCheckpoint,
  parseCheckpoint,
  parseVerifierKey,
} from '../../../../runtime/audit/verify/verify.ts';
import { verifyProof } from '../../../../runtime/audit/verify/verify-files.ts';
import { appendNotes, note } from '../audit-note.ts';

/** A place for one log, for the time of one test. */
export interface TestPlace {
  /** Open the log; what is opened again after a close is the same log. */
  open(changes?: Partial<AuditLogOptions>): Promise<AuditLog>;
}

export type MakePlace = (t: TestContext) => Promise<TestPlace>;

/** What holds for every audit log, whatever database it has. */
export function auditContract(name: string, make: MakePlace): void {
  test(`${name}: an entry carries all fields and chains to the one before (canonical JSON, SHA-256)`, async (t) => {
    const { open } = await make(t);
    const log = await open();
    const first = await log.append(note(1));
    const second = await log.append(note(2));
    assert.deepEqual([first.seq, second.seq], [1, 2]);
    const record = await log.entry(2);
    assert.ok(record);
    assert.equal(record.hash, second.hash);
    assert.equal(createHash('sha256').update(record.canonical, 'utf8').digest('hex'), second.hash);
    assert.deepEqual(
      { ...record.entry },
      {
        ...note(2),
        v: 1,
        log: 'tools.example.com/audit',
        seq: 2,
        prev_hash: first.hash,
        ts: second.ts,
      },
    );
    const opened = await log.entry(0);
    assert.equal(opened?.entry.action, 'AUDIT_LOG_OPENED');
    assert.equal(opened?.entry.prev_hash, '0'.repeat(64));
  });

  test(`${name}: a reopened log goes on where it ended`, async (t) => {
    const { open } = await make(t);
    for (let round = 0; round < 4; round++) {
      const log = await open();
      assert.equal(log.status().size, round === 0 ? 1 : round * 300 + 1);
      await appendNotes(log, 300, round * 300);
      const result = await log.verify();
      assert.deepEqual(result.issues, []);
      assert.equal(result.records, (round + 1) * 300 + 1);
      await log.close();
    }
  });

  test(`${name}: every proof of every entry verifies with the key alone (C2SP tlog-proof)`, async (t) => {
    const { open } = await make(t);
    const log = await open();
    await appendNotes(log, 600);
    for (const seq of [0, 1, 255, 256, 257, 511, 512, 599, 600]) {
      const proof = await log.proof(seq);
      const record = await log.entry(seq);
      assert.ok(proof && record);
      assert.ok(verifyProof(proof, log.vkey).ok);
      assert.ok(verifyProof(proof, log.vkey, record.canonical).ok);
      assert.ok(!verifyProof(proof, log.vkey, record.canonical.replace('"ok"', '"no"')).ok);
      const moved = verifyProof(proof.replace(`index ${seq}\n`, `index ${seq + 1}\n`), log.vkey);
      assert.equal(moved.ok, false);
    }
    assert.equal(await log.proof(601), undefined);
    assert.equal(await log.proof(3, 7), undefined, 'no checkpoint has this size');
  });

  test(`${name}: a younger tree is proven to begin with the older one (RFC 6962 2.1.2)`, async (t) => {
    const { open } = await make(t);
    const log = await open();
    const heads = [parseCheckpoint((await log.checkpoint()).note)];
    for (const count of [1, 6, 250, 300]) {
      await appendNotes(log, count);
      heads.push(parseCheckpoint((await log.anchorNow()).note));
    }
    for (const from of heads) {
      for (const to of heads) {
        assert.ok(from && to);
        const proof = await log.consistency(from.size, to.size);
        if (from.size > to.size) assert.equal(proof, undefined);
        else
          assert.ok(
            verifyConsistency(
              from,
              to,
              (proof ?? []).map((line) => Buffer.from(line, 'base64')),
            ),
          );
      }
    }
  });

  test(`${name}: tiles and bundles hold what the tree is made of (C2SP tlog-tiles)`, async (t) => {
    const { open } = await make(t);
    const log = await open();
    await appendNotes(log, 300);
    const full = await log.tile(0, 0);
    const partial = await log.tile(0, 1, 45);
    assert.equal(full?.length, 8192);
    assert.equal(partial?.length, 45 * 32);
    assert.equal(await log.tile(0, 1), undefined, 'not full yet');
    assert.equal(await log.tile(0, 1, 46), undefined);
    assert.equal((await log.tile(1, 0, 1))?.length, 32);
    const bundle = Buffer.from((await log.entriesBundle(0)) ?? []);
    const leaves = [];
    for (let at = 0; at < bundle.length; ) {
      const end = at + 2 + bundle.readUInt16BE(at);
      leaves.push(leafHash(bundle.toString('utf8', at + 2, end)));
      at = end;
    }
    assert.deepEqual(Buffer.concat(leaves), Buffer.from(full ?? []));
  });

  test(`${name}: the list is newest first, narrowed and paged`, async (t) => {
    const { open } = await make(t);
    const log = await open();
    await appendNotes(log, 5);
    await log.append(note(5, { tenant: 'other' }));
    const page = await log.list({ limit: 2, tenant: 'default' });
    assert.deepEqual(
      page.records.map(({ entry }) => entry.correlation_id),
      ['call-4', 'call-3'],
    );
    const rest = await log.list({ limit: 10, tenant: 'default', before: page.next });
    assert.deepEqual(
      rest.records.map(({ entry }) => entry.correlation_id),
      ['call-2', 'call-1', 'call-0'],
    );
    assert.equal(rest.next, undefined);
  });

  test(`${name}: the origin is fixed when the log is created`, async (t) => {
    const { open } = await make(t);
    await (await open()).close();
    const log = await open({ origin: 'elsewhere.example.com/audit' });
    assert.equal(log.origin, 'tools.example.com/audit');
    assert.ok(openCheckpoint((await log.checkpoint()).note, parseVerifierKey(log.vkey)));
  });

  test(`${name}: time never runs backwards: the entry keeps the time and tells the difference`, async (t) => {
    let now = Date.UTC(2026, 10, 21, 12);
    const { open } = await make(t);
    const log = await open({ clock: { now: () => now } });
    await log.append(note(1));
    now -= 50_000;
    const receipt = await log.append(note(2));
    assert.equal(receipt.ts, '2026-11-21T12:00:00.000Z');
    const record = await log.entry(receipt.seq);
    assert.equal(record?.entry.payload['clock_skew_ms'], 50_000);
    assert.equal((await log.verify()).ok, true);
  });

  test(`${name}: after a clock that was ahead, an entry says so and the time is right again`, async (t) => {
    let now = Date.UTC(2027, 10, 21, 12);
    const reports: string[] = [];
    const { open } = await make(t);
    const report = (message: string) => void reports.push(message);
    const log = await open({ clock: { now: () => now }, report });
    await log.append(note(1));
    now = Date.UTC(2026, 10, 21, 12);
    const receipt = await log.append(note(2));
    assert.equal(receipt.ts, '2026-11-21T12:00:00.000Z');
    const { entry } = (await log.entry(receipt.seq - 1)) ?? {};
    assert.equal(entry?.action, 'AUDIT_CLOCK_CORRECTED');
    assert.equal(entry?.ts, receipt.ts);
    assert.deepEqual(entry?.payload, {
      previous_ts: '2027-11-21T12:00:00.000Z',
      ahead_ms: 365 * 86_400_000,
    });
    const after = await log.entry(receipt.seq);
    assert.equal(after?.entry.payload['clock_skew_ms'], undefined);
    assert.match(reports.join(), /the clock had been ahead by 365d/);
    assert.deepEqual((await log.verify()).issues, []);
    // Clocks that differ by this much for good do not fill the log with corrections.
    now = Date.UTC(2027, 10, 21, 12);
    await log.append(note(3));
    now = Date.UTC(2026, 10, 21, 12);
    const skewed = await log.entry((await log.append(note(4))).seq);
    assert.equal(skewed?.entry.payload['clock_skew_ms'], 365 * 86_400_000);
    assert.deepEqual((await log.verify()).issues, []);
  });

  test(`${name}: too many waiting events are refused, and those that were taken are written`, async (t) => {
    const { open } = await make(t);
    const log = await open();
    const results = await Promise.allSettled(
      Array.from({ length: 20_500 }, (_, i) => log.append(note(i))),
    );
    const refused = results.filter(({ status }) => status === 'rejected');
    assert.equal(refused.length, 500);
    assert.match(
      String(refused[0]?.status === 'rejected' && refused[0].reason.code),
      /audit_overloaded/,
    );
    assert.equal(log.status().size, 20_001);
  });

  test(`${name}: an event that nobody waits for is written with the next one`, async (t) => {
    const { open } = await make(t);
    const log = await open();
    log.appendLater(note(1), assert.ifError);
    assert.equal((await log.append(note(2))).seq, 2);
    assert.equal((await log.entry(1))?.entry.payload['number'], 1);
  });

  test(`${name}: an event that nobody waits for is written at the latest when the log closes`, async (t) => {
    const { open } = await make(t);
    const log = await open();
    for (let number = 1; number <= 5000; number++) log.appendLater(note(number), assert.ifError);
    await log.close();
    const losses: unknown[] = [];
    log.appendLater(note(5001), (error) => losses.push(error));
    await assert.rejects(Promise.reject(losses[0]), { code: 'audit_unavailable', status: 503 });
    const again = await open();
    assert.equal(again.status().size, 5001);
    assert.equal((await again.entry(5000))?.entry.payload['number'], 5000);
  });

  test(`${name}: the author that does not wait hears of an event that cannot be written`, async (t) => {
    const { open } = await make(t);
    const log = await open();
    const losses: unknown[] = [];
    log.appendLater(note(1, { payload: { amount: 1.5 } }), (error) => losses.push(error));
    await assert.rejects(Promise.reject(losses[0]), { detail: { field: 'payload.amount' } });
    for (let i = 0; i < 20_500; i++) log.appendLater(note(i), (error) => losses.push(error));
    assert.equal(losses.length, 501);
    await assert.rejects(Promise.reject(losses[1]), { code: 'audit_overloaded', status: 503 });
  });

  test(`${name}: an event that recurs is written as it would be alone, between others, in order`, async (t) => {
    const { open } = await make(t);
    const log = await open();
    const events = ['a', 'b', 'c'].map((id) => note(1, { summary: id, payload: { ok: true } }));
    const appends = events.map((event) => log.recurring(event, 'duration_ms', assert.ifError));
    const expected = Array.from({ length: 2500 }, (_, index) => {
      // Ids of calls are UUIDs; what is none is looked at as in any other event.
      const correlation_id = index % 100 === 0 ? `call-${index}` : randomUUID();
      const event = events[index % 3] ?? note(0);
      appends[index % 3]?.(correlation_id, index);
      if (index % 500 === 0) log.appendLater(note(index), assert.ifError);
      return { ...event, correlation_id, payload: { ...event.payload, duration_ms: index } };
    });
    assert.equal((await log.append(note(2))).seq, 2500 + 5 + 1);
    const { records } = await log.list({ limit: 1000 });
    const written = records.map(({ entry }) => entry).filter(({ payload }) => payload['ok']);
    for (const [index, entry] of written.reverse().entries()) {
      const { v, log: origin, seq, prev_hash, ts, ...event } = entry;
      assert.deepEqual(event, expected[expected.length - written.length + index]);
    }
    assert.ok(written.length > 900);
    assert.deepEqual((await log.verify()).issues, []);
  });

  test(`${name}: the author of an event that recurs hears of its losses`, async (t) => {
    const { open } = await make(t);
    const log = await open();
    const losses: unknown[] = [];
    const lost = (error: unknown) => losses.push(error);
    assert.throws(() => log.recurring(note(1, { payload: { amount: 1.5 } }), 'ms', lost), {
      detail: { field: 'payload.amount' },
    });
    const append = log.recurring(note(1), 'ms', lost);
    append('a@example.com', 1);
    append(randomUUID(), 1.5);
    await assert.rejects(Promise.reject(losses[0]), { detail: { field: 'correlation_id' } });
    await assert.rejects(Promise.reject(losses[1]), { detail: { field: 'payload.ms' } });
    for (let i = 0; i < 20_500; i++) append(randomUUID(), i);
    assert.equal(losses.length, 502);
    await assert.rejects(Promise.reject(losses[2]), { code: 'audit_overloaded', status: 503 });
    await log.close();
    append(randomUUID(), 1);
    await assert.rejects(Promise.reject(losses[502]), { code: 'audit_unavailable', status: 503 });
    assert.equal((await open()).status().size, 20_001);
  });

  test(`${name}: events of all sizes and alphabets arrive as they were`, async (t) => {
    const { open } = await make(t);
    const log = await open();
    const texts = [
      '',
      'é',
      '\u2028\n\r',
      '🙂'.repeat(3000),
      'x'.repeat(60_000),
      '中'.repeat(20_000),
    ];
    const sent = Array.from({ length: 60 }, (_, at) => texts[at % texts.length] ?? '');
    const receipts = await Promise.all(
      sent.map((text, number) => log.append(note(number, { payload: { text } }))),
    );
    for (const [number, { seq }] of receipts.entries()) {
      assert.equal((await log.entry(seq))?.entry.payload['text'], sent[number]);
    }
    assert.equal((await log.verify()).ok, true);
  });

  test(`${name}: closing writes everything that was taken`, async (t) => {
    const { open } = await make(t);
    const log = await open();
    const appended = appendNotes(log, 5000);
    await log.close();
    await appended;
    assert.equal((await open()).status().size, 5001);
  });
}
