import assert from 'node:assert/strict';
import test from 'node:test';
import type { ProviderAuth } from '#contract/provider';
import { checkVendors } from '../../../runtime/commands/vendor-checks.ts';
import { testOutbound, testProvider } from '../outbound/harness.ts';

test('doctor names every variable that a vendor demands together', async (t) => {
  const key: ProviderAuth = {
    ...{ type: 'api_key', in: 'header', name: 'X-Key', format: '{token}' },
    ...{ env: ['ACME_KEY'], required: true },
  };
  const provider = testProvider('http://127.0.0.1:1', {
    auth: [key],
    headers: { 'X-App-Id': '{env:ACME_APP_ID}' },
  });
  const outbound = testOutbound(t, { env: { ACME_KEY: 'abcdef' } });
  const findings = await Array.fromAsync(checkVendors({ outbound, providers: [provider] }));
  assert.deepEqual(findings, [
    {
      kind: 'problem',
      text: 'Acme: it needs a credential',
      fix: 'set ACME_KEY and ACME_APP_ID',
    },
  ]);
});
