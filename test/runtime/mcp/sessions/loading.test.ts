import assert from 'node:assert/strict';
import { registerHooks } from 'node:module';
import test from 'node:test';
import { legacy, modern } from '../rpc.ts';

// The SDK is loaded with the first request that needs it: this file must not load it itself.

const loaded: string[] = [];
registerHooks({
  resolve(specifier, context, next) {
    if (specifier.startsWith('@modelcontextprotocol/')) loaded.push(specifier);
    return next(specifier, context);
  },
});

test('no SDK is loaded before a client of the handshake era comes', async (t) => {
  const { startInMemoryServer } = await import('../../in-memory-server.ts');
  const url = await startInMemoryServer(t, { sessions: {} });
  assert.equal((await modern(url, { method: 'tools/list' })).status, 200);
  assert.deepEqual(loaded, []);
  const clientInfo = { name: 'test', version: '1' };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  assert.equal((await legacy(url, { method: 'initialize', params })).status, 200);
  assert.ok(loaded.length > 0);
});
