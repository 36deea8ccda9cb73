import assert from 'node:assert/strict';
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, suite, test } from 'node:test';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { blocksIn, documents } from '../docs/documents.ts';
import { gone, serverOf } from '../runtime/stdio/data-folder.ts';
import { type Installed, installPackage, nodeFolder } from './installed.ts';

const run = promisify(execFile);

let installed: Installed;
before(async () => {
  installed = await installPackage();
});
after(() => installed.remove());

test('packing leaves nothing behind, and the package holds no TypeScript', async () => {
  assert.deepEqual(installed.leftBehind, []);
  const root = join(installed.folder, 'node_modules', 'agent-tool-server');
  const { stdout } = await run('find', [root, '-name', '*.ts', '-o', '-name', 'test']);
  assert.equal(stdout, '');
  assert.ok(existsSync(join(root, 'generated', 'docs', 'configuration.md')));
  const { stdout: size } = await run('du', ['-sk', root]);
  assert.ok(Number.parseInt(size, 10) < 12 * 1024, `it takes ${size} kB`);
});

test('what the README links to is in the package', () => {
  const root = join(installed.folder, 'node_modules', 'agent-tool-server');
  const [readme] = documents;
  const links = [...(readme?.text ?? '').matchAll(/\]\((?!https:)([^)#\s]+)/g)];
  assert.ok(links.length > 10);
  for (const [, link = ''] of links) assert.ok(existsSync(join(root, link)), link);
});

for (const version of [undefined, '24']) {
  suite(`the installed command, on Node.js ${version ?? process.versions.node}`, () => {
    let env: Record<string, string> = {};
    before(async () => {
      env = installed.environment(await nodeFolder(version, installed.folder));
    });
    const command = (...args: string[]) =>
      run('npx', ['--no-install', 'agent-tool-server', ...args], { cwd: installed.folder, env });

    test('it runs on that version', async () => {
      const { stdout } = await run('node', ['--version'], { env });
      assert.match(stdout, new RegExp(`^v${version ?? process.versions.node}`));
    });

    test('tools finds tools', async () => {
      assert.match((await command('tools', 'weather')).stdout, /^open_meteo_forecast$/m);
    });

    test('call runs a tool', async () => {
      assert.ok(JSON.parse((await command('call', 'service_status')).stdout).version);
    });

    test('a script runs in its thread', async () => {
      const scripts = { cwd: installed.folder, env: { ...env, SERVICE_TOOL_MODE: 'code' } };
      const code = JSON.stringify({ code: 'return (await tools.service_status()).version' });
      const { stdout } = await run('agent-tool-server', ['call', 'api_run', code], scripts);
      assert.ok(JSON.parse(stdout).result);
    });

    test('stdio lists the tools, and the server that it started ends', async () => {
      const server = { command: 'agent-tool-server', args: ['stdio'] };
      assert.ok((await listOverStdio(server, env)).length > 30);
    });

    test('serve answers, and audit verify finds what it wrote', async () => {
      const { child, url } = await serve(env);
      assert.ok((await listOverHttp(url)).length > 30);
      assert.match(await skillOverHttp(url), /^---\nname: agent-tool-server\n/);
      child.kill('SIGTERM');
      assert.deepEqual(await once(child, 'exit'), [0, null]);
      assert.match((await command('audit', 'verify')).stdout, /^verified$/m);
    });
  });
}

interface ServerEntry {
  readonly type?: string;
  readonly command?: string;
  readonly args?: string[];
  readonly env?: Record<string, string>;
  readonly url?: string;
}

/** Every server that a configuration of a client in a document names. */
const entries = blocksIn('json').flatMap(({ text }) => {
  const value = JSON.parse(text);
  // A list is a setting of this server (test/docs/oauth-settings.test.ts).
  if (Array.isArray(value)) return [];
  const { mcpServers, servers }: Record<string, Record<string, ServerEntry>> = value;
  // Neither is what an agent publishes on the event bus, or reads there, nor what a command prints.
  if (['event', 'stream', 'changes'].some((key) => key in value)) return [];
  return Object.values(mcpServers ?? servers ?? assert.fail(text));
});

suite('every configuration in the documents reaches the tools', () => {
  let env: Record<string, string> = {};
  let server: { child: ChildProcess; url: URL };
  before(async () => {
    env = installed.environment(await nodeFolder(undefined, ''));
    server = await serve({ ...env, SERVICE_DATA_DIR: join(installed.folder, 'served') });
  });
  after(async () => {
    server.child.kill('SIGTERM');
    await once(server.child, 'exit');
  });

  test('there are configurations for both ways', () => {
    assert.ok(entries.filter(({ command }) => command !== undefined).length >= 4);
    assert.ok(entries.filter(({ url }) => url !== undefined).length >= 4);
  });

  for (const entry of entries) {
    test(JSON.stringify(entry), async () => {
      if (entry.url === undefined) {
        assert.ok((await listOverStdio(entry, env)).length > 30);
        return;
      }
      assert.ok(entry.url.startsWith('http://127.0.0.1:8080/'));
      const url = new URL(new URL(entry.url).pathname, server.url);
      assert.ok((await listOverHttp(url)).length > 30);
    });
  }
});

async function listOverStdio(entry: ServerEntry, env: Record<string, string>): Promise<unknown[]> {
  const { command = assert.fail('there is no command'), args = [] } = entry;
  const transport = new StdioClientTransport({ command, args, env: { ...env, ...entry.env } });
  const tools = await list(transport);
  const dataDir = join(env['HOME'] ?? '', '.local', 'share', 'agent-tool-server');
  const server = serverOf(dataDir);
  if (server !== undefined) await gone(server);
  assert.ok(existsSync(dataDir), 'the data is where docs/clients.md says');
  return tools;
}

function listOverHttp(url: URL): Promise<unknown[]> {
  return list(new StreamableHTTPClientTransport(url));
}

/** What the server teaches about itself, which is a file of the package. */
async function skillOverHttp(url: URL): Promise<string> {
  const client = await connected(new StreamableHTTPClientTransport(url));
  const read = await client.readResource({ uri: 'skill://agent-tool-server/SKILL.md' });
  await client.close();
  return read.contents.map((content) => ('text' in content ? content.text : '')).join('');
}

async function list(transport: Transport): Promise<unknown[]> {
  const client = await connected(transport);
  const { tools } = await client.listTools();
  await client.close();
  return tools;
}

type Transport = Parameters<Client['connect']>[0];

async function connected(transport: Transport): Promise<Client> {
  const client = new Client(
    { name: 'test', version: '1' },
    { versionNegotiation: { mode: 'auto' } },
  );
  await client.connect(transport);
  return client;
}

async function serve(env: Record<string, string>): Promise<{ child: ChildProcess; url: URL }> {
  const child = spawn('agent-tool-server', ['serve'], { env: { ...env, PORT: '0' } });
  let output = '';
  for await (const chunk of child.stdout) {
    output += chunk;
    if (output.includes('Stop with Ctrl+C')) break;
  }
  const [, address] = /listens on (\S+)/.exec(output) ?? assert.fail(output);
  return { child, url: new URL('/mcp', address) };
}
