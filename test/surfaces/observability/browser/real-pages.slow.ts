import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import test, { type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { openIn, startBrowser } from '../../../browser/browser.ts';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';
import { startFakeBackEnd } from '../fake-back-end.ts';
import { serveObservability } from '../observing-server.ts';
import { startLoki } from '../real/back-ends.ts';
import { collectorPlace, runCollector } from '../real/collector.ts';
import { edgeWorker, startWorker } from '../real/edge-worker.ts';
import { programAt } from '../real/programs.ts';

// The SDK is the bundle that Faro itself distributes, at FARO_BUNDLE; the edge is workerd, at WORKERD.

type Json = Record<string, unknown>;
type Server = Awaited<ReturnType<typeof serveObservability>>;

const key = 'k'.repeat(32);

const script = `
function addToCart(item) {
  throw new TypeError('item ' + item + ' is out of stock');
}
const { initializeFaro, FetchTransport } = window.GrafanaFaroWebSdk;
const { url, token, requestCompression } = window.told;
initializeFaro({
  app: { name: 'shop', version: '1.0.0' },
  transports: [
    new FetchTransport({
      url,
      requestCompression,
      requestOptions: { headers: { Authorization: () => 'Bearer ' + token } },
    }),
  ],
});
document.querySelector('button').addEventListener('click', () => addToCart(42));
`;

/** A shop whose page throws when its button is pressed. */
async function startShop(t: TestContext) {
  const told = { url: '', token: '', requestCompression: false };
  const faro = readFileSync(programAt(process.env['FARO_BUNDLE']), 'utf8');
  const origin = await startFakeBackEnd(t, ({ url }, response) => {
    const isScript = url?.endsWith('.js') === true;
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html');
    if (url === '/faro.js') response.end(faro);
    else if (url === '/cart.js') response.end(script);
    else {
      response.end(
        `<!doctype html><title>Shop</title><button>Add</button>
<script>window.told = ${JSON.stringify(told)}</script>
<script src="/faro.js"></script><script src="/cart.js"></script>`,
      );
    }
  });
  return { origin, told };
}

/** Open the shop in Chromium and press the button; gives what the page was answered, and has logged itself. */
async function pressButton(
  t: TestContext,
  { origin, told }: Awaited<ReturnType<typeof startShop>>,
) {
  const page = await openIn(t, await startBrowser(t), origin);
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  const answered = page.waitForResponse(
    (response) =>
      response.url() === told.url &&
      response.request().method() === 'POST' &&
      (told.requestCompression || response.request().postData()?.includes('out of stock') === true),
  );
  await page.click('button');
  const response = await answered;
  return { status: response.status(), complaints };
}

async function mint(server: Server, origin: string): Promise<Json> {
  const claims = { origin, sub: 'session-1' };
  const { status, body } = await server.post('/observability/telemetry/token', { claims });
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

/** Ask for errors of the shop until there is one. */
async function errorsOf(server: Server, filter: object): Promise<readonly Json[]> {
  for (;;) {
    const { body } = await server.post('/observability/query/logs', {
      ...{ filter, timeRange: { from: 'now-15m', to: 'now' } },
    });
    const lines = (body['data'] as Json[] | undefined) ?? [];
    if (lines.length > 0) return lines;
    await sleep(100);
  }
}

test('an error in a page comes back from the server that serves the page its token', async (t) => {
  const shop = await startShop(t);
  const server = await serveObservability(t, { SERVICE_TELEMETRY_ALLOWED_ORIGINS: shop.origin });
  const { token, ingestUrl } = await mint(server, shop.origin);
  const url = new URL(String(ingestUrl), server.address()).href;
  Object.assign(shop.told, { url, token });
  const { status, complaints } = await pressButton(t, shop);
  assert.equal(status, 204);
  const [line, ...others] = await errorsOf(server, { service: 'shop', level: 'error' });
  assert.deepEqual(others, []);
  assert.equal(line?.['body'], 'TypeError: item 42 is out of stock');
  assert.equal(line['providerId'], 'this-server');
  const attributes = line['attributes'] as Json;
  assert.equal(attributes['session_id'], 'session-1');
  assert.match(String(attributes['exception_stacktrace']), /at .*addToCart.* \(.*cart\.js:3:9\)/);
  assert.deepEqual(
    complaints.filter((text) => /CORS|Faro|net::/.test(text)),
    [],
  );
});

for (const packed of [false, true]) {
  const how = packed ? 'packed' : 'plain';
  test(`an error in a page goes through the edge and the collector to Loki, ${how}`, async (t) => {
    const [shop, loki, place] = [await startShop(t), await startLoki(t), await collectorPlace(t)];
    const server = await serveObservability(t, {
      ...place.env,
      ...{
        SERVICE_TELEMETRY_ALLOWED_ORIGINS: shop.origin,
        SERVICE_TELEMETRY_PROJECT: 'shop-pages',
      },
      TELEMETRY_JWT_SIGNING_KEY: key,
    });
    await server.register({ id: 'loki', signalType: 'log', kind: 'loki', endpoint: loki.url });
    const { body } = await server.post('/observability/collector/generate', {});
    writeFileSync(place.config, String((body['generated'] as Json)['text']));
    await runCollector(t, place);
    const worker = edgeWorker({
      ...{ TELEMETRY_JWT_SIGNING_KEY: key, PROJECT_ID: 'shop-pages', ALLOWED_ORIGINS: shop.origin },
      ...{ COLLECTOR_INGEST_URL: place.otlp, COLLECTOR_INGEST_FORMAT: 'otlp' },
      METRICS_TOKEN: 'looks',
    });
    const folder = temporaryDirectory(t);
    const edge = await startWorker(t, folder, worker, new URL(place.otlp).host);
    const { token } = await mint(server, shop.origin);
    Object.assign(shop.told, { url: `${edge.url}/collect`, token, requestCompression: packed });

    const { status, complaints } = await pressButton(t, shop);
    assert.equal(status, 204);
    const filter = { service: 'shop', text: 'out of stock' };
    const [line, ...others] = await errorsOf(server, filter);
    assert.deepEqual(others, []);
    assert.equal(line?.['body'], 'TypeError: item 42 is out of stock');
    assert.equal(line['severity'], 'ERROR');
    assert.equal(line['providerId'], 'loki');
    const attributes = line['attributes'] as Json;
    assert.equal(attributes['session_id'], 'session-1');
    assert.match(String(attributes['error_fingerprint']), /^[0-9a-f]{16}$/);
    assert.deepEqual(
      complaints.filter((text) => /CORS|Faro|net::/.test(text)),
      [],
    );

    const looked = await fetch(`${edge.url}/metrics`, {
      headers: { authorization: 'Bearer looks' },
    });
    const counted = await looked.text();
    assert.match(counted, /outcome="passed"\} [1-9]/);
    assert.doesNotMatch(counted, /outcome="(?!passed|method)/);
    assert.match(counted, /_items_total\{kind="exception"\} 1\n/);
  });
}
