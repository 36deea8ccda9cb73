import { writeFileSync } from 'node:fs';
import { Memory } from '../../generator/pipeline/memory.ts';
import { type Options, readOptions, usage } from './options.ts';
import { acceptedShare, asides, causes, heading, peerRow, row } from './report.ts';
import { runVendor, type VendorRun } from './run-vendor.ts';
import { type Description, findDescriptions } from './setup/descriptions.ts';
import { createWorkplace } from './setup/workplace.ts';

/** `npm run contract`: hold drafted tools against their vendors' documents. */
const { options, descriptions } = asked();
if (options.help) {
  console.log(usage);
  process.exit(0);
}

const workplace = createWorkplace();
const runs: VendorRun[] = [];
console.log(heading());
try {
  const memory = new Memory();
  for (const description of descriptions) {
    const run = await runVendor(description, workplace, { ...options, memory });
    runs.push(run);
    console.log(
      row(run.name, [run]) + (run.failure === undefined ? '' : `  ${run.failure.slice(0, 120)}`),
    );
    const peer = peerRow(run);
    if (peer !== undefined) console.log(peer);
    workplace.clear();
    if (options.json !== undefined) writeFileSync(options.json, JSON.stringify(runs, null, 1));
  }
} finally {
  workplace.close();
}
console.log(`${row('all', runs)}\n`);
console.log(
  `${acceptedShare(runs).toFixed(2)} % accepted, faults set aside\n\nset aside:\n${asides(runs)}\n\n${causes(runs)}`,
);

function asked(): { options: Options; descriptions: readonly Description[] } {
  try {
    const options = readOptions(process.argv.slice(2), process.env);
    const found = options.help
      ? []
      : findDescriptions(options.words, process.env['OPENAPI_VENDORS']);
    if (found.length > 0 || options.help) return { options, descriptions: found };
    throw new Error(
      'expected files, or a folder with descriptions in OPENAPI_VENDORS; got neither',
    );
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${usage}`);
    process.exit(3);
  }
}
