import { randomUUID } from 'node:crypto';
import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import { authorOf } from '#contract/house/audit-events';
import type { House } from '#contract/house/house';
import type { BackEnds } from '#contract/house/outbound';
import type { Collected, Gate, GateMaker } from '#contract/telemetry/browser-gate';
import { defaultTenant } from '#contract/tenant/tenants';
import { traceIdOf } from '#contract/trace';
import type { ObservabilityConfig } from '../../../../generated/surfaces/observability/config.ts';
import type { ObservabilityEvents } from '../../../../generated/surfaces/observability/events.ts';
import type {
  TelemetryToken,
  TelemetryTokenWish,
} from '../../../../generated/surfaces/observability/types.ts';
import type { Embedded } from '../embedded/embedded.ts';
import { keepCollected } from './keep-collected.ts';
import { createSigningKeys, type SigningKeys } from './signing-keys.ts';

const defaultSeconds = 900;
const upstreamMs = 10_000;
const upstreamBytes = 65_536;

export type BrowserParts = Pick<
  House,
  'isProduction' | 'keys' | 'loadBrowserGate' | 'log' | 'metrics' | 'now' | 'tenants'
> & {
  readonly backEnds: BackEnds;
  readonly events: Pick<ObservabilityEvents, 'observabilityTelemetryTokenMinted'>;
  readonly embedded: Embedded | undefined;
};

/** Tokens for pages in browsers, and what they send. */
export interface BrowserDesk {
  /** @throws ServiceError `invalid_request` for an origin or a project that is not served */
  mint(wish: TelemetryTokenWish, context: CallContext): Promise<TelemetryToken>;
  /** Take what a page sends; the answer is 204 whatever it is. */
  collect(tenant: string, request: Request): Promise<Response>;
}

export function createBrowserDesk(config: ObservabilityConfig, parts: BrowserParts): BrowserDesk {
  const { now, log, backEnds, embedded, metrics } = parts;
  const keysNow = createSigningKeys(config, {
    ...{ backEnds, now },
    derived: () => parts.keys('browser telemetry'),
  });
  const count = metrics.counters({
    name: 'service_telemetry_browser_requests_total',
    help: 'Requests of pages with telemetry, by what became of them.',
  });
  const countItem = metrics.counters({
    name: 'service_telemetry_browser_items_total',
    help: 'What pages have sent, by its kind; new_error is an exception that was not seen before.',
  });
  const minted = metrics.counter({
    name: 'service_telemetry_tokens_minted_total',
    help: 'Tokens with which pages send telemetry.',
  });
  const gates = new Map<
    string,
    {
      readonly keys: SigningKeys;
      readonly gate: Gate;
      readonly tally: (collected: Collected) => void;
    }
  >();
  const projectOf = (tenant: string) =>
    tenant === defaultTenant ? config.telemetryProject : `${config.telemetryProject}:${tenant}`;

  async function forward(tenant: string, collected: Collected, maker: GateMaker): Promise<void> {
    const { telemetryIngestUrl: url, telemetryIngestFormat: format } = config;
    if (url === undefined) {
      if (embedded) keepCollected(embedded, tenant, collected, maker);
      return;
    }
    const ingest = { url: url.replace(/\/$/, ''), format, post };
    await maker.forward(ingest, collected);
  }

  async function post(
    url: string,
    { headers, body }: { headers: Record<string, string>; body: string },
  ) {
    const asked = { method: 'POST', headers, body, maxBytes: upstreamBytes, timeoutMs: upstreamMs };
    const { status } = await backEnds.fetch(url, asked);
    return status;
  }

  async function gateOf(tenant: string): Promise<Gate> {
    const keys = await keysNow();
    const known = gates.get(tenant);
    if (known?.keys === keys) return known.gate;
    const maker = await parts.loadBrowserGate();
    const settings = {
      ...{ keys: keys.accepted, project: projectOf(tenant), origins: config.telemetryOrigins },
      ownServices: [...maker.ownServices, config.serviceName],
      ...{ perMinute: config.telemetryPerMinute, maxBytes: config.telemetryMaxBytes },
    };
    const tally = known?.tally ?? maker.tally((kind, by) => countItem({ kind }, by));
    const gate = maker.open(settings, {
      now,
      count: (outcome) => count({ outcome }),
      async forward(collected) {
        await forward(tenant, collected, maker);
        tally(collected);
      },
    });
    gates.set(tenant, { keys, gate, tally });
    return gate;
  }

  return {
    async mint({ claims, ttlSeconds = defaultSeconds }, context) {
      const { caller, http, callId, trace } = context;
      const { origin, project = projectOf(caller.tenant) } = claims;
      const page = http?.headers['origin'];
      if (!config.telemetryOrigins.includes(origin)) {
        throw wrong('claims.origin', 'is none of SERVICE_TELEMETRY_ALLOWED_ORIGINS');
      }
      if (page !== undefined && page !== origin) {
        throw wrong('claims.origin', 'is another one than that of the page that asks');
      }
      if (project !== projectOf(caller.tenant)) {
        throw wrong('claims.project', 'is none of this server');
      }
      const mayName = caller.scopes === 'all' || caller.scopes.has('observability:configure');
      const sub = (mayName ? claims.sub : undefined) ?? caller.subject;
      const keys = await keysNow();
      const iat = Math.floor(now() / 1000);
      const [exp, jti] = [iat + ttlSeconds, randomUUID()];
      const address = parts.tenants.find(caller.tenant)?.address;
      const iss = address?.of('/')?.replace(/\/$/, '') ?? 'agent-tool-server';
      const ingestUrl = config.telemetryEdgeUrl ?? address?.of('/observability/telemetry/collect');
      const { sign } = await parts.loadBrowserGate();
      const said = { iss, aud: 'telemetry', sub, project, origin, iat, exp, jti } as const;
      const token = await sign(said, keys.signing);
      await parts.events.observabilityTelemetryTokenMinted({
        ...authorOf(caller),
        ...{ subject: sub, correlation_id: callId },
        payload: {
          ...{ jti, session: sub, origin, expires_at: new Date(exp * 1000).toISOString() },
          ...(trace && { trace_id: traceIdOf(trace) }),
        },
      });
      minted();
      return {
        ...{ token, tokenType: 'Bearer', expiresAt: exp, jti },
        ingestUrl: ingestUrl ?? '/observability/telemetry/collect',
        ...(!parts.isProduction && { keySource: keys.source }),
      };
    },
    async collect(tenant, request) {
      try {
        const gate = await gateOf(tenant);
        return await gate(request);
      } catch (err) {
        // Whoever sends is told nothing, but the operator has to know of it.
        log.warn({ err }, 'telemetry of a page could not be taken');
        return new Response(null, { status: 204 });
      }
    },
  };
}

function wrong(field: string, reason: string): ServiceError {
  return new ServiceError('invalid_request', 400, `${field} ${reason}`, { detail: { field } });
}
