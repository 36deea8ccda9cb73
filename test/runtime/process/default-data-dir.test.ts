import assert from 'node:assert/strict';
import test from 'node:test';
import { fileURLToPath } from 'node:url';
import { defaultDataDir } from '../../../runtime/process/default-data-dir.ts';

const written = new URL('../../../runtime/process/default-data-dir.ts', import.meta.url).href;
const installed = 'file:///lib/node_modules/agent-tool-server/dist/runtime/default-data-dir.js';

test('a clone keeps its data itself, wherever it is started', () => {
  const expected = fileURLToPath(new URL('../../../.data', import.meta.url));
  assert.equal(defaultDataDir({ XDG_DATA_HOME: '/x' }, 'linux', written), expected);
});

test('an installed package keeps it for each user (XDG Base Directory Specification)', () => {
  const env = { HOME: '/home/ann' };
  const inHome = '/home/ann/.local/share/agent-tool-server';
  assert.equal(defaultDataDir(env, 'linux', installed), inHome);
  assert.equal(defaultDataDir({ ...env, XDG_DATA_HOME: '' }, 'linux', installed), inHome);
  const named = { ...env, XDG_DATA_HOME: '/data' };
  assert.equal(defaultDataDir(named, 'linux', installed), '/data/agent-tool-server');
  const onMac = '/home/ann/Library/Application Support/agent-tool-server';
  assert.equal(defaultDataDir(named, 'darwin', installed), onMac);
});
