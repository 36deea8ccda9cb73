import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import test from 'node:test';
import { importFrom } from '../client-packages.ts';
import { unwrapped } from '../shop.ts';
import { type Json, openCheckoutShop } from './checkout-shop.ts';
import { reachesPlatform, startPlatform, ucp } from './platform.ts';

/** Have the models of the authors of UCP read documents. */
function readUcp(...documents: readonly (readonly [kind: 'profile' | 'checkout', Json])[]) {
  const python = process.env['UCP_MODELS_PYTHON'];
  assert.ok(python, 'UCP_MODELS_PYTHON names a python with the models of UCP');
  const script = join(import.meta.dirname, 'read-ucp.py');
  const input = JSON.stringify(documents);
  return spawnSync(python, [script], { input, encoding: 'utf8', timeout: 120_000 });
}

async function documentAt(base: string, path: string): Promise<Json> {
  const response = await fetch(`${base}${path}`);
  assert.equal(response.status, 200);
  return (await response.json()) as Json;
}

test('the models of UCP read the profile and a session, and refuse what is none', async (t) => {
  const platform = await startPlatform(t);
  const issuers = { SERVICE_AP2_ISSUERS: `${platform.url}/issuer` };
  const { base } = await openCheckoutShop(t, { ...reachesPlatform, ...issuers });
  const profile = await documentAt(base, '/.well-known/ucp');
  const line_items = [{ item: { id: 'service_status' }, quantity: 2 }];
  const { body: session } = await ucp(base, '', `${platform.url}/mandates`, { line_items });
  const read = readUcp(['profile', profile], ['checkout', session]);
  assert.equal(read.status, 0, read.stderr);
  const { id: _, ...nameless } = session;
  assert.equal(readUcp(['checkout', nameless]).status, 1);
  assert.equal(readUcp(['profile', { ucp: { version: 'draft' } }]).status, 1);
});

test('the schemas of the authors of x402 and of MPP take what both are told', async (t) => {
  const { base } = await openCheckoutShop(t);
  const { PaymentRequiredV2Schema } = (await importFrom('@x402/core/schemas')) as {
    readonly PaymentRequiredV2Schema: {
      safeParse(value: unknown): { readonly success: boolean; readonly error?: unknown };
    };
  };
  const header = (await fetch(`${base}/api/v1`)).headers.get('payment-required');
  const parsed = PaymentRequiredV2Schema.safeParse(unwrapped(header));
  assert.ok(parsed.success, JSON.stringify(parsed.error));
  assert.ok(!PaymentRequiredV2Schema.safeParse({ ...unwrapped(header), accepts: [] }).success);
  const { validate } = (await importFrom('mppx/discovery')) as {
    readonly validate: (document: unknown) => readonly { readonly severity: string }[];
  };
  const described = await documentAt(base, '/openapi.json');
  const faults = validate(described).filter(({ severity }) => severity === 'error');
  assert.deepEqual(faults, []);
  assert.notEqual(validate({ ...described, openapi: undefined }).length, 0);
});
