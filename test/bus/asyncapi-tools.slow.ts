import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import * as independent from 'nats';
import { eventCatalogue } from '../../generated/events.ts';
import { NatsDriver } from '../../runtime/bus/nats/nats-driver.ts';
import { temporaryDirectory } from '../runtime/store/temporary-directory.ts';
import { deadLetters, stream } from './contract/streams.ts';
import { NatsServer, natsServers } from './nats-server.ts';

/** Programs of the AsyncAPI initiative, which CI installs outside of the project. */
const tools = process.env['ASYNCAPI_TOOLS'] ?? '';
const load = createRequire(join(tools, 'package.json'));
const text = readFileSync(join(import.meta.dirname, '../../generated/docs/asyncapi.json'), 'utf8');

interface Parsed {
  readonly document?: { allMessages(): { all(): readonly { name(): string }[] } };
  readonly diagnostics: readonly { readonly message: string; readonly severity: number }[];
}

test('the parser of AsyncAPI finds nothing wrong with the document, and every event in it', async () => {
  const { Parser } = load('@asyncapi/parser');
  const parse = (source: string): Promise<Parsed> => new Parser().parse(source);
  const { document, diagnostics } = await parse(text);
  assert.deepEqual(diagnostics, []);
  const found = new Set(
    document
      ?.allMessages()
      .all()
      .map((message) => message.name()),
  );
  for (const { type } of Object.values(eventCatalogue)) assert.ok(found.has(type), type);
  const broken = await parse(text.replaceAll('#/channels/workflow', '#/channels/none'));
  assert.ok(broken.diagnostics.some(({ severity }) => severity === 0));
});

test('classes that Modelina makes of the document publish and read', async (t) => {
  const { JavaScriptFileGenerator, JS_COMMON_PRESET } = load('@asyncapi/modelina');
  const folder = temporaryDirectory(t);
  const generator = new JavaScriptFileGenerator({
    presets: [{ preset: JS_COMMON_PRESET, options: { marshalling: true } }],
  });
  // It knows 3.0.0 only; nothing that it reads has changed since.
  const document = { ...JSON.parse(text), asyncapi: '3.0.0' };
  await generator.generateToFiles(document, folder, { moduleSystem: 'CJS' });
  const made = await import(pathToFileURL(join(folder, 'EdgeEvent.js')).href);
  const EdgeEvent = made.default ?? made;
  const nats = await NatsServer.start({ binary: natsServers['newest'] ?? '' });
  t.after(() => nats.stop());
  const edge = stream({ name: 'SERVICE_EDGE', subjects: ['service.edge.>'] });
  const driver = new NatsDriver({
    ...{
      address: { url: nats.url },
      streams: [edge, deadLetters],
      isPersistent: true,
      replicas: 1,
    },
    tenantOf: () => 'default',
    onFailure: (message, error) => t.diagnostic(`${message}: ${error}`),
  });
  await driver.start();
  await driver.read({ stream: 'SERVICE_EDGE', limit: 1 });
  const connection = await independent.connect({ servers: nats.url });
  t.after(() => connection.close());
  const address: string = document.channels.edge.address;
  const subject = address.replace('.{tenant}', '').replace('{event}', 'status');
  const said = new EdgeEvent({ workerId: '7', load: 0.5 });
  await connection.jetstream().publish(subject, said.marshal());
  const { messages } = await driver.read({ stream: 'SERVICE_EDGE', limit: 10 });
  assert.deepEqual(JSON.parse(messages[0]?.data ?? ''), { worker_id: '7', load: 0.5 });
  const heard = said.unmarshal(messages[0]?.data);
  assert.deepEqual([heard.workerId, heard.load], ['7', 0.5]);
  await driver.stop();
});
