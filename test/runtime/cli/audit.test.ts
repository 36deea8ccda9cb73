import assert from 'node:assert/strict';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test, { type TestContext } from 'node:test';
import { runCli } from './run-cli.ts';

const note = '{"operation":"append","category":"plan","action":"decided","summary":"Chose blue"}';

/** A command line over one log, into which a call has put a note. */
async function logWithNote(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'cli-audit-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const env = { SERVICE_DATA_DIR: join(folder, 'data'), SERVICE_PROVIDER: 'osv' };
  const audit = (...words: string[]) => runCli(['audit', ...words], env);
  const { code, stderr } = await runCli(['call', 'audit', note], env);
  assert.equal(code, 0, stderr);
  const vkey = (await audit('vkey')).stdout.trim();
  return { folder, env, audit, vkey };
}

test('checkpoint prints the note that the anchor keeps beside the data directory', async (t) => {
  const { folder, audit, vkey } = await logWithNote(t);
  const { code, stdout } = await audit('checkpoint');
  assert.equal(code, 0);
  assert.match(stdout, /^localhost\/audit\n2\n[A-Za-z0-9+/]{43}=\n\n— localhost\/audit \S+\n$/);
  assert.match(vkey, /^localhost\/audit\+[0-9a-f]{8}\+\S+$/);
  const anchored = join(folder, 'data-anchors', 'localhost%2Faudit', 'newest');
  assert.equal(readFileSync(anchored, 'utf8'), stdout);
});

test('verify says what was checked, and exits with 1 where an entry was changed', async (t) => {
  const { folder, audit } = await logWithNote(t);
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

test('an exported log is verified with nothing but the verifier key', async (t) => {
  const { folder, audit, vkey } = await logWithNote(t);
  const bundle = join(folder, 'bundle');
  const exported = await audit('export', bundle);
  assert.equal(exported.code, 0, exported.stderr);
  assert.match(exported.stdout, /^2 entries of localhost\/audit are in /);
  assert.equal((await audit('verify', bundle, vkey)).code, 0);

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

test('a printed proof is verified with nothing but the verifier key', async (t) => {
  const { folder, audit, vkey } = await logWithNote(t);
  const { code, stdout } = await audit('proof', '1');
  assert.equal(code, 0);
  const path = join(folder, 'note.tlog-proof');
  writeFileSync(path, stdout);
  assert.equal((await audit('verify', path, vkey)).code, 0);
  writeFileSync(path, stdout.replace('index 1', 'index 0'));
  const changed = await audit('verify', path, vkey);
  assert.equal(changed.code, 1);
  assert.match(changed.stdout, /^NOT verified$/m);
});

test('an older copy of the data is recognised, and continued by a successor', async (t) => {
  const { folder, env, audit } = await logWithNote(t);
  const [data, older] = [join(folder, 'data'), join(folder, 'older')];
  cpSync(data, older, { recursive: true });
  assert.equal((await runCli(['call', 'audit', note], env)).code, 0);
  rmSync(data, { recursive: true });
  cpSync(older, data, { recursive: true });
  const verified = await audit('verify');
  assert.equal(verified.code, 1);
  assert.match(verified.stdout, /rolled_back/);
  const refused = await runCli(['call', 'audit', note], env);
  assert.equal(refused.code, 1);
  assert.match(refused.stdout + refused.stderr, /rolled back/);

  const succeeded = await audit('succeed', 'an', 'older', 'copy', 'was', 'put', 'back');
  assert.equal(succeeded.code, 0, succeeded.stderr);
  assert.match(succeeded.stdout, /continued as localhost\/audit\/2/);
  assert.equal((await runCli(['call', 'audit', note], env)).code, 0);
  assert.equal((await audit('verify')).code, 0);
});

const misuses: readonly (readonly [string[], RegExp])[] = [
  [[], /audit takes one of verify, export, proof, checkpoint, succeed, vkey, rotate, witness-vkey/],
  [['clear'], /audit takes one of/],
  [['constructor'], /audit takes one of/],
  [['export'], /audit export takes the folder/],
  [['proof'], /audit proof takes the sequence number/],
  [['proof', 'one'], /expected a whole number, found "one"/],
  [['succeed'], /audit succeed takes the reason/],
  [['proof', '1', '2', '3'], /audit proof takes the sequence number/],
  [['proof', '1', '-2'], /unknown option|Unknown option/],
  [['export', 'a', 'b'], /audit export takes the folder/],
  [['checkpoint', '5'], /audit checkpoint takes nothing more, found "5"/],
  [['vkey', 'all'], /audit vkey takes nothing more, found "all"/],
  [['witness-vkey', 'mine'], /audit witness-vkey takes nothing more, found "mine"/],
  [['rotate', 'now'], /audit rotate takes nothing more, found "now"/],
  [['verify', 'nowhere'], /needs a verifier key/],
  [['verify', 'nowhere', 'key'], /there is no nowhere/],
  [['verify', import.meta.dirname, 'key'], /expected a verifier key/],
];
for (const [words, message] of misuses) {
  test(`"audit ${words.map((word) => word.split('/').at(-1)).join(' ')}" is misuse and exits with 2`, async () => {
    const { code, stdout, stderr } = await runCli(['audit', ...words], { SERVICE_PROVIDER: 'osv' });
    assert.equal(code, 2, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, message);
  });
}

test('without a log there is nothing to verify', async () => {
  const { code, stderr } = await runCli(['audit', 'verify'], { SERVICE_PROVIDER: 'osv' });
  assert.equal(code, 1);
  assert.match(stderr, /there is no audit log in .*: the server makes one when it starts/);
});
