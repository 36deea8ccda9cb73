import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import type { BoundRoute } from '#contract/surface/surface';
import { openCheckpoint, parseVerifierKey } from '../../../runtime/audit/verify/verify.ts';
import { verifyProof } from '../../../runtime/audit/verify/verify-files.ts';
import { shared } from '../common-server.ts';
import { addNotes, callerWith, startAuditServer } from './audit-server.ts';

test('GET /audit/checkpoint is a note that GET /audit/vkey verifies (C2SP tlog-checkpoint)', async (t) => {
  const server = await startAuditServer(t);
  const checkpoint = await server.send('/audit/checkpoint');
  const vkey = await server.send('/audit/vkey');
  assert.equal(checkpoint.status, 200);
  assert.equal(checkpoint.headers['content-type'], 'text/plain; charset=utf-8');
  assert.equal(checkpoint.headers['cache-control'], 'public, max-age=2');
  assert.match(vkey.text, /^tools\.example\.com\/audit\+[0-9a-f]{8}\+\S+\n$/);
  const opened = openCheckpoint(checkpoint.text, parseVerifierKey(vkey.text));
  assert.equal(opened?.origin, 'tools.example.com/audit');
  assert.equal(opened.size, 1);
});

test('GET /audit/vkey shows all keys of the log, the newest first (C2SP signed-note)', async (t) => {
  const [first, second] = [5, 6].map((byte) => Buffer.alloc(32, byte).toString('base64'));
  const before = await startAuditServer(t, { log: { key: first } });
  const old = (await before.send('/audit/vkey')).text;
  await before.access.close();
  const { directory } = before;
  const server = await startAuditServer(t, { log: { directory, key: second, previousKey: first } });
  const { text } = await server.send('/audit/vkey');
  const [newest = ''] = text.split('\n');
  assert.equal(text, `${newest}\n${old}`);
  const { text: note } = await server.send('/audit/checkpoint');
  for (const vkey of [newest, old]) assert.ok(openCheckpoint(note, parseVerifierKey(vkey)));
});

test('tiles are full or partial (C2SP tlog-tiles)', async (t) => {
  const server = await startAuditServer(t);
  await addNotes(server, 299);
  const full = await server.send('/audit/tile/0/000');
  assert.equal(full.status, 200);
  assert.equal(full.headers['content-type'], 'application/octet-stream');
  assert.equal(full.headers['cache-control'], 'public, no-cache');
  assert.equal(full.bytes.length, 256 * 32);
  const partial = await server.send('/audit/tile/0/001.p/44');
  assert.equal(partial.bytes.length, 44 * 32);
  const narrower = await server.send('/audit/tile/0/001.p/1');
  assert.deepEqual(narrower.bytes, partial.bytes.subarray(0, 32));
  const upper = await server.send('/audit/tile/1/000.p/1');
  assert.deepEqual(upper.bytes, rootOf(full.bytes));
});

function rootOf(hashes: Buffer): Buffer {
  if (hashes.length === 32) return hashes;
  const half = hashes.length / 2;
  return createHash('sha256')
    .update(Buffer.of(1))
    .update(rootOf(hashes.subarray(0, half)))
    .update(rootOf(hashes.subarray(half)))
    .digest();
}

test('what is not there is 404, and has one address only (RFC 9457)', async (t) => {
  const server = await startAuditServer(t);
  const absent = [
    '/audit/tile/0/000',
    '/audit/tile/0/000.p/2',
    '/audit/tile/0/001.p/1',
    '/audit/tile/0/0',
    '/audit/tile/0/x000/000.p/1',
    '/audit/tile/0/000.p/256',
    '/audit/tile/0/',
    '/audit/tile/entries/000',
    '/audit/tile/entries/000.p/01',
    '/audit/entries/1',
    '/audit/proof/1',
    '/audit/proof/0?size=2',
    '/audit/consistency?from=1&to=2',
  ];
  for (const path of absent) {
    const { status, headers, text } = await server.send(path);
    assert.equal(status, 404, path);
    assert.match(String(headers['content-type']), /^application\/problem\+json/);
    assert.equal(JSON.parse(text).status, 404);
    assert.equal(headers['cache-control'], undefined, 'an absence is not kept');
  }
});

const malformed = [
  '/audit/entries/one',
  '/audit/entries/-1',
  '/audit/entries/9007199254740993',
  '/audit/tile/64/000',
  '/audit/tile/data/000',
  '/audit/proof/0?size=0',
  '/audit/consistency',
  '/audit/consistency?from=0&to=1',
  '/audit/consistency?from=2&to=1',
];
/** For what is refused: nothing of it changes the log. */
const serve = shared((t) => startAuditServer(t));
for (const path of malformed) {
  test(`GET ${path} is 400`, async () => {
    const server = await serve();
    const { status, text } = await server.send(path);
    assert.equal(status, 400);
    assert.equal(JSON.parse(text).code, 'invalid_arguments');
  });
}

test('entries are for holders of audit:read, hashes and proofs for everybody', async (t) => {
  let scopes = new Set(['mcp.tools']);
  const server = await startAuditServer(t, { caller: () => callerWith(scopes) });
  const entries = ['/audit/entries/0', '/audit/tile/entries/000.p/1'];
  for (const path of entries) {
    const refused = await server.send(path);
    assert.equal(refused.status, 403);
    assert.equal(JSON.parse(refused.text).code, 'insufficient_scope');
    assert.match(String(refused.headers['www-authenticate']), /scope="audit:read"/);
  }
  for (const path of ['/audit/checkpoint', '/audit/tile/0/000.p/1', '/audit/proof/0']) {
    assert.equal((await server.send(path)).status, 200, path);
  }
  scopes = new Set(['audit:read']);
  for (const path of entries) {
    const { status, headers } = await server.send(path);
    assert.equal(status, 200);
    assert.equal(headers['cache-control'], 'private, no-cache');
  }
});

test('who keeps a tile or an entry asks whether it is still that of the log (RFC 9110 13.1.2)', async (t) => {
  const server = await startAuditServer(t);
  const other = await startAuditServer(t);
  await addNotes(server, 2);
  await addNotes(other, 3);
  const paths = ['/audit/tile/0/000.p/2', '/audit/tile/entries/000.p/2', '/audit/entries/1'];
  for (const path of paths) {
    const first = await server.send(path);
    const tag = String(first.headers['etag']);
    const again = await server.send(path, 'GET', `"x", W/${tag}`);
    assert.deepEqual([again.status, again.bytes.length], [304, 0], path);
    assert.equal(again.headers['etag'], tag);
    const moved = await other.send(path, 'GET', tag);
    assert.equal(moved.status, 200, path);
  }
});

test('an entry is what its hash covers, alone and in its bundle', async (t) => {
  const server = await startAuditServer(t);
  await addNotes(server, 2);
  const bundle = (await server.send('/audit/tile/entries/000.p/3')).bytes;
  let at = 0;
  for (let seq = 0; seq < 3; seq++) {
    const { entry, hash } = JSON.parse((await server.send(`/audit/entries/${seq}`)).text);
    const length = bundle.readUInt16BE(at);
    const canonical = bundle.subarray(at + 2, at + 2 + length);
    assert.deepEqual(JSON.parse(canonical.toString()), entry);
    assert.equal(createHash('sha256').update(canonical).digest('hex'), hash);
    assert.equal(entry.seq, seq);
    at += 2 + length;
  }
  assert.equal(at, bundle.length);
});

test('a proof needs nothing but the verifier key (C2SP tlog-proof)', async (t) => {
  const server = await startAuditServer(t);
  await addNotes(server, 20);
  const vkey = (await server.send('/audit/vkey')).text;
  for (const seq of [0, 7, 20]) {
    const { status, headers, text } = await server.send(`/audit/proof/${seq}`);
    assert.equal(status, 200);
    assert.equal(headers['content-type'], 'text/plain; charset=utf-8');
    assert.match(text, new RegExp(`^c2sp\\.org/tlog-proof@v1\n(?:extra .*\n)?index ${seq}\n`));
    assert.equal(verifyProof(text, vkey).ok, true);
    assert.equal(verifyProof(text.replace(`index ${seq}`, 'index 3'), vkey).ok, false);
  }
  assert.equal((await server.send('/audit/proof/0?size=1')).status, 200);
});

test('POST /audit/verify finds the entry that somebody has changed', async (t) => {
  const server = await startAuditServer(t);
  await addNotes(server, 5);
  const sound = await server.send('/audit/verify', 'POST');
  assert.equal(sound.status, 200);
  assert.equal(sound.headers['cache-control'], 'no-store');
  const { ok, records, issues } = JSON.parse(sound.text);
  assert.deepEqual({ ok, records, issues }, { ok: true, records: 6, issues: [] });

  const database = new DatabaseSync(join(server.directory, 'audit.sqlite'));
  database.exec(`DROP TRIGGER entry_kept;
    UPDATE entry SET bytes = CAST(replace(CAST(bytes AS TEXT), 'Note 2', 'Note X') AS BLOB)`);
  database.close();
  const tampered = JSON.parse((await server.send('/audit/verify', 'POST')).text);
  assert.equal(tampered.ok, false);
  assert.equal(tampered.issues[0].seq, 3);
});

test('verifications that are asked for at once are one', async (t) => {
  const server = await startAuditServer(t);
  const log = await server.access.open();
  const verify = t.mock.method(log, 'verify');
  const answers = await Promise.all([1, 2, 3].map(() => server.send('/audit/verify', 'POST')));
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  assert.equal(verify.mock.callCount(), 1);
  await server.send('/audit/verify', 'POST');
  assert.equal(verify.mock.callCount(), 2);
});

test('an act that cannot be taken back is refused with 503 when the log takes no entries', async (t) => {
  let acts = 0;
  const act: BoundRoute = {
    route: {
      name: 'refund',
      method: 'POST',
      path: '/refund',
      access: 'public',
      audit: 'intent',
      responses: { 204: {} },
    },
    async handle() {
      acts += 1;
      return { status: 204 };
    },
  };
  const server = await startAuditServer(t, { routes: [act] });
  assert.equal((await server.send('/refund', 'POST')).status, 204);
  const log = await server.access.open();
  const { records } = await log.list({ action: 'OPERATION_CALLED', limit: 10 });
  assert.deepEqual(
    records.map(({ entry }) => entry.outcome),
    ['ok', 'intent'],
  );
  await log.close();
  const refused = await server.send('/refund', 'POST');
  assert.equal(refused.status, 503);
  assert.equal(JSON.parse(refused.text).code, 'audit_unavailable');
  assert.equal(acts, 1);
});
