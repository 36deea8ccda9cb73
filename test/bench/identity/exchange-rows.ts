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

/** Microseconds of processor time for each, and how many in a second. */
interface Measured {
  readonly time: number;
  readonly rate: number;
}

/** Exchanges of assertions for tokens against what the cryptography alone takes. */
export async function exchangeRows(): Promise<Row[]> {
  const bare = await makeBare();
  const product = await startProduct();
  const env = { TRUSTED_KEY: JSON.stringify(bare.trusted) };
  const peer = await startServer('../identity/servers/oidc-provider', env, startFlags);
  const [toUs, toPeer] = [new Networks(product.url), new Networks(peer.url)];
  try {
    const registered = await registerAgents(toUs, agents);
    const posts = registered.map(({ assertion }) => exchangeOf(assertion));
    const peerPost = exchangeOf(bare.assertion, '/token', { client_id: 'agent' });
    await idle(product);
    const ours = () => underLoad(product, toUs, posts);
    const theirs = () => underLoad(peer, toPeer, [peerPost]);
    for (const warm of [ours, theirs, bare.measure]) await warm();
    const samples: { readonly ours: Measured; readonly bare: Measured; readonly peer: Measured }[] =
      [];
    for (let pair = 0; pair < pairs; pair++) {
      samples.push({ ours: await ours(), bare: await bare.measure(), peer: await theirs() });
    }
    return [row(samples)];
  } finally {
    await Promise.all([toUs.close(), toPeer.close()]);
    await peer.stop();
    await product.stop();
  }
}

function row(samples: readonly Readonly<Record<'ours' | 'bare' | 'peer', Measured>>[]): Row {
  const of = (side: 'ours' | 'bare' | 'peer', what: keyof Measured) =>
    Math.round(median(samples.map((sample) => sample[side][what]))).toLocaleString('en');
  const ratio = median(samples.map(({ ours, bare }) => ours.rate / bare.rate));
  const share = median(samples.map(({ ours, bare }) => bare.time / ours.time));
  const rate = median(samples.map(({ ours }) => ours.rate));
  const perCore = Math.round(1e6 / median(samples.map(({ ours }) => ours.time)));
  return {
    what: 'jwt-bearer exchanges per second, one process, ES256 / bare `jose` verify and sign',
    target: 'at least 2,000/s, or 0.60',
    measured: `${of('ours', 'rate')}/s, ${ratio.toFixed(2)}`,
    met: rate >= 2000 || ratio >= 0.6,
    detail: `bare ${of('bare', 'rate')}/s, oidc-provider in memory ${of('peer', 'rate')}/s; processor time ${of('ours', 'time')}, ${of('bare', 'time')} and ${of('peer', 'time')} µs, ${share.toFixed(2)} of bare, ${perCore.toLocaleString('en')} in a second of a core; the load shares the cores`,
  };
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
  const { count, perSecond } = await networks.load(posts, seconds);
  return { time: ((await server.processorTime()) - before) / count, rate: perSecond };
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
      return { time: (user + system) / turns, rate: turns / elapsed };
    },
  };
}
