import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { legacy } from '../runtime/mcp/rpc.ts';
import { temporaryDirectory } from '../runtime/store/temporary-directory.ts';
import { startWholeServer } from '../surfaces/identity/whole-server.ts';
import { importFrom } from './client-packages.ts';
import { merchant, unwrapped } from './shop.ts';

type Json = Readonly<Record<string, unknown>>;
type Validate = (extension: unknown) => { readonly valid: boolean; readonly errors?: unknown };

test('the reference implementation takes what routes and tools say of themselves (x402 v2, bazaar)', async (t) => {
  const { validateDiscoveryExtension, validateDiscoveryExtensionSpec } = (await importFrom(
    '@x402/extensions/bazaar',
  )) as Readonly<Record<string, Validate>>;
  assert.ok(validateDiscoveryExtension && validateDiscoveryExtensionSpec);
  const file = join(temporaryDirectory(t), 'policy.yaml');
  writeFileSync(file, "prices: { 'tool:service_status': { amount: '0.01', currency: USD } }\n");
  const { base } = await startWholeServer(t, {
    SERVICE_POLICY_FILE: file,
    SERVICE_AUTH: 'local',
    SERVICE_X402_PAY_TO: merchant.address,
  });
  const route = unwrapped((await fetch(`${base}/api/v1`)).headers.get('payment-required'));
  const { body } = await legacy(new URL(`${base}/mcp`), {
    method: 'tools/call',
    params: { name: 'service_status', arguments: {} },
  });
  const tool = (body.result as unknown as { readonly structuredContent: Json }).structuredContent;
  for (const { extensions } of [route, tool] as readonly { extensions?: Json }[]) {
    const bazaar = extensions?.['bazaar'];
    const schema: ReturnType<Validate> = validateDiscoveryExtension(bazaar);
    assert.ok(schema.valid, JSON.stringify(schema.errors));
    const spec: ReturnType<Validate> = validateDiscoveryExtensionSpec(bazaar);
    assert.ok(spec.valid, JSON.stringify(spec.errors));
  }
});
