import type { Collected, GateClaims, Ingest } from '#contract/telemetry/browser-gate';
import { logsOf } from './faro-logs.ts';

/**
 * Pass on what was collected. Nothing of the page's own headers goes along.
 *
 * @throws Error where it was not taken
 */
export async function forwardTo(ingest: Ingest, collected: Collected): Promise<void> {
  const headers = headersFor(ingest, collected.claims);
  for (const { path, payload } of parcels(ingest.format, collected)) {
    const status = await ingest.post(`${ingest.url}${path}`, {
      headers,
      body: JSON.stringify(payload),
    });
    if (status < 200 || status > 299) throw new Error(`the collector answered ${status}`);
  }
}

const known = new WeakMap<GateClaims, { readonly ingest: Ingest; readonly headers: Headers }>();

type Headers = Record<string, string>;

/** A page sends with the same token again and again: what it says is written once. */
function headersFor(ingest: Ingest, claims: GateClaims): Headers {
  const found = known.get(claims);
  if (found?.ingest === ingest) return found.headers;
  const headers: Headers = {
    'content-type': 'application/json',
    'x-telemetry-session': encodeURIComponent(claims.sub),
    'x-telemetry-project': encodeURIComponent(claims.project),
    'x-telemetry-origin': claims.origin,
    ...(ingest.authorization !== undefined && { authorization: ingest.authorization }),
  };
  known.set(claims, { ingest, headers });
  return headers;
}

function parcels(format: Ingest['format'], collected: Collected) {
  const { kind, payload } = collected;
  if (kind !== 'faro') return [{ path: `/v1/${kind}`, payload }];
  if (format === 'faro') return [{ path: '', payload }];
  const { traces } = payload;
  const logs = logsOf(collected);
  const isEmpty = logs.resourceLogs.every(({ scopeLogs }) =>
    scopeLogs.every(({ logRecords }) => logRecords.length === 0),
  );
  return [
    ...(isEmpty ? [] : [{ path: '/v1/logs', payload: logs }]),
    ...(traces === undefined ? [] : [{ path: '/v1/traces', payload: traces }]),
  ];
}
