import type { AddressInfo } from 'node:net';
import type { Tool } from '#contract/tool';
import { createAdmission } from '../../../runtime/admission/admission.ts';
import { RequestStates } from '../../../runtime/admission/confirm/sealed-state.ts';
import { RunningCalls } from '../../../runtime/admission/running-calls.ts';
import { openAuditLog } from '../../../runtime/audit/engine/audit-log.ts';
import { createAuditAccess } from '../../../runtime/audit/wiring/audit-access.ts';
import { createHttpServer } from '../../../runtime/http/server.ts';
import { McpEndpoint } from '../../../runtime/mcp/endpoint.ts';
import { Dialogue } from '../../../runtime/mcp/request/dialogue.ts';
import { createLog } from '../../../runtime/observe/log.ts';
import { createMetrics } from '../../../runtime/observe/metrics.ts';
import { createLosses } from '../../../runtime/observe/otlp/losses.ts';
import { OtlpExport } from '../../../runtime/observe/otlp/otlp-export.ts';
import { sampler } from '../../../runtime/observe/spans/sampling.ts';
import { Tracer } from '../../../runtime/observe/spans/tracer.ts';
import { Catalogue, toolsInMemory } from '../../../runtime/offer/catalogue.ts';
import { Prompts } from '../../../runtime/offer/prompts.ts';
import { Resources } from '../../../runtime/offer/resources.ts';
import { createOutbound } from '../../../runtime/outbound/index.ts';
import { benchTools, callResult } from '../bench-tools.ts';
import { announce } from './announce.ts';
import { things, thingsGet } from './things-provider.ts';

/** With it, each call writes an entry to a log in that folder, and does not wait for it. */
const auditDir = process.env['AUDIT'];

/** The product's own HTTP server, admission and MCP endpoint in front of tools that do no I/O. */
const tools: Tool[] = benchTools(Number(process.env['TOOLS'])).map(({ inputSchema, ...tool }) => ({
  definition: {
    ...tool,
    input: inputSchema,
    access: ['mcp.tools'],
    ...(auditDir !== undefined && { audit: 'outcome' }),
  },
  async call(args) {
    return callResult(String(args['text']));
  },
}));

const outbound = createOutbound({
  version: '0.0.0',
  allow: ['127.0.0.0/8'],
  env: {},
  baseUrls: new Map([['things', process.env['UPSTREAM_URL'] ?? 'http://127.0.0.1:9']]),
});
tools.push(outbound.tool(things, thingsGet));

const log = createLog('info');
const running = new RunningCalls(60_000);
const audit = createAuditAccess(() =>
  openAuditLog({ directory: auditDir ?? '', origin: 'bench/audit', anchors: [] }),
);
if (auditDir !== undefined) await audit.open();
const onLoss = (error: unknown) => log.error({ err: error }, 'an entry is missing');
const admission = createAdmission({ callRate: 0, audit: { events: audit.events, onLoss } });
const sources = [{ id: 'bench', title: 'Bench', tools: toolsInMemory(tools) }];
const catalogue = new Catalogue(sources, admission);
const metrics = createMetrics();
/** With it, calls are traced, as many as the ratio says, and the spans sent there. */
const { OTLP: endpoint, TRACE_RATIO: ratio } = process.env;
const otlp =
  endpoint === undefined
    ? undefined
    : new OtlpExport(
        {
          ...{ endpoint, headers: undefined, serviceName: 'bench', version: '0.0.0' },
          ...{ metricIntervalMs: 60_000, forModels: false },
        },
        metrics,
        createLosses(metrics, log),
      );
await otlp?.start();
const tracer =
  otlp && new Tracer(sampler('parentbased_traceidratio', Number(ratio)), (span) => otlp.span(span));
const parts = {
  log,
  running,
  admission,
  metrics,
  tracer,
  maxBodyBytes: 4_194_304,
  callTimeoutMs: 60_000,
};
const mcp = new McpEndpoint({
  ...parts,
  catalogue,
  resources: new Resources([], admission),
  prompts: new Prompts([], admission),
  dialogue: new Dialogue(new RequestStates(() => Buffer.alloc(32))),
});
const server = createHttpServer({
  ...parts,
  mcp,
  host: '127.0.0.1',
  mcpPath: '/mcp',
  baseUrl: undefined,
  routes: [],
});

await server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 });
let added = 0;
announce(`http://127.0.0.1:${(server.server.address() as AddressInfo).port}/mcp`, {
  change() {
    added += 1;
    catalogue.add({ id: `added-${added}`, title: 'Added', tools: [] });
  },
});
