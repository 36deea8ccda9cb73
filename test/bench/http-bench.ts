import { type Load, run } from './load.ts';
import { compare, processorRow } from './processor-time.ts';
import type { Row } from './row.ts';
import { type ServerProcess, startFlags, startServer } from './server-process.ts';

/** Calls and lists through the whole server against the least that could answer them. */
export async function httpBench(): Promise<Row[]> {
  const upstream = await startServer('things');
  const env = { UPSTREAM_URL: upstream.url };
  try {
    return [
      ...(await besideFastify(startFlags, 'with the flags of `npm start`', env)),
      ...(await besideFastify([], "with V8's own settings", env)),
      await crowdRow(),
    ];
  } finally {
    await upstream.stop();
  }
}

/** The product, bare Fastify and the SDK, all with the same flags. */
async function besideFastify(
  flags: readonly string[],
  setting: string,
  env: Readonly<Record<string, string>>,
): Promise<Row[]> {
  await rehearse(flags, env);
  const servers = {
    fastify: await startServer('fastify', env, flags),
    ours: await startServer('ours', { TOOLS: '100', ...env }, flags),
    sdk: await startServer('sdk-v2', {}, flags),
  };
  try {
    return await rows(servers, setting);
  } finally {
    for (const server of Object.values(servers)) await server.stop();
  }
}

/** Fill the cache of compiled code, or else the first one to run would compile all of it. */
async function rehearse(flags: readonly string[], env: Readonly<Record<string, string>>) {
  const ours = await startServer('ours', { TOOLS: '100', ...env }, flags);
  for (const load of [callOf(ours.url), listOf(ours.url), vendorOf(ours.url)]) await run(load, 1);
  await ours.stop();
  await (await startServer('fastify', env, flags)).stop();
}

type Servers = Readonly<Record<'fastify' | 'ours' | 'sdk', ServerProcess>>;

async function rows({ fastify, ours, sdk }: Servers, setting: string): Promise<Row[]> {
  const floor = (route: string, load: Load) => ({
    server: fastify,
    load: bare(`${fastify.url}/${route}`, load),
  });
  const product = (of: (url: string) => Load) => ({ server: ours, load: of(ours.url) });
  const call = await compare(product(callOf), floor('call', callOf('')));
  const list = await compare(product(listOf), floor('list', listOf('')));
  const vendor = await compare(product(vendorOf), floor('proxy', vendorOf('')));
  // Both have answered as many seconds of each load.
  const memory = [await ours.residentMemory(), await fastify.residentMemory()] as const;
  const sdkSide = { server: sdk, load: callOf(sdk.url) };
  const sdkCall = await compare(sdkSide, floor('call', callOf('')));
  const sdkWord = `; SDK v2 ${sdkCall.processor.toFixed(1)}`;
  return [
    processorRow(`${setting}: \`tools/call\` without I/O / bare Fastify`, 1.2, call, sdkWord),
    processorRow('`tools/list` of 100 tools / bare Fastify', 0.67, list),
    processorRow('vendor tool on loopback / bare Fastify + undici', 1.3, vendor),
    memoryRow(...memory),
  ];
}

function memoryRow(ours: number, theirs: number): Row {
  const ratio = ours / theirs;
  return {
    what: 'resident memory after this load / bare Fastify',
    target: 'at most 1.05',
    measured: ratio.toFixed(2),
    met: ratio <= 1.05,
    detail: `${ours.toFixed(0)} / ${theirs.toFixed(0)} MB`,
  };
}

/** A call must not take longer where there are many tools. */
async function crowdRow(): Promise<Row> {
  const few = await startServer('ours', { TOOLS: '10' }, startFlags);
  const many = await startServer('ours', { TOOLS: '10000' }, startFlags);
  try {
    const crowd = { server: many, load: callOf(many.url) };
    const found = await compare(crowd, { server: few, load: callOf(few.url) });
    return processorRow('a call with 10,000 tools / with 10', 1.05, found);
  } finally {
    await few.stop();
    await many.stop();
  }
}

const callOf = (url: string) => mcp(url, 'tools/call', 'bench_echo', { text: 'hello', limit: 5 });
const vendorOf = (url: string) => mcp(url, 'tools/call', 'things_get', { id: 'a1' });
const listOf = (url: string) => mcp(url, 'tools/list');

/** One request of a sessionless client. */
export function mcp(url: string, method: string, name?: string, args?: object): Load {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const params = name === undefined ? { _meta } : { name, arguments: args, _meta };
  return {
    url,
    headers: {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(name === undefined ? {} : { 'mcp-name': name }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
  };
}

/** The same bytes to a plain route. */
function bare(url: string, load: Load): Load {
  return { url, headers: {}, body: load.body };
}
