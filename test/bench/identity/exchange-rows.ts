import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { exportJWK, generateKeyPair, type JWTPayload, jwtVerify, SignJWT } from 'jose';
import { inFlight } from '../in-flight.ts';
import { median, type Row } from '../row.ts';
import { type ServerProcess, startFlags, startServer } from '../server-process.ts';
import { exchangeOf, registerAgents, startProduct } from './agents.ts';
import { Networks, type Post } from './networks.ts';

const pairs = 7;
const seconds = 2;
/** Each may ask sixty times in a minute: enough for ten thousand in a second, all turns together. */
const agents = 3000;
const turns = 5000;
/** The share of a core that a server uses for which nothing is left to do. */
const mostIdle = 0.1;

/** Microseconds of processor time for each, what the load took for it, and how many in a second. */
interface Measured {
  readonly time: number;
  readonly load: number;
  readonly rate: number;
}

/** Ours, a bare route that does the cryptography alone, the same without HTTP, and a server of others. */
type Side = 'ours' | 'route' | 'bare' | 'peer';
type Sample = Readonly<Record<Side, Measured>>;

/** Exchanges of assertions for tokens against what the cryptography alone takes. */
export async function exchangeRows(): Promise<Row[]> {
  const bare = await makeBare();
  const env = { TRUSTED_KEY: JSON.stringify(bare.trusted) };
  const [product, route, peer] = await Promise.all([
    startProduct(),
    startServer('../identity/servers/jose-route', env, startFlags),
    startServer('../identity/servers/oidc-provider', env, startFlags),
  ]);
  const networks = [product, route, peer].map(({ url }) => new Networks(url));
  const [toUs, toRoute, toPeer] = networks as [Networks, Networks, Networks];
  try {
    const registered = await registerAgents(toUs, agents);
    const posts = registered.map(({ assertion }) => exchangeOf(assertion));
    const peerPost = exchangeOf(bare.assertion, '/token', { client_id: 'agent' });
    await idle(product);
    const sides: Readonly<Record<Side, () => Promise<Measured>>> = {
      ours: () => underLoad(product, toUs, posts),
      route: () => underLoad(route, toRoute, [exchangeOf(bare.assertion, '/token')]),
      bare: bare.measure,
      peer: () => underLoad(peer, toPeer, [peerPost]),
    };
    for (const warm of Object.values(sides)) await warm();
    const samples: Sample[] = [];
    for (let turn = 0; turn < pairs; turn++) {
      samples.push({
        ours: await sides.ours(),
        route: await sides.route(),
        bare: await sides.bare(),
        peer: await sides.peer(),
      });
    }
    return rows(samples);
  } finally {
    await Promise.all(networks.map((each) => each.close()));
    await Promise.all([peer, route, product].map((each) => each.stop()));
  }
}

function rows(samples: readonly Sample[]): Row[] {
  const middle = (side: Side, what: keyof Measured) =>
    Math.round(median(samples.map((sample) => sample[side][what]))).toLocaleString('en');
  const against = (side: Side) =>
    median(samples.map((sample) => sample[side].time / sample.ours.time));
  const ratio = median(samples.map(({ ours, bare }) => ours.rate / bare.rate));
  const rate = median(samples.map(({ ours }) => ours.rate));
  const perCore = Math.round(1e6 / median(samples.map(({ ours }) => ours.time)));
  const what = 'jwt-bearer exchanges per second, one process, ES256 / bare `jose` verify and sign';
  return [
    {
      what,
      target: 'at least 2,000/s, or 0.60',
      measured: `${middle('ours', 'rate')}/s, ${ratio.toFixed(2)}`,
      met: rate >= 2000 || ratio >= 0.6,
      detail: `bare ${middle('bare', 'rate')}/s, a bare Fastify route that does the same ${middle('route', 'rate')}/s, oidc-provider in memory ${middle('peer', 'rate')}/s; the load shares the cores`,
    },
    {
      what: 'the same by processor time: an exchange in a second of a core / bare `jose`',
      target: 'at least 2,000, or 0.60',
      measured: `${perCore.toLocaleString('en')}, ${against('bare').toFixed(2)}`,
      met: perCore >= 2000 || against('bare') >= 0.6,
      detail: `${middle('ours', 'time')} µs, of all threads; bare ${middle('bare', 'time')}, the bare Fastify route ${middle('route', 'time')} (${against('route').toFixed(2)}), oidc-provider ${middle('peer', 'time')} (${against('peer').toFixed(2)}); the load, another process, ${middle('ours', 'load')}`,
    },
  ];
}

/** Registrations are told and written down for a while after they were answered. */
async function idle(server: ServerProcess): Promise<void> {
  const lookMs = 500;
  for (let used = Number.POSITIVE_INFINITY; used > lookMs * mostIdle * 1000; ) {
    const before = await server.processorTime();
    await setTimeout(lookMs);
    used = (await server.processorTime()) - before;
  }
}

async function underLoad(
  server: ServerProcess,
  networks: Networks,
  posts: readonly Post[],
): Promise<Measured> {
  const before = await server.processorTime();
  const own = process.cpuUsage();
  const { count, perSecond } = await networks.load(posts, seconds);
  const { user, system } = process.cpuUsage(own);
  const time = ((await server.processorTime()) - before) / count;
  return { time, load: (user + system) / count, rate: perSecond };
}

/** The least that an exchange could do: verify a token, sign another one, with the same library. */
async function makeBare() {
  const { publicKey, privateKey } = await generateKeyPair('ES256', { extractable: true });
  const claims = () => {
    const now = Math.floor(Date.now() / 1000);
    const told = { sub: randomUUID(), jti: randomUUID(), iat: now, exp: now + 3600 };
    return { iss: 'https://idp.example.com', aud: 'https://tools.example.com/mcp', ...told };
  };
  const sign = (payload: JWTPayload) =>
    new SignJWT(payload).setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' }).sign(privateKey);
  const assertion = await sign(claims());
  return {
    assertion,
    trusted: await exportJWK(publicKey),
    async measure(): Promise<Measured> {
      const start = performance.now();
      const cpu = process.cpuUsage();
      await inFlight(16, turns, async () => {
        await jwtVerify(assertion, publicKey, { algorithms: ['ES256'] });
        await sign(claims());
      });
      const { user, system } = process.cpuUsage(cpu);
      const elapsed = (performance.now() - start) / 1000;
      return { time: (user + system) / turns, load: 0, rate: turns / elapsed };
    },
  };
}
