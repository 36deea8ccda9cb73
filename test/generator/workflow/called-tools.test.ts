import assert from 'node:assert/strict';
import test from 'node:test';
import { sourcesOf } from '../../../generator/model/workflow/called-tools.ts';

for (const [vendorKey, repeat] of [
  [{ in: 'header', name: 'Idempotency-Key' }, 'keyed'],
  [{ in: 'header', name: 'X-Request-ID', onlyNames: true }, 'once'],
  [undefined, 'once'],
] as const) {
  test(`a step that writes with ${vendorKey?.name ?? 'no key'} runs ${repeat}`, () => {
    const definition = { name: 'acme_x', annotations: { readOnlyHint: false } };
    const tool = { definition, behaviour: { vendorKey }, origin: {} };
    const provider = { settings: { id: 'acme' }, tools: [tool] };
    const tools = sourcesOf([provider as never], []).get('../providers/acme/openapi.yaml');
    assert.equal(tools?.get('acme_x')?.repeat, repeat);
  });
}
