import { isObject } from '#contract/json';
import type { ToolsClient } from '../connect-tools.ts';
import { type Exchange, mockSilent, type Recorder } from '../mock/recorder.ts';
import { type CallResult, objectionTo } from '../verdict/judge.ts';
import { type Described, faultOf } from '../verdict/set-aside.ts';
import type { ListTool } from './list-tools.ts';
import { withNextPage } from './next-answer.ts';

/** What became of the second page of a list. */
export interface Followed {
  readonly tool: string;
  readonly outcome: 'reached' | 'refused by document' | 'not reached' | 'set aside';
  /** Why, or what was asked for. */
  readonly reason: string;
}

interface Following {
  readonly client: ToolsClient;
  readonly recorder: Recorder;
  readonly document: Described;
  /** Arguments of a first call that the document accepted. */
  readonly args: Readonly<Record<string, unknown>>;
}

/** A page that does not fit into one result is read in so many parts at most. */
const mostParts = 30;

/** Read the first page of a list, whose mock says that there is another, and go on with its cursor. */
export async function followPage(
  list: ListTool,
  { client, recorder, document, args }: Following,
): Promise<Followed> {
  const { name: tool } = list;
  let cursor: string | undefined;
  let before: Exchange | undefined;
  recorder.change = (answer, { url }) => {
    return withNextPage(answer, { ...list, address: nextAddress(url, recorder.url, list) });
  };
  try {
    for (let part = 0; part < mostParts; part++) {
      recorder.take();
      const given = cursor === undefined ? args : { ...args, cursor };
      const result = await client.call(tool, given);
      const [exchange] = recorder.take();
      if (exchange?.problem === mockSilent)
        return { tool, outcome: 'set aside', reason: mockSilent };
      const verdict = exchange && before && verdictOn(exchange, before, { list, document });
      before ??= exchange;
      if (verdict) return { tool, ...verdict };
      const next = nextCursor(result);
      if (next === undefined || next === cursor) {
        const fault = exchange && noAnswerOf(exchange, document);
        if (fault !== undefined) return { tool, outcome: 'set aside', reason: fault };
        const reason = `no next_cursor in ${JSON.stringify(result).slice(0, 400)}`;
        return { tool, outcome: 'not reached', reason };
      }
      cursor = next;
    }
  } finally {
    recorder.change = undefined;
  }
  return { tool, outcome: 'not reached', reason: `still on the first page after ${mostParts}` };
}

/** What a second request is; nothing where it asks for the first page again, to go on inside of it. */
function verdictOn(
  exchange: Exchange,
  first: Exchange,
  { list: { wire }, document }: { readonly list: ListTool; readonly document: Described },
): Omit<Followed, 'tool'> | undefined {
  if (exchange.url === first.url && exchange.body.equals(first.body)) return undefined;
  const request = `${exchange.method} ${exchange.url} ${exchange.body.toString().slice(0, 200)}`;
  const objection = objectionTo(exchange);
  if (objection !== undefined) {
    const fault = faultOf(exchange, objection, document);
    const reason = fault?.id ?? `${objection} | ${request}`;
    return { outcome: fault ? 'set aside' : 'refused by document', reason };
  }
  if (wire !== undefined && positionIn(exchange, wire) === positionIn(first, wire)) {
    return { outcome: 'not reached', reason: `"${wire}" is the same in both requests: ${request}` };
  }
  return { outcome: 'reached', reason: request };
}

/** The fault that keeps the mock from answering a request that is in order. */
function noAnswerOf(exchange: Exchange, document: Described): string | undefined {
  const objection = objectionTo(exchange);
  return objection === undefined ? undefined : faultOf(exchange, objection, document)?.id;
}

function positionIn({ url, body }: Exchange, wire: string): string | undefined {
  const inAddress = new URL(url, 'http://vendor.invalid').searchParams.get(wire);
  if (inAddress !== null) return inAddress;
  try {
    const sent: unknown = JSON.parse(body.toString());
    return isObject(sent) ? JSON.stringify(memberIn(sent, wire)) : undefined;
  } catch {
    return new URLSearchParams(body.toString()).get(wire) ?? undefined;
  }
}

/** A member of a body, or of one of the objects in it. */
function memberIn(sent: Readonly<Record<string, unknown>>, wire: string): unknown {
  if (wire in sent) return sent[wire];
  return Object.values(sent).find((each) => isObject(each) && wire in each);
}

/** The address of the first page with the position of the second in it. */
function nextAddress(first: string, base: string, { wire, position, paging }: ListTool): string {
  const address = new URL(first, base);
  address.searchParams.set(paging.parameter ?? wire ?? 'page', String(position));
  return address.href;
}

function nextCursor({ structuredContent, content = [] }: CallResult): string | undefined {
  const told = [structuredContent, ...content.map(asJson)];
  const cursors = told.map((each) => (isObject(each) ? each['next_cursor'] : undefined));
  return cursors.find((cursor) => typeof cursor === 'string');
}

function asJson(block: unknown): unknown {
  try {
    return isObject(block) ? JSON.parse(String(block['text'])) : undefined;
  } catch {
    return undefined;
  }
}
