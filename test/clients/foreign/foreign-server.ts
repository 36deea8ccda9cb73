import type { TestContext } from 'node:test';
import { InputRequired } from '#contract/client';
import type { Tool } from '#contract/tool';
import { bindProvider, providerIds } from '../../providers/bound-provider.ts';
import { fixturesOf } from '../../providers/fixture.ts';
import { startInMemoryServer } from '../../runtime/in-memory-server.ts';
import { echo, toolOf } from '../../runtime/in-memory-tools.ts';
import { startAnsweringServer } from '../../upstream/answering-server.ts';
import { wrongTypes } from '../../upstream/wrong-types.ts';

const nothing = { content: [{ type: 'text', text: 'done' }] } as const;

/** Asks for a name, and gives back what came. */
const asking = toolOf({ name: 'test_asking' }, async (_args, { answers }) => {
  const { name } = answers.responses;
  if (name) return { ...nothing, structuredContent: name };
  const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } } as const;
  const params = { mode: 'form', message: 'Who are you?', requestedSchema } as const;
  throw new InputRequired({ name: { method: 'elicitation/create', params } });
});

/** Reports progress three times, and ends when its client has called `test_heard`. */
function countingUntilHeard(): readonly Tool[] {
  let heard = Promise.withResolvers<void>();
  const counting = toolOf({ name: 'test_counting' }, async (_args, { progress }) => {
    heard = Promise.withResolvers<void>();
    for (const done of [1, 2, 3]) progress?.(done, 3);
    await heard.promise;
    return nothing;
  });
  const hear = toolOf({ name: 'test_heard' }, async () => {
    heard.resolve();
    return nothing;
  });
  return [counting, hear];
}

/** Calls of tools, each with what its vendor answers then. */
export interface WrongAnswer {
  readonly tool: string;
  readonly arguments: object;
  readonly vendor: { readonly tool: string; readonly kind: string };
}

/** A server with two pages of tools, among them those of every vendor, which answer as they are told to. */
export async function startForeignServer(t: TestContext) {
  const vendor = await startAnsweringServer();
  t.after(() => vendor.close());
  const bound = await Promise.all(providerIds.map((id) => bindProvider(id, vendor.url)));
  t.after(() => Promise.all(bound.map((provider) => provider.close())));
  const fixtures = new Map(providerIds.flatMap(fixturesOf).map((each) => [each.tool, each]));

  const stopped = Promise.withResolvers<unknown>();
  const waiting = toolOf({ name: 'test_waiting' }, async (_args, { progress, signal }) => {
    progress?.(1, 2);
    await new Promise<void>((resolve) => {
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    stopped.resolve(signal.reason);
    return nothing;
  });
  const input = {
    type: 'object',
    properties: { tool: { type: 'string' }, kind: { type: 'string' } },
  } as const;
  const vendors = toolOf({ name: 'test_vendor', input }, async ({ tool, kind }) => {
    const { status = 200, headers = {}, body } = fixtures.get(String(tool))?.response ?? {};
    const change = wrongTypes[String(kind)] ?? ((value: unknown) => value);
    vendor.answer = (response) => {
      response.writeHead(status, headers);
      response.end(typeof body === 'object' ? JSON.stringify(change(body)) : body);
    };
    return nothing;
  });

  const many = Array.from({ length: 205 }, (_, index) => toolOf({ name: `test_${index}` }));
  const own = [echo, asking, ...countingUntilHeard(), waiting, vendors, ...many];
  const theirs = bound.flatMap(({ tools }) => Array.from(tools.values(), undemanding));
  const tools = [...own, ...theirs];
  const url = await startInMemoryServer(t, { tools, sessions: {} });
  const wrongAnswers = Array.from(fixtures.values()).flatMap(
    ({ tool, arguments: args, response }): readonly WrongAnswer[] =>
      typeof response.body === 'object'
        ? Object.keys(wrongTypes).map((kind) => ({ tool, arguments: args, vendor: { tool, kind } }))
        : [],
  );
  return { url, tools: tools.length, wrongAnswers, stopped: stopped.promise };
}

/** The same tool for callers whom nobody asks: what it answers is the matter here. */
export function undemanding({ definition, call }: Tool): Tool {
  const { name, description, annotations, access, input, output } = definition;
  const shown = { name, description, annotations, access, input, ...(output && { output }) };
  return { definition: shown, call };
}
