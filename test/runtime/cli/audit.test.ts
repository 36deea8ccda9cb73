import assert from 'node:assert/strict';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import test, { after } from 'node:test';
import { openAuditLog } from '../../../runtime/audit/index.ts';
import { temporaryDirectory } from '../store/temporary-directory.ts';
import { refused } from './refused.ts';
import { runCli } from './run-cli.ts';
import { serve } from './served.ts';

const note = '{"operation":"append","category":"plan","action":"decided","summary":"Chose blue"}';

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cli-audit-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** The environment of a command line whose data and anchors are in `folder`. */
const inFolder = (folder: string) => ({
  SERVICE_DATA_DIR: join(folder, 'data'),
  SERVICE_PROVIDER: 'osv',
});

/** A log into which a call has put a note, and its verifier key: the same for every test. */
const original = temporaryFolder();
const made = await runCli(['call', 'audit', note], inFolder(original));
assert.equal(made.code, 0, made.stderr);
const vkey = (await runCli(['audit', 'vkey'], inFolder(original))).stdout.trim();

/** A command line over a copy of the log with the note. */
function logWithNote() {
  const folder = temporaryFolder();
  cpSync(original, folder, { recursive: true });
  const env = inFolder(folder);
  const audit = (...words: string[]) => runCli(['audit', ...words], env);
  return { folder, env, audit };
}

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

test('an older copy of the data is recognised, and continued by a successor', async () => {
  const { folder, env, audit } = logWithNote();
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

test('rotate makes a new key that the old one confirms; either verifies the whole log', async () => {
  const { folder, env, audit } = logWithNote();
  const rotated = await audit('rotate');
  assert.equal(rotated.code, 0, rotated.stderr);
  const [, newest = ''] = (await audit('vkey')).stdout.match(/^(\S+)\n(\S+)\n$/) ?? [];
  assert.equal((await audit('vkey')).stdout, `${newest}\n${vkey}\n`);
  assert.equal(
    rotated.stdout,
    `from entry 2 on localhost/audit is signed by a new key:
  ${newest}
the old key signs as well until ${join(folder, 'data', 'audit.previous.key')} is deleted
`,
  );
  for (const name of ['audit.key', 'audit.previous.key']) {
    assert.equal(statSync(join(folder, 'data', name)).mode & 0o777, 0o600);
  }
  const signatures = () => audit('checkpoint').then(({ stdout }) => stdout.match(/^— /gm)?.length);
  assert.equal(await signatures(), 2);
  rmSync(join(folder, 'data', 'audit.previous.key'));
  assert.equal((await runCli(['call', 'audit', note], env)).code, 0);
  assert.equal(await signatures(), 1);

  assert.equal((await audit('verify')).code, 0);
  const bundle = join(folder, 'bundle');
  assert.equal((await audit('export', bundle)).code, 0);
  for (const key of [newest, vkey, `${newest}\n${vkey}\n`]) {
    assert.equal((await audit('verify', bundle, key)).code, 0);
  }
});

test('rotate says why it cannot: another process has the log, or the key is configured', async () => {
  const { folder, env, audit } = logWithNote();
  const directory = join(folder, 'data');
  const log = await openAuditLog({ directory, origin: 'localhost/audit', anchors: [] });
  const locked = await audit('rotate').finally(() => log.close());
  assert.equal(locked.code, 1);
  assert.match(locked.stderr, /another process writes the audit log in .*: stop it/);
  assert.equal(existsSync(join(directory, 'audit.previous.key')), false);

  const key = readFileSync(join(directory, 'audit.key'), 'utf8').trim();
  const configured = await runCli(['audit', 'rotate'], { ...env, SERVICE_AUDIT_KEY: key });
  assert.equal(configured.code, 1);
  assert.match(
    configured.stderr,
    /set SERVICE_AUDIT_KEY to a new one and SERVICE_AUDIT_PREVIOUS_KEY/,
  );

  const none = await runCli(['audit', 'rotate'], { SERVICE_PROVIDER: 'osv' });
  assert.equal(none.code, 1);
  assert.match(none.stderr, /there is no audit log in /);
});

test('a configured key replaces another one that is configured as the previous one, or is in a file', async () => {
  const { folder, env, audit } = logWithNote();
  const key = Buffer.alloc(32, 5).toString('base64');
  const alone = await runCli(['call', 'audit', note], { ...env, SERVICE_AUDIT_KEY: key });
  assert.equal(alone.code, 1);
  const told = alone.stdout + alone.stderr;
  assert.ok(told.includes(vkey), told);
  assert.match(told, /SERVICE_AUDIT_PREVIOUS_KEY/);
  const both = {
    ...env,
    SERVICE_AUDIT_KEY: key,
    SERVICE_AUDIT_PREVIOUS_KEY_FILE: join(folder, 'data', 'audit.key'),
  };
  assert.equal((await runCli(['call', 'audit', note], both)).code, 0);
  assert.match((await audit('vkey')).stdout, /^\S+\n\S+\n$/);
  assert.equal((await audit('verify')).code, 0);
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
    const { code, stdout, stderr } = await refused(['audit', ...words], {
      SERVICE_PROVIDER: 'osv',
    });
    assert.equal(code, 2, stderr);
    assert.equal(stdout, '');
    assert.match(stderr, message);
    assert.equal(stderr.trimEnd().split('\n').length, 2, 'the line, and where to find help');
  });
}

test('without a log there is nothing to verify', async () => {
  const { code, stderr } = await runCli(['audit', 'verify'], { SERVICE_PROVIDER: 'osv' });
  assert.equal(code, 1);
  assert.match(stderr, /there is no audit log in .*: the server makes one when it starts/);
});
