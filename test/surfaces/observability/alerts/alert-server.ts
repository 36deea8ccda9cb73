import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';
import { startFakeBackEnd } from '../fake-back-end.ts';
import { serveObservability } from '../observing-server.ts';
import { lookNow } from './look-now.ts';

export interface AlertEvent {
  readonly alert: string;
  readonly state: string;
  readonly severity: string;
  readonly summary: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly source: string;
  readonly activeAt?: string;
  readonly firedAt?: string;
  readonly evaluatedBy?: string;
  readonly expr?: string;
  readonly reason?: string;
  readonly link: string;
  readonly runbook_url?: string;
}

/** Rules in a file of their own; gives its path. */
export function rulesIn(t: TestContext, rules: readonly object[]): string {
  const path = join(temporaryDirectory(t), 'rules.yaml');
  // JSON is YAML.
  writeFileSync(path, JSON.stringify({ groups: [{ name: 'g', interval: '1s', rules }] }));
  return path;
}

/** The server with some rules, of which it looks at the alerts when it is told to. */
export async function serveAlerts(
  t: TestContext,
  rules: readonly object[],
  env: Readonly<Record<string, string>> = {},
) {
  const served = await serveObservability(t, {
    SERVICE_OBSERVABILITY_ALERT_RULES: rulesIn(t, rules),
    ...env,
  });
  const list = async (query = '') => {
    const { status, body } = await served.get(`/observability/alerts${query}`);
    assert.equal(status, 200, JSON.stringify(body));
    return body['events'] as readonly AlertEvent[];
  };
  return { ...served, list, look: () => lookNow(served.service) };
}

type Series = readonly { readonly labels: object; readonly value: number }[];

/** A metrics store that answers each query with the series that a test has for it at that time. */
export async function startMetrics(t: TestContext, series: (query: string) => Series | 'broken') {
  return startFakeBackEnd(t, (request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += chunk;
    });
    request.on('end', () => {
      if (request.url?.startsWith('/api/v1/rules')) return void response.writeHead(404).end();
      const query = new URLSearchParams(body).get('query') ?? '';
      const found = series(query);
      if (found === 'broken') return void response.writeHead(500).end('token=geheim');
      const result = found.map(({ labels, value }) => ({
        metric: { __name__: 'm', ...labels },
        values: [[1, String(value)]],
      }));
      const data = { resultType: 'matrix', result };
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify({ status: 'success', data }));
    });
  });
}
