import assert from 'node:assert/strict';
import test from 'node:test';
import { type Mutate, mutations } from './mutations.ts';
import { type Node, openVendor, type Vendor } from './vendor-copy.ts';
import { vendors } from './vendors.ts';

const opened = new Map<string, Promise<Vendor>>();

function open(id: string): Promise<Vendor> {
  const vendor = opened.get(id) ?? openVendor(id);
  opened.set(id, vendor);
  return vendor;
}

interface Place {
  readonly vendor: Vendor;
  readonly later: Node;
  /** The tool that notices. */
  readonly tool: string;
}

/** The first vendor that has a place for a mutation, with its copy changed. */
async function placeFor(mutate: Mutate): Promise<Place | undefined> {
  for (const id of vendors) {
    const vendor = await open(id);
    const later = vendor.copy();
    const tool = mutate(later, vendor);
    if (tool !== undefined) return { vendor, later, tool };
  }
  return undefined;
}

for (const [what, [kind, breaks], mutate] of mutations) {
  test(`${what}: ${kind}`, async () => {
    const place = await placeFor(mutate);
    assert.ok(place, 'no vendor has a place for that');
    const { vendor, later, tool } = place;
    const { changes } = await vendor.drift(later);
    const found = changes.find(
      (one) => (one.tools ?? [one.tool]).includes(tool) && one.kind === kind,
    );
    assert.ok(found, `${vendor.id}, ${tool}: ${JSON.stringify(changes, null, 1)}`);
    assert.equal(found.breaks, breaks);
    assert.ok(found.line > 0 && found.column > 0);
  });
}
