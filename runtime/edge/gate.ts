import type {
  Collected,
  DropReason,
  Gate,
  GateClaims,
  GateParts,
  GateSettings,
} from '#contract/telemetry/browser-gate';
import { readBody } from './body.ts';
import { isFaro, isMembers, isOtlp, type Members, withFingerprints } from './faro.ts';
import { createRenamer, ownServices } from './page-names.ts';
import { Rate } from './rate.ts';
import { TokenVerifier } from './token.ts';
import { withoutUrlSecrets } from './url-secrets.ts';

/** What the Faro SDK and OpenTelemetry send along. */
const allowedHeaders = [
  ...['Authorization', 'Content-Type', 'Content-Encoding', 'Idempotency-Key'],
  ...['X-Faro-Session-Id', 'X-Api-Key', 'traceparent', 'tracestate', 'baggage'],
].join(', ');

const kinds: Readonly<Record<string, Collected['kind']>> = {
  collect: 'faro',
  'v1/traces': 'traces',
  'v1/logs': 'logs',
  'v1/metrics': 'metrics',
};

/** Of answers to all other origins. */
const noOrigin = new Headers({ vary: 'Origin' });

/** Requests that are being passed on; what comes meanwhile is dropped. */
const mostUnderWay = 200;

/** Ends the way of a request that is not passed on. */
class Dropped extends Error {
  readonly reason: DropReason;

  constructor(reason: DropReason) {
    super(reason);
    this.reason = reason;
  }
}

/**
 * Open the gate for the telemetry of pages. Whatever comes of a request, its answer is 204 and says
 * nothing: who guesses learns nothing, and no page tries again for what will not pass.
 *
 * @throws Error where a key is too short, or a bound is none: a number that cannot be read bounds nothing
 */
export function openGate(settings: GateSettings, { now, forward, count }: GateParts): Gate {
  for (const name of ['perMinute', 'maxBytes'] as const) {
    const bound = settings[name];
    if (!Number.isSafeInteger(bound) || bound < 1) {
      throw new RangeError(`${name} has to be a whole number above 0, not ${bound}`);
    }
  }
  const verifier = new TokenVerifier(settings.keys, settings.project);
  const rate = new Rate(settings.perMinute);
  const renamed = createRenamer(settings.ownServices ?? ownServices, settings.project);
  const origins = new Set(settings.origins);
  const headersFor = new Map(settings.origins.map((origin) => [origin, corsHeaders(origin)]));
  let underWay = 0;

  /** @throws Dropped */
  async function collect(request: Request): Promise<Collected> {
    if (request.method !== 'POST') throw new Dropped('method');
    const kind = kindOf(request.url);
    if (kind === undefined) throw new Dropped('path');
    const header = /^Bearer +([\w.-]+)$/i.exec(request.headers.get('authorization') ?? '')?.[1];
    // A token in a header is looked at before the body is.
    const known = header === undefined ? undefined : await admit(request, header);
    const isBeacon = /^text\/plain\b/i.test(request.headers.get('content-type') ?? '');
    if (known === undefined && !isBeacon) throw new Dropped('token');
    const text = await readBody(request, settings.maxBytes).catch(() => undefined);
    if (text === undefined) throw new Dropped('size');
    const sent = parsed(withoutUrlSecrets(text));
    // Beacons cannot set a header: their token stands in what they send.
    const claims = known ?? (await admit(request, sent['token']));
    const payload = known === undefined ? sent['payload'] : sent;
    if (!isMembers(payload)) throw new Dropped('shape');
    if (!(kind === 'faro' ? isFaro(payload) : isOtlp(payload, kind))) throw new Dropped('shape');
    const named = renamed(kind, payload);
    return { claims, kind, payload: kind === 'faro' ? await withFingerprints(named) : named };
  }

  /** @throws Dropped */
  async function admit(request: Request, token: unknown): Promise<GateClaims> {
    const claims = typeof token === 'string' ? await verifier.verify(token, now()) : undefined;
    if (claims === undefined) throw new Dropped('token');
    const origin = request.headers.get('origin');
    if (origin !== claims.origin || !origins.has(claims.origin)) throw new Dropped('origin');
    if (!rate.take(claims.sub, now())) throw new Dropped('rate');
    return claims;
  }

  async function pass(collected: Collected): Promise<void> {
    underWay += 1;
    try {
      await forward(collected);
      count('passed');
    } catch {
      count('upstream');
    } finally {
      underWay -= 1;
    }
  }

  return async (request, after) => {
    const headers = headersFor.get(request.headers.get('origin') ?? '') ?? noOrigin;
    if (request.method === 'OPTIONS') return new Response(null, { status: 204, headers });
    try {
      const collected = await collect(request);
      if (underWay >= mostUnderWay) throw new Dropped('busy');
      const passed = pass(collected);
      if (after) after(passed);
      else await passed;
    } catch (error) {
      count(error instanceof Dropped ? error.reason : 'json');
    }
    return new Response(null, { status: 204, headers });
  };
}

/** The same for every answer to an origin, and made once: they tell nothing either. */
function corsHeaders(origin: string): Headers {
  return new Headers({
    'access-control-allow-origin': origin,
    'access-control-allow-methods': 'POST, OPTIONS',
    'access-control-allow-headers': allowedHeaders,
    'access-control-max-age': '86400',
    vary: 'Origin',
  });
}

/** What the path ends with; that a URL is one, the platform has seen to. */
const pathEnd = /^[^?#]*\/(collect|v1\/(?:traces|logs|metrics))(?:[?#]|$)/;

function kindOf(url: string): Collected['kind'] | undefined {
  const end = pathEnd.exec(url)?.[1];
  return end === undefined ? undefined : kinds[end];
}

/** @throws Dropped */
function parsed(text: string): Members {
  try {
    const value: unknown = JSON.parse(text);
    if (isMembers(value)) return value;
  } catch {
    // As with what is no object.
  }
  throw new Dropped('json');
}
