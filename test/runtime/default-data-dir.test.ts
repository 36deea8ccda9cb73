import assert from 'node:assert/strict';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { defaultDataDir } from '../../runtime/default-data-dir.ts';

const written = new URL('../../runtime/cli.js', import.meta.url).href;
const installed = 'file:///lib/node_modules/agent-tool-server/dist/runtime/cli.js';

test('a clone keeps its data itself, wherever it is started', () => {
  const expected = fileURLToPath(new URL('../../.data', import.meta.url));
  assert.equal(defaultDataDir(written, { XDG_DATA_HOME: '/x' }, 'linux'), expected);
});

test('an installed package keeps it for each user (XDG Base Directory Specification)', () => {
  const env = { HOME: '/home/ann' };
  const inHome = '/home/ann/.local/share/agent-tool-server';
  assert.equal(defaultDataDir(installed, env, 'linux'), inHome);
  assert.equal(defaultDataDir(installed, { ...env, XDG_DATA_HOME: '' }, 'linux'), inHome);
  const named = { ...env, XDG_DATA_HOME: '/data' };
  assert.equal(defaultDataDir(installed, named, 'linux'), '/data/agent-tool-server');
  const onMac = '/home/ann/Library/Application Support/agent-tool-server';
  assert.equal(defaultDataDir(installed, named, 'darwin'), onMac);
});
