import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { request } from 'undici';
import { openCosignature, parseWitnessKey } from '../../../../runtime/audit/keys/cosignature.ts';
import { legacy } from '../../mcp/rpc.ts';
import { runCli } from '../run-cli.ts';
import { type Served, serve } from '../served.ts';

type Env = Readonly<Record<string, string>>;

/** One of two servers that watch each other. */
interface Server {
  readonly folder: string;
  readonly port: string;
  readonly env: Env;
  readonly witnessKey: string;
  readonly logKey: string;
}

async function freePort(): Promise<string> {
  const server = createServer();
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' ? String(address?.port) : assert.fail();
}

/** What one tells the other before either of them runs. */
async function prepare(t: TestContext, host: string): Promise<Server> {
  const folder = mkdtempSync(join(tmpdir(), 'pair-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  const port = await freePort();
  const env = {
    PORT: port,
    SERVICE_DATA_DIR: join(folder, 'data'),
    SERVICE_AUDIT_ORIGIN: `${host}/audit`,
    SERVICE_PROVIDER: 'osv',
  };
  // The first call makes the log.
  const made = await runCli(['call', 'audit', noteText('the first one')], env);
  assert.equal(made.code, 0, made.stderr);
  const logKey = (await runCli(['audit', 'vkey'], env)).stdout.trim();
  const witnessKey = (await runCli(['audit', 'witness-vkey'], env)).stdout.trim();
  assert.match(witnessKey, new RegExp(`^${host}/witness\\+`));
  return { folder, port, env, logKey, witnessKey };
}

/** The environment of `own`, which watches `other` and is watched by it. */
function watching(own: Server, other: Server): Env {
  return {
    ...own.env,
    SERVICE_AUDIT_WITNESS_LOGS: other.logKey,
    SERVICE_AUDIT_WITNESS: `${other.witnessKey} http://127.0.0.1:${other.port}/audit/witness`,
  };
}

function noteText(summary: string): string {
  return JSON.stringify({ operation: 'append', category: 'plan', action: 'decided', summary });
}

async function addNote({ url }: Served, summary: string) {
  const { body } = await legacy(url, {
    method: 'tools/call',
    params: { name: 'audit', arguments: JSON.parse(noteText(summary)) },
  });
  return JSON.stringify(body);
}

/** How many entries the log has with this one; the server itself writes some, too. */
async function sizeWith(server: Served, summary: string): Promise<number> {
  const told = await addNote(server, summary);
  const size = Number(/"total":(\d+)/.exec(told)?.[1]);
  assert.ok(size > 0, told);
  return size;
}

/** Wait until `read` gives something; the test's own limit ends a wait that is in vain. */
async function eventually<T>(read: () => Promise<T | undefined>): Promise<T> {
  for (;;) {
    const found = await read();
    if (found !== undefined) return found;
    await sleep(100);
  }
}

async function cosignedCheckpoint({ url }: Served, size: number, witnessKey: string) {
  const key = parseWitnessKey(witnessKey);
  return eventually(async () => {
    const answer = await request(new URL('/audit/checkpoint', url));
    const note = await answer.body.text();
    const end = note.indexOf('\n\n') + 1;
    if (Number(note.split('\n')[1]) < size || !note.includes(`\n— ${key.name} `)) return undefined;
    openCosignature(note.slice(0, end), note.slice(end + 1), key, Date.now() / 1000);
    return note;
  });
}

/** The log of a process arrives on its own pipe. */
async function reported({ log }: Served, what: RegExp): Promise<void> {
  await eventually(async () => (what.test(log()) ? true : undefined));
}

async function stop({ child }: Served): Promise<void> {
  child.kill('SIGTERM');
  await once(child, 'exit');
}

const limit = { timeout: 600_000 };

test('two servers watch each other, and neither of them is taken in', limit, async (t) => {
  const a = await prepare(t, 'a.example.com');
  const b = await prepare(t, 'b.example.com');
  let serverA = await serve(t, watching(a, b));
  const serverB = await serve(t, watching(b, a));
  // A started before there was anybody to ask.
  await cosignedCheckpoint(serverA, 2, b.witnessKey);
  await cosignedCheckpoint(serverB, 2, a.witnessKey);
  await cosignedCheckpoint(serverA, await sizeWith(serverA, 'known to both'), b.witnessKey);
  await stop(serverA);
  const copy = join(a.folder, 'copy');
  cpSync(join(a.folder, 'data'), copy, { recursive: true });

  serverA = await serve(t, watching(a, b));
  const size = await sizeWith(serverA, 'written by the original');
  await cosignedCheckpoint(serverA, size, b.witnessKey);
  await stop(serverA);

  await t.test('an older copy is recognised at its start, by the witness alone', async (t) => {
    const restored = await serve(t, { ...watching(a, b), SERVICE_DATA_DIR: copy, PORT: '0' });
    const ready = await request(new URL('/readyz', restored.url));
    assert.equal(ready.statusCode, 503);
    await reported(restored, /AUDIT_ROLLBACK_DETECTED.*an anchor knows \d+/);
    assert.match(await addNote(restored, 'never written'), /rolled back/);
    await stop(restored);
  });

  await t.test('a fork is refused, and takes no more entries', async (t) => {
    const { SERVICE_AUDIT_WITNESS, ...alone } = watching(a, b);
    const fork = { ...alone, SERVICE_DATA_DIR: copy, PORT: '0' };
    const unwatched = await serve(t, fork);
    assert.match(await addNote(unwatched, 'written by the fork'), /"ok":true/);
    assert.match(await addNote(unwatched, 'written by the fork too'), /"ok":true/);
    await stop(unwatched);
    const watched = await serve(t, { ...fork, SERVICE_AUDIT_WITNESS: SERVICE_AUDIT_WITNESS ?? '' });
    await reported(
      watched,
      /AUDIT_ROLLBACK_DETECTED.*not those that an anchor knows|AUDIT_ROLLBACK_DETECTED.*do not continue/,
    );
    assert.match(await addNote(watched, 'never written'), /rolled back/);
    await stop(watched);
  });

  await t.test('the original goes on', async (t) => {
    const original = await serve(t, watching(a, b));
    const now = await sizeWith(original, 'as if nothing had happened');
    await cosignedCheckpoint(original, now, b.witnessKey);
    await stop(original);
  });
});
