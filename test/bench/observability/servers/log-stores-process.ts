import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { StoreOptions } from '../log-stores.ts';

const { count, rows, delayMs }: StoreOptions = JSON.parse(process.env['STORES'] ?? '{}');
const newest = 1_790_000_000_000_000_000n;
const routes = ['/cart', '/pay', '/orders', '/orders/items', '/login'];
const texts = [
  'order placed',
  'payment authorized by the bank',
  'stock reserved in warehouse north-2',
  'upstream timed out after 3 attempts, giving up',
  'cache miss, read from the database',
];

/** As Loki answers of lines that came over OTLP: what each line says of itself makes it a stream. */
function answerOf(store: number): string {
  const result = Array.from({ length: rows }, (_, index) => {
    const number = index * count + store;
    const at = newest - BigInt(number) * 1_234_567n;
    const level = number % 7 === 0 ? 'error' : 'info';
    const hex = (digits: number, factor: number) =>
      (BigInt(number + 1) * BigInt(factor) * 0x9e3779b97f4a7c15n)
        .toString(16)
        .slice(0, digits)
        .padStart(digits, '7');
    return {
      stream: {
        detected_level: level,
        deployment_environment_name: 'production',
        http_route: routes[number % routes.length],
        http_response_status_code: level === 'error' ? '504' : '200',
        k8s_namespace_name: 'shop',
        k8s_pod_name: `checkout-6d5f9c7b8-${['x2x7k', 'q9m4z', 'b7t1w'][number % 3]}`,
        observed_timestamp: (at + 400_000n).toString(),
        scope_name: 'checkout.http',
        service_name: 'checkout',
        service_namespace: 'shop',
        severity_number: level === 'error' ? '17' : '9',
        severity_text: level.toUpperCase(),
        span_id: hex(16, 3),
        trace_id: `${hex(16, 5)}${hex(16, 7)}`,
      },
      values: [
        [
          at.toString(),
          `${texts[number % texts.length]} (order ${40_000 + number}, ${(number * 37) % 900} ms)`,
        ],
      ],
    };
  });
  const summary = {
    bytesProcessedPerSecond: 51_200,
    totalBytesProcessed: 30_000,
    totalLinesProcessed: rows,
    execTime: 0.004,
    totalEntriesReturned: rows,
  };
  return JSON.stringify({
    status: 'success',
    data: { resultType: 'streams', result, stats: { summary } },
  });
}

const urls: string[] = [];
for (let store = 0; store < count; store++) {
  const text = answerOf(store);
  const server = createServer(async (_, response) => {
    if (delayMs > 0) await sleep(delayMs);
    response.setHeader('content-type', 'application/json');
    response.end(text);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  urls.push(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
}
process.send?.(urls);
