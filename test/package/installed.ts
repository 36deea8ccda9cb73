import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const project = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

/** The package, installed into a folder that had nothing in it. */
export interface Installed {
  readonly folder: string;
  /** What packing has left in the folder that was packed. */
  readonly leftBehind: readonly string[];
  /** The environment in which its command runs on a version of Node.js, for a user of its own. */
  environment(node: string): Record<string, string>;
  remove(): void;
}

/** Pack the project as it was committed last, and install what comes of it. */
export async function installPackage(): Promise<Installed> {
  const root = mkdtempSync(join(tmpdir(), 'package-'));
  const [clone, folder, home] = ['clone', 'folder', 'home'].map((name) => join(root, name)) as [
    string,
    string,
    string,
  ];
  await run('git', ['clone', '--quiet', project, clone]);
  symlinkSync(join(project, 'node_modules'), join(clone, 'node_modules'));
  const before = readdirSync(clone);
  await run('npm', ['pack', '--silent', '--pack-destination', root], { cwd: clone });
  const tarball = readdirSync(root).find((name) => name.endsWith('.tgz')) ?? 'no tarball';
  await install(folder, join(root, tarball));
  return {
    folder,
    leftBehind: readdirSync(clone).filter((name) => !before.includes(name)),
    environment: (node) => ({
      PATH: [join(folder, 'node_modules', '.bin'), node, process.env['PATH']].join(delimiter),
      HOME: home,
      SERVICE_STDIO_LINGER: '0s',
      npm_config_update_notifier: 'false',
    }),
    remove: () => rmSync(root, { recursive: true, force: true }),
  };
}

/** The folder of a version of Node.js: the one that runs this, or one from the registry. */
export async function nodeFolder(version: string | undefined, into: string): Promise<string> {
  if (version === undefined) return dirname(process.execPath);
  const folder = join(into, `node-${version}`);
  await install(folder, `node@${version}`);
  return join(folder, 'node_modules', '.bin');
}

async function install(folder: string, what: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const manifest = { private: true, allowScripts: { node: true } };
  writeFileSync(join(folder, 'package.json'), JSON.stringify(manifest));
  const options = ['--prefer-offline', '--no-audit', '--no-fund', '--silent'];
  await run('npm', ['install', ...options, what], { cwd: folder });
}
