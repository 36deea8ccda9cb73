import { type Load, run } from './load.ts';
import { median, type Row } from './row.ts';
import { type ServerProcess, startFlags, startServer } from './server-process.ts';

const seconds = 2;
const pairs = 5;

/** Requests per second of two servers, in turn, so that a machine that slows down slows both. */
async function compare(ours: Load, theirs: Load) {
  await run(ours, 1);
  await run(theirs, 1);
  const ratios: number[] = [];
  const rates: number[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const a = await run(ours, seconds);
    const b = await run(theirs, seconds);
    ratios.push(a.requestsPerSecond / b.requestsPerSecond);
    rates.push(a.requestsPerSecond);
  }
  return { ratio: median(ratios), rate: median(rates) };
}

/** Calls and lists through the whole server against the least that could answer them. */
export async function httpBench(): Promise<Row[]> {
  const upstream = await startServer('things');
  const env = { UPSTREAM_URL: upstream.url };
  const servers = {
    fastify: await startServer('fastify', env),
    ours: await startServer('ours', { TOOLS: '100', ...env }, startFlags),
    few: await startServer('ours', { TOOLS: '10' }, startFlags),
    many: await startServer('ours', { TOOLS: '10000' }, startFlags),
    sdk: await startServer('sdk-v2'),
  };
  try {
    return await rows(servers);
  } finally {
    for (const server of Object.values(servers)) await server.stop();
    await upstream.stop();
  }
}

type Servers = Readonly<Record<'fastify' | 'ours' | 'few' | 'many' | 'sdk', ServerProcess>>;

async function rows({ fastify, ours, few, many, sdk }: Servers): Promise<Row[]> {
  const call = await compare(callOf(ours.url), bare(`${fastify.url}/call`, callOf('')));
  const sdkCall = await compare(callOf(sdk.url), bare(`${fastify.url}/call`, callOf('')));
  const list = await compare(listOf(ours.url), bare(`${fastify.url}/list`, listOf('')));
  const sdkList = await compare(listOf(sdk.url), bare(`${fastify.url}/list`, listOf('')));
  const proxy = await compare(vendorOf(ours.url), bare(`${fastify.url}/proxy`, vendorOf('')));
  const crowd = await compare(callOf(few.url), callOf(many.url));
  const memory = await ours.residentMemory();
  return [
    atLeast('`tools/call` of a tool without I/O / bare Fastify route', 0.8, call, sdkCall.ratio),
    atLeast('`tools/list` of 100 tools / bare Fastify, JSON.stringify', 1.5, list, sdkList.ratio),
    atLeast('vendor tool on loopback / bare Fastify + undici', 0.75, proxy),
    {
      what: 'time of a call with 10,000 tools / with 10',
      target: 'at most 1.05',
      measured: crowd.ratio.toFixed(2),
      met: crowd.ratio <= 1.05,
      detail: '',
    },
    {
      what: 'resident memory after this load',
      target: 'at most 150 MB',
      measured: `${memory.toFixed(0)} MB`,
      met: memory <= 150,
      detail: `SDK v2 ${(await sdk.residentMemory()).toFixed(0)} MB, bare Fastify ${(await fastify.residentMemory()).toFixed(0)} MB`,
    },
  ];
}

function atLeast(
  what: string,
  target: number,
  { ratio, rate }: { ratio: number; rate: number },
  rival?: number,
): Row {
  const perSecond = `${Math.round(rate).toLocaleString('en')} requests/s`;
  return {
    what,
    target: `at least ${target.toFixed(2)}`,
    measured: ratio.toFixed(2),
    met: ratio >= target,
    detail: rival === undefined ? perSecond : `${perSecond}; SDK v2 ${rival.toFixed(2)}`,
  };
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
