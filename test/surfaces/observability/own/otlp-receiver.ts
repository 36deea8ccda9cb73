import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestContext } from 'node:test';
import { gunzipSync } from 'node:zlib';

interface Value {
  readonly stringValue?: string;
  readonly intValue?: number | string;
  readonly doubleValue?: number;
}

export interface ReceivedSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId?: string;
  readonly name: string;
  readonly kind: number;
  readonly status: { readonly code?: number };
  readonly attributes: Attributes;
  readonly links: readonly { readonly traceId: string; readonly spanId: string }[];
}

type Attributes = Readonly<Record<string, string | number | undefined>>;
type Pairs = readonly { readonly key: string; readonly value: Value }[];

interface Attributed {
  readonly attributes?: Pairs;
}

interface WireSpan extends Attributed {
  readonly links?: ReceivedSpan['links'];
}

export interface ReceivedRecord {
  readonly eventName?: string;
  readonly severityNumber: number;
  readonly traceId?: string;
  readonly attributes: Attributes;
}

interface Histogram {
  readonly aggregationTemporality: number;
  readonly dataPoints: readonly {
    readonly count: number;
    readonly bucketCounts: readonly number[];
  }[];
}

export interface ReceivedMetric {
  readonly name: string;
  readonly histogram?: Histogram;
}

/** What all exports of a signal look like: records in scopes in resources. */
interface Body {
  readonly resourceSpans?: readonly { scopeSpans: readonly { spans: readonly WireSpan[] }[] }[];
  readonly resourceLogs?: readonly {
    readonly scopeLogs: readonly { readonly logRecords: readonly Attributed[] }[];
  }[];
  readonly resourceMetrics?: readonly {
    readonly scopeMetrics: readonly { readonly metrics: readonly ReceivedMetric[] }[];
  }[];
}

interface Arrived {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Body;
}

const attributesOf = (list: Pairs = []): Attributes =>
  Object.fromEntries(
    list.map(({ key, value: { stringValue, intValue, doubleValue } }) => [
      key,
      stringValue ?? (intValue === undefined ? doubleValue : Number(intValue)),
    ]),
  );

/** Takes OTLP over HTTP in JSON, and keeps what came. */
export async function receiveOtlp(t: TestContext) {
  const came: Arrived[] = [];
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const bytes = Buffer.concat(chunks);
    const isPacked = request.headers['content-encoding'] === 'gzip';
    const text = String(isPacked ? gunzipSync(bytes) : bytes);
    came.push({ path: request.url ?? '', headers: request.headers, body: JSON.parse(text) });
    response.setHeader('content-type', 'application/json');
    response.end('{}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  const bodies = () => came.map(({ body }) => body);
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    came,
    spans: (): readonly ReceivedSpan[] =>
      bodies()
        .flatMap(({ resourceSpans = [] }) => resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans)
        .flatMap(({ spans }) => spans)
        .map((span) => {
          const more = { attributes: attributesOf(span.attributes), links: span.links ?? [] };
          return { ...span, ...more } as ReceivedSpan;
        }),
    records: (): readonly ReceivedRecord[] =>
      bodies()
        .flatMap(({ resourceLogs = [] }) => resourceLogs)
        .flatMap(({ scopeLogs }) => scopeLogs)
        .flatMap(({ logRecords }) => logRecords)
        .map((record) => {
          return { ...record, attributes: attributesOf(record.attributes) } as ReceivedRecord;
        }),
    metrics: (): readonly ReceivedMetric[] =>
      bodies()
        .flatMap(({ resourceMetrics = [] }) => resourceMetrics)
        .flatMap(({ scopeMetrics }) => scopeMetrics)
        .flatMap(({ metrics }) => metrics),
  };
}
