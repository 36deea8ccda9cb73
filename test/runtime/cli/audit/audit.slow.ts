import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test from 'node:test';
import { temporaryDirectory } from '../../store/temporary-directory.ts';
import { runCli } from '../run-cli.ts';
import { serve } from '../served.ts';
import { logWithNote, vkey } from './log-with-note.ts';

test('checkpoint prints the note that the anchor keeps beside the data directory', async () => {
  const { folder, audit } = logWithNote();
  const { code, stdout } = await audit('checkpoint');
  assert.equal(code, 0);
  assert.match(stdout, /^localhost\/audit\n2\n[A-Za-z0-9+/]{43}=\n\n— localhost\/audit \S+\n$/);
  assert.match(vkey, /^localhost\/audit\+[0-9a-f]{8}\+\S+$/);
  const anchored = join(folder, 'data-anchors', 'localhost%2Faudit', 'newest');
  assert.equal(readFileSync(anchored, 'utf8'), stdout);
});

test('nobody else can read what is kept in a folder that everybody can open', async (t) => {
  const data = temporaryDirectory(t);
  chmodSync(data, 0o755);
  const env = {
    SERVICE_DATA_DIR: data,
    SERVICE_AUDIT_ANCHOR_DIR: join(data, '..', `${basename(data)}-a`),
  };
  t.after(() => rmSync(env.SERVICE_AUDIT_ANCHOR_DIR, { recursive: true, force: true }));
  const { child } = await serve(t, env);
  const files = readdirSync(data);
  for (const name of ['audit.sqlite', 'audit.sqlite-wal', 'store.db', 'store.lock', 'audit.lock']) {
    assert.ok(files.includes(name), name);
  }
  for (const name of files) assert.equal(statSync(join(data, name)).mode & 0o077, 0, name);
  child.kill('SIGTERM');
  await once(child, 'exit');
});

test('verify says what was checked, and exits with 1 where an entry was changed', async () => {
  const { folder, audit } = logWithNote();
  const sound = await audit('verify');
  assert.equal(sound.code, 0);
  assert.match(sound.stdout, /^entries +2 checked/m);
  assert.match(sound.stdout, /^elsewhere +compared with 1 checkpoint$/m);
  assert.match(sound.stdout, /^verified$/m);
  const database = new DatabaseSync(join(folder, 'data', 'audit.sqlite'));
  database.exec(`DROP TRIGGER entry_kept;
    UPDATE entry SET bytes = CAST(replace(CAST(bytes AS TEXT), 'blue', 'grey') AS BLOB)`);
  database.close();
  const changed = await audit('verify');
  assert.equal(changed.code, 1);
  assert.match(changed.stdout, /^issue +at 1: hash_mismatch/m);
  assert.match(changed.stdout, /^NOT verified$/m);
});

test('an exported log is verified with nothing but the verifier key', async () => {
  const { folder, audit } = logWithNote();
  const bundle = join(folder, 'bundle');
  const exported = await audit('export', bundle);
  assert.equal(exported.code, 0, exported.stderr);
  assert.match(
    exported.stdout,
    /^2 entries of localhost\/audit in .*\nto verify: agent-tool-server audit verify \S+ localhost\/audit\+\S+\n$/,
  );
  const verified = await audit('verify', bundle, vkey);
  assert.equal(verified.code, 0);
  assert.match(verified.stdout, /^elsewhere {3}compared with nothing: an older copy/m);

  const checkpoint = join(bundle, 'checkpoint');
  const note = readFileSync(checkpoint, 'utf8');
  for (const text of ['garbage\n', '', note.replace('\n2\n', '\n1\n')]) {
    writeFileSync(checkpoint, text);
    const { code, stdout } = await audit('verify', bundle, vkey);
    assert.equal(code, 1, text);
    assert.match(stdout, /bad_signature \(stored checkpoint\).*\nNOT verified\n$/s);
  }
  writeFileSync(checkpoint, note);

  const again = await audit('export', bundle);
  assert.equal(again.code, 2);
  assert.match(again.stderr, /is not empty/);

  const listed = await runCli(['call', 'audit', '{"operation":"list"}'], {
    SERVICE_DATA_DIR: join(folder, 'data'),
    SERVICE_PROVIDER: 'osv',
  });
  assert.equal(JSON.parse(listed.stdout).total, 3, 'the export is an entry of the log');

  const tile = join(bundle, 'tile', '0', '000.p', '2');
  const bytes = readFileSync(tile);
  bytes[40] = (bytes[40] ?? 0) ^ 1;
  writeFileSync(tile, bytes);
  const changed = await audit('verify', bundle, vkey);
  assert.equal(changed.code, 1);
  assert.match(changed.stdout, /tile_mismatch/);
});

test('a printed proof is verified with nothing but the verifier key', async () => {
  const { folder, audit } = logWithNote();
  const { code, stdout } = await audit('proof', '1');
  assert.equal(code, 0);
  const path = join(folder, 'note.tlog-proof');
  writeFileSync(path, stdout);
  const alone = await audit('verify', path, vkey);
  assert.equal(alone.code, 0);
  assert.match(alone.stdout, /^proven +entry 1 with the leaf hash [0-9a-f]{64}$/m);
  const renamed = join(folder, 'receipt');
  cpSync(path, renamed);
  const [own, other] = [1, 0].map((seq) => {
    const file = join(folder, `entry-${seq}`);
    using database = new DatabaseSync(join(folder, 'data', 'audit.sqlite'));
    const row = database.prepare('SELECT bytes FROM entry WHERE seq = ?').get(seq);
    writeFileSync(file, row?.['bytes'] as Uint8Array);
    return file;
  });
  assert.ok(own !== undefined && other !== undefined);
  assert.equal((await audit('verify', renamed, vkey, own)).code, 0);
  assert.equal((await audit('verify', renamed, vkey, other)).code, 1, 'another entry');
  assert.equal((await audit('verify', renamed, vkey, own, other)).code, 2);
  writeFileSync(path, stdout.replace('index 1', 'index 0'));
  const changed = await audit('verify', path, vkey);
  assert.equal(changed.code, 1);
  assert.match(changed.stdout, /^NOT verified$/m);
});

test('what is no log, no bundle and no proof is not verified, and exits with 1', async () => {
  const { folder, audit } = logWithNote();
  const text = join(folder, 'notes.txt');
  const proof = join(folder, 'empty.tlog-proof');
  for (const path of [text, proof]) writeFileSync(path, 'no log\n');
  for (const path of [folder, text, proof]) {
    const { code, stdout, stderr } = await audit('verify', path, vkey);
    assert.equal(code, 1, stderr);
    assert.match(stdout, /unreadable.*\nNOT verified\n$/s);
  }
});

test('without a log there is nothing to verify', async () => {
  const { code, stderr } = await runCli(['audit', 'verify'], { SERVICE_PROVIDER: 'osv' });
  assert.equal(code, 1);
  assert.match(stderr, /there is no audit log in .*: the server makes one when it starts/);
});
