import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Memory } from '../../generator/pipeline/memory.ts';
import { acceptedShare, asides, causes, heading, peerRow, row } from './report.ts';
import { runVendor, type VendorRun } from './run-vendor.ts';
import { findDescriptions } from './setup/descriptions.ts';
import { createWorkplace } from './setup/workplace.ts';

/**
 * `npm run contract [-- FILE or VENDOR ... --tools N --json FILE --requests --against fastmcp]`: hold drafted
 * tools against their vendors' documents; with --requests, their requests alone. FastMCP is that of the Python in MCP_CLIENTS_PYTHON.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    json: { type: 'string' },
    tools: { type: 'string' },
    against: { type: 'string' },
    requests: { type: 'boolean' },
  },
});
const most = values.tools === undefined ? undefined : Number(values.tools);
const peerPython = values.against === undefined ? undefined : process.env['MCP_CLIENTS_PYTHON'];
if (values.against !== undefined && (values.against !== 'fastmcp' || !peerPython)) {
  console.error(
    `expected --against fastmcp and a Python that has it in MCP_CLIENTS_PYTHON; got --against ${values.against}, MCP_CLIENTS_PYTHON=${peerPython ?? ''}`,
  );
  process.exit(3);
}
const descriptions = findDescriptions(positionals, process.env['OPENAPI_VENDORS']);
if (descriptions.length === 0) {
  console.error('expected files, or a folder with descriptions in OPENAPI_VENDORS; got neither');
  process.exit(3);
}

const workplace = createWorkplace();
const runs: VendorRun[] = [];
console.log(heading());
try {
  const memory = new Memory();
  const options = { memory, most, peerPython, withAnswers: values.requests !== true };
  for (const description of descriptions) {
    const run = await runVendor(description, workplace, options);
    runs.push(run);
    console.log(
      row(run.name, [run]) + (run.failure === undefined ? '' : `  ${run.failure.slice(0, 120)}`),
    );
    const peer = peerRow(run);
    if (peer !== undefined) console.log(peer);
    workplace.clear();
    if (values.json !== undefined) writeFileSync(values.json, JSON.stringify(runs, null, 1));
  }
} finally {
  workplace.close();
}
console.log(`${row('all', runs)}\n`);
console.log(
  `${acceptedShare(runs).toFixed(2)} % accepted, faults set aside\n\nset aside:\n${asides(runs)}\n\n${causes(runs)}`,
);
