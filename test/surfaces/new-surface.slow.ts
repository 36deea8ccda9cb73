import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import {
  cpSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { after, before, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { ownVariables } from '../runtime/cli/run-cli.ts';
import { PostgresServer } from '../runtime/store/postgres-server.ts';

const run = promisify(execFile);
const project = join(import.meta.dirname, '../..');
const fixture = join(project, 'test/fixtures/service-surface');
const base = mkdtempSync(join(tmpdir(), 'new-surface-'));
const trees = ['generated', 'generator', 'runtime', 'specs'];
const enabled = { SERVICE_ENABLE_SERVICE: 'yes', SERVICE_SERVICE_MOTTO: 'welcome' };

/** Every file of a tree, by its path, as a hash. */
function filesIn(root: string): ReadonlyMap<string, string> {
  const paths = trees.flatMap((tree) =>
    readdirSync(join(root, tree), { recursive: true, withFileTypes: true }).flatMap((entry) =>
      entry.isFile() ? [join(entry.parentPath, entry.name)] : [],
    ),
  );
  return new Map(
    paths.map((path) => [
      path.slice(root.length + 1),
      createHash('sha256').update(readFileSync(path)).digest('hex'),
    ]),
  );
}

before(async () => {
  for (const part of [...trees, 'package.json', 'package-lock.json', 'biome.json']) {
    cpSync(join(project, part), join(base, part), { recursive: true });
  }
  symlinkSync(join(project, 'node_modules'), join(base, 'node_modules'));
  const { compilerOptions } = JSON.parse(readFileSync(join(project, 'tsconfig.json'), 'utf8'));
  const settings = { compilerOptions, include: ['generated', 'runtime'] };
  writeFileSync(join(base, 'tsconfig.json'), JSON.stringify(settings));
});
after(() => rmSync(base, { recursive: true, force: true }));

test('a surface is added by two folders; no other file is touched by hand', async () => {
  const earlier = filesIn(base);
  cpSync(join(fixture, 'specs'), join(base, 'specs/surfaces/service'), { recursive: true });
  cpSync(join(fixture, 'runtime'), join(base, 'runtime/surfaces/service'), { recursive: true });
  await run(process.execPath, ['generator/cli.js', 'generate'], { cwd: base });
  const now = filesIn(base);
  const touched = [...now.keys()].filter((path) => now.get(path) !== earlier.get(path));
  const own = ['specs/surfaces/service/', 'runtime/surfaces/service/', 'generated/'];
  assert.deepEqual(
    touched.filter((path) => !own.some((folder) => path.startsWith(folder))),
    [],
  );
  assert.deepEqual(
    [...earlier.keys()].filter((path) => !now.has(path)),
    [],
  );
  assert.ok(touched.includes('specs/surfaces/service/tables.lock.json'));
  const compiler = join(project, 'node_modules/@typescript/native/bin/tsc');
  await run(process.execPath, [compiler, '--noEmit', '-p', base]);
  const linter = join(project, 'node_modules/@biomejs/biome/bin/biome');
  await run(process.execPath, [linter, 'ci', 'runtime/surfaces/service', 'generated/surfaces'], {
    cwd: base,
  });
});

interface Running {
  readonly url: string;
  /** The modules that it has loaded. */
  loaded(): readonly string[];
  stop(): Promise<void>;
}

/** Start the server of the copy, and note every module that it loads. */
async function serve(
  t: TestContext,
  dataDir: string,
  env: Readonly<Record<string, string>>,
): Promise<Running> {
  const trace = join(base, 'trace.txt');
  writeFileSync(trace, '');
  const hook = `import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
registerHooks({ load(url, context, next) { appendFileSync(${JSON.stringify(trace)}, url + '\\n'); return next(url, context); } });`;
  writeFileSync(join(base, 'trace.mjs'), hook);
  const child = spawn(
    process.execPath,
    ['--import', join(base, 'trace.mjs'), 'runtime/cli.js', 'serve'],
    {
      cwd: base,
      env: {
        ...ownVariables(),
        PORT: '0',
        SERVICE_PROVIDER: 'osv',
        SERVICE_DATA_DIR: dataDir,
        ...env,
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  t.after(() => child.kill('SIGKILL'));
  let text = '';
  for await (const chunk of child.stdout) {
    text += chunk;
    if (text.includes('Ctrl+C')) break;
  }
  const url = /listens on (\S+)/.exec(text)?.[1];
  assert.ok(url, text);
  return {
    url,
    loaded: () => readFileSync(trace, 'utf8').split('\n'),
    async stop() {
      child.kill('SIGTERM');
      assert.deepEqual((await once(child, 'exit'))[0], 0);
    },
  };
}

async function callTool(
  url: string,
  name: string,
  args: object = {},
): Promise<Record<string, unknown>> {
  const params = { name, arguments: args };
  const answer = await fetch(`${url}/mcp`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
  });
  const { result, error } = (await answer.json()) as {
    result?: { structuredContent: Record<string, unknown> };
    error?: { code: number };
  };
  return result?.structuredContent ?? { error };
}

test('it serves its route and its tool, keeps rows, writes its event, does its job and is measured', async (t) => {
  const dataDir = join(base, 'data');
  const server = await serve(t, dataDir, enabled);
  const page = await fetch(`${server.url}/service`);
  assert.equal(page.status, 200);
  assert.match(await page.text(), /^\d+\.\d+\.\d+ welcome\n$/);
  await fetch(`${server.url}/service`);
  let visits = await callTool(server.url, 'service_visits');
  assert.equal(visits['visits'], 2);
  while (visits['swept'] !== true) {
    await sleep(50);
    visits = await callTool(server.url, 'service_visits');
  }
  const { entries } = await callTool(server.url, 'audit', { operation: 'list', limit: 20 });
  const events = (entries as readonly { event: string }[]).map(({ event }) => event);
  assert.equal(events.filter((event) => event === 'SERVICE_READ').length, 2);
  const metrics = await (await fetch(`${server.url}/metrics`)).text();
  assert.match(metrics, /^service_reads_total 2$/m);
  assert.match(metrics, /^service_visits 2$/m);
  const ready = (await (await fetch(`${server.url}/readyz`)).json()) as {
    checks: readonly object[];
  };
  assert.deepEqual(ready.checks, [
    { name: 'store', ok: true },
    { name: 'audit', ok: true },
    { name: 'bus', ok: true, optional: true },
    { name: 'connections', ok: true },
    { name: 'service', ok: true },
  ]);
  assert.ok(server.loaded().some((url) => url.includes('/runtime/surfaces/service/index.ts')));
  await server.stop();
});

test('while it is disabled nothing of it is loaded or served, and what it kept stays', async (t) => {
  const dataDir = join(base, 'data');
  const without = await serve(t, dataDir, {});
  assert.equal((await fetch(`${without.url}/service`)).status, 404);
  assert.ok('error' in (await callTool(without.url, 'service_visits')));
  const loaded = without.loaded();
  assert.ok(loaded.some((url) => url.includes('/runtime/surfaces/audit/index.ts')));
  for (const id of ['service', 'search', 'code']) {
    const part = new RegExp(`/(runtime|generated)/surfaces/${id}/`);
    assert.deepEqual(
      loaded.filter((url) => part.test(url)),
      [],
    );
  }
  await without.stop();
  const again = await serve(t, dataDir, enabled);
  assert.equal((await callTool(again.url, 'service_visits'))['visits'], 2);
  await again.stop();
});

test('what it keeps moves to another database with everything else', async (t) => {
  const postgres = await PostgresServer.start();
  t.after(() => postgres.stop());
  const url = await postgres.createDatabase();
  const { stdout } = await run(process.execPath, ['runtime/cli.js', 'store', 'copy', '--to', url], {
    cwd: base,
    env: { ...ownVariables(), SERVICE_DATA_DIR: join(base, 'data') },
  });
  assert.match(stdout, /^service_visit: 2 rows, sha256 [0-9a-f]{64}$/m);
});
