import assert from 'node:assert/strict';
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('..', import.meta.url));
const readme = readFileSync(join(project, 'README.md'), 'utf8');

/** The shell commands of the README, in their order; one that goes on over a line is one command. */
const commands = [...readme.matchAll(/^ *```sh\n([\s\S]*?)^ *```/gm)].flatMap(([, block = '']) =>
  block
    .replace(/\\\n\s*/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== ''),
);

/** Commands that other tests cover, or that would take the whole suite again. */
const elsewhere = new Set(['npm test', 'npm run check', 'npm run lint']);

suite('every command of the README works in a fresh clone', () => {
  let clone = '';
  /** Stands for what the README has outside of the clone. */
  let disk = '';
  let port = 0;
  let server: ChildProcess | undefined;

  before(async () => {
    clone = mkdtempSync(join(tmpdir(), 'readme-'));
    execFileSync('git', ['clone', '--quiet', project, clone]);
    disk = mkdtempSync(join(tmpdir(), 'readme-disk-'));
    port = await freePort();
  });

  after(async () => {
    await stop(server);
    for (const folder of [clone, disk, globals]) rmSync(folder, { recursive: true, force: true });
  });

  test('there are commands', () => assert.ok(commands.length >= 12, `found ${commands.length}`));

  for (const command of commands.filter((each) => !elsewhere.has(each))) {
    test(command, async () => {
      const adapted = command
        .replaceAll('127.0.0.1:8080', `127.0.0.1:${port}`)
        .replaceAll('/mnt/backup', disk);
      if (/npm start$/.test(adapted)) {
        await stop(server);
        server = await start(adapted, clone, port);
        return;
      }
      // A backup is put back where nothing is kept yet.
      const restores = command.includes('store restore');
      const added = restores ? { SERVICE_DATA_DIR: join(disk, 'restored', 'data') } : {};
      const { code, output } = await run(adapted, clone, added);
      // Without a network the doctor has something to say, and says so with 1.
      const allowed = command.endsWith('doctor') ? [0, 1] : [0];
      assert.ok(allowed.includes(code), output);
      assert.notEqual(output.trim(), '');
      if (command.startsWith('curl')) assert.ok(JSON.parse(output).result, output);
    });
  }
});

/** Where the README installs the command. */
const globals = mkdtempSync(join(tmpdir(), 'readme-globals-'));

const environment = {
  ...process.env,
  npm_config_update_notifier: 'false',
  npm_config_prefix: globals,
  HOME: globals,
  PATH: `${join(globals, 'bin')}:${process.env['PATH']}`,
  NODE_TEST_CONTEXT: '',
};

async function start(command: string, cwd: string, port: number): Promise<ChildProcess> {
  const env = { ...environment, PORT: String(port) };
  const child = spawn('sh', ['-c', command], { cwd, env, detached: true, stdio: 'pipe' });
  let output = '';
  for await (const chunk of child.stdout) {
    output += chunk;
    if (output.includes('Stop with Ctrl+C')) break;
  }
  assert.match(output, /Agent Tool Server \S+ listens on/);
  return child;
}

async function stop(child: ChildProcess | undefined): Promise<void> {
  if (child?.pid === undefined || child.exitCode !== null) return;
  const exit = once(child, 'exit');
  process.kill(-child.pid, 'SIGTERM');
  await exit;
}

async function run(
  command: string,
  cwd: string,
  added: Readonly<Record<string, string>>,
): Promise<{ code: number; output: string }> {
  const env = { ...environment, ...added };
  const child = spawn('sh', ['-c', `${command} 2>&1`], { cwd, env, stdio: 'pipe' });
  let output = '';
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, output };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}
