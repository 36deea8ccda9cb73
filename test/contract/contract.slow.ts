import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { Memory } from '../../generator/pipeline/memory.ts';
import { acceptedShare, causes, figuresOf } from './report.ts';
import { runVendor, type VendorRun } from './run-vendor.ts';
import { findDescriptions } from './setup/descriptions.ts';
import { createWorkplace, type Workplace } from './setup/workplace.ts';

/** Small descriptions that differ in how one authenticates, pages and writes bodies. */
const sample = [
  'redocly-museum',
  'resend',
  'gotify',
  'openfga',
  'xero/xero_assets.yaml',
  'pinecone/db_control_2026-04.oas.yaml',
  'twilio/yaml/twilio_trunking_v1.yaml',
];
const toolsOfEach = 8;
/** In seconds: more than any answer takes on a machine that is busy. */
const patience = 120;

const vendors = process.env['OPENAPI_VENDORS'];
const own = join(import.meta.dirname, '../fixtures/acme.yaml');
let workplace: Workplace;
let runs: readonly VendorRun[] = [];

before(async () => {
  workplace = createWorkplace();
  const isThere = vendors !== undefined && existsSync(join(vendors, 'INDEX.md'));
  const memory = new Memory();
  const done: VendorRun[] = [];
  for (const description of findDescriptions(isThere ? sample : [own], vendors)) {
    done.push(await runVendor(description, workplace, { memory, most: toolsOfEach, patience }));
    workplace.clear();
  }
  runs = done;
});

after(() => workplace.close());

test('drafted tools are called as the documents of their vendors want it', (t) => {
  t.diagnostic(`${JSON.stringify(figuresOf(runs))}\n${causes(runs)}`);
  assert.deepEqual(
    runs.flatMap(({ failure }) => failure ?? []),
    [],
  );
  assert.ok(runs.every(({ calls }) => calls.length > 0));
  assert.ok(acceptedShare(runs) >= 97, `${acceptedShare(runs)} %`);
});

test('no argument is lost, and no answer is one that official clients refuse', () => {
  const { lost, clientRefuses } = figuresOf(runs);
  assert.deepEqual({ lost, clientRefuses }, { lost: 0, clientRefuses: 0 });
});
