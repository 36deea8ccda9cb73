import assert from 'node:assert/strict';
import test from 'node:test';
import { startFakeBackEnd } from '../fake-back-end.ts';
import { serveObservability } from '../observing-server.ts';

const origin = 'https://app.example';
const stolen = [
  ...['agent-tool-server', ' Agent-Tool-Server', 'agent_tool_server\u200b', 'Tools_A'],
  // A Cyrillic letter, another that no table names, one for a small capital, digits, accents.
  ...['\u0430gent-tool-server', 'servi\u03f2e-gu\u{10d00}rd', '\u1d00gent-tool-server'],
  ...['agent-t00l-server', 'agent-too|-server', 'T\u00f6\u00f6ls-\u00c1'],
];
/** As long as a name of the server, and of a script of its own. */
const sixLetters = '\u043f\u0440\u0438\u0432\u0435\u0442';

const text = (stringValue: string) => ({ stringValue });
const span = {
  ...{ traceId: 'a'.repeat(32), spanId: 'b'.repeat(16), name: 'x' },
  ...{ startTimeUnixNano: `${Date.now()}000000`, endTimeUnixNano: `${Date.now()}000001` },
};

/** Spans of a service, also in the spelling that receivers of protobuf's JSON take as well. */
function spansOf(service: string) {
  const attributes = [
    { key: 'service.name', value: { ...text('shop'), string_value: service } },
    { key: 'service.name', value: text(service) },
  ];
  const list = [{ resource: { attributes }, scopeSpans: [{ spans: [span] }] }];
  return { resourceSpans: list, resource_spans: list };
}

function faroOf(service: string) {
  return {
    meta: { App: { name: service }, app: { name: service, NAME: service } },
    Meta: { app: { name: service } },
    logs: [{ message: 'm', level: 'error', timestamp: new Date().toISOString() }],
    traces: spansOf(service),
  };
}

function logsOf(service: string) {
  const attributes = [{ key: 'service.name', value: text(service) }];
  const logRecords = [{ timeUnixNano: `${Date.now()}000000`, body: text('m') }];
  return { resourceLogs: [{ resource: { attributes }, scopeLogs: [{ logRecords }] }] };
}

async function served(t: test.TestContext, env: Readonly<Record<string, string>>) {
  const server = await serveObservability(t, {
    ...{ SERVICE_TELEMETRY_ALLOWED_ORIGINS: origin, OTEL_SERVICE_NAME: 'tools-a', ...env },
  });
  const minted = await server.post('/observability/telemetry/token', { claims: { origin } });
  const send = async (path: string, payload: object) => {
    const reply = await fetch(`${server.address()}/observability/telemetry/${path}`, {
      method: 'POST',
      headers: {
        ...{ 'content-type': 'application/json', origin },
        authorization: `Bearer ${minted.body['token']}`,
      },
      body: JSON.stringify(payload),
    });
    assert.equal(reply.status, 204);
  };
  return { ...server, send };
}

for (const format of ['faro', 'otlp', undefined]) {
  const to =
    format === undefined ? 'in what the server keeps' : `at an ingest address for ${format}`;
  test(`no page has a name of the server ${to}`, async (t) => {
    const bodies: string[] = [];
    const ingest = await startFakeBackEnd(t, async (request, response) => {
      bodies.push(Buffer.concat(await request.toArray()).toString());
      response.end();
    });
    const { send, post } = await served(
      t,
      format === undefined
        ? {}
        : {
            SERVICE_TELEMETRY_INGEST_URL: ingest,
            SERVICE_TELEMETRY_INGEST_FORMAT: format,
          },
    );
    for (const name of stolen) {
      await send('collect', faroOf(name));
      await send('v1/traces', spansOf(name));
      await send('v1/logs', logsOf(name));
    }
    await send('collect', faroOf('shop'));
    await send('collect', faroOf(sixLetters));
    if (format === undefined) {
      const { body } = await post('/observability/query/logs', { logql: '{source="browser"}' });
      const lines = body['data'] as { service: string }[];
      const services = new Set(lines.map(({ service }) => service));
      assert.deepEqual(services, new Set(['browser', 'shop', sixLetters]));
      const traces = await post('/observability/query/traces', {
        filter: { traceId: 'a'.repeat(32) },
      });
      assert.doesNotMatch(JSON.stringify(traces.body), /tool.?server|tools.?a/i);
      return;
    }
    assert.ok(bodies.length > stolen.length * 3, String(bodies.length));
    for (const name of stolen) {
      assert.ok(!bodies.join('\n').includes(JSON.stringify(name)), JSON.stringify(name));
    }
    assert.ok(bodies.some((body) => body.includes('"shop"')));
    assert.ok(bodies.some((body) => body.includes('"browser"')));
  });
}
