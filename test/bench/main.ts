import { cpus, totalmem } from 'node:os';
import { auditBench } from './audit-bench.ts';
import { busBench } from './bus-bench.ts';
import { generateBench } from './generate/generate-bench.ts';
import { httpBench } from './http-bench.ts';
import { identityBench } from './identity/identity-bench.ts';
import { listenBench } from './listen-bench.ts';
import { applyBench } from './observability/apply-bench.ts';
import { collectorBench } from './observability/collector-bench.ts';
import { edgeBench } from './observability/edge-bench.ts';
import { queryBench } from './observability/query-bench.ts';
import { tracedCalls } from './observability/traced-calls.ts';
import { overloadBench } from './overload/overload-bench.ts';
import { paymentsBench } from './payments/payments-bench.ts';
import { type Row, table } from './row.ts';
import { scriptBench } from './script-bench.ts';
import { searchBench } from './search-bench.ts';
import { startBench } from './start-bench.ts';
import { storeBench } from './store-bench.ts';
import { tokensBench } from './tokens-bench.ts';
import { workflowBench } from './workflow-bench.ts';

/** How long the soak of the overload suite goes on: `--soak=600`. */
const soak = process.argv.find((word) => word.startsWith('--soak='))?.slice('--soak='.length);
const soakSeconds = Number(soak ?? 600);

const suites: Readonly<Record<string, () => Promise<Row[]>>> = {
  http: async () => [...(await httpBench()), ...(await listenBench())],
  generate: generateBench,
  start: startBench,
  audit: auditBench,
  store: storeBench,
  bus: async () => [...(await busBench()), ...(await workflowBench())],
  workflows: workflowBench,
  search: searchBench,
  script: scriptBench,
  tokens: tokensBench,
  identity: identityBench,
  payments: paymentsBench,
  observability: async () => [
    ...(await queryBench()),
    ...(await collectorBench()),
    ...(await applyBench()),
    ...(await edgeBench()),
    ...(await tracedCalls()),
  ],
  overload: () => overloadBench(soakSeconds),
};

/** `npm run bench [-- SUITE ... --soak=SECONDS]`: measure, and print one table. */
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('--'));
const unknown = wanted.filter((name) => !Object.hasOwn(suites, name));
if (unknown.length > 0) {
  console.error(`no suite called ${unknown}; there are ${Object.keys(suites)}`);
  process.exit(3);
}

const rows: Row[] = [];
for (const [name, measure] of Object.entries(suites)) {
  if (wanted.length === 0 || wanted.includes(name)) rows.push(...(await measure()));
}
const [cpu] = cpus();
console.log(`Node ${process.versions.node}, ${cpus().length} cores of ${cpu?.model}, \
${Math.round(totalmem() / 1e9)} GB, one process per server, load from another.\n`);
console.log(table(rows));
