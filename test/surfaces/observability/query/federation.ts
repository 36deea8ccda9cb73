import type { CallContext } from '#contract/caller';
import type { StrangerAnswer } from '#contract/house/outbound';
import type { Signal } from '#contract/telemetry/kind';
import { telemetryKinds } from '../../../../generated/surfaces/observability/kinds.ts';
import type { FetchBackEnd } from '../../../../runtime/surfaces/observability/query/ask-provider.ts';
import {
  gather,
  type QueryParts,
  type RawAccess,
  writeAnswer,
} from '../../../../runtime/surfaces/observability/query/federate.ts';
import type { AskedProvider } from '../../../../runtime/surfaces/observability/query/question.ts';
import {
  type QueryInput,
  readInput,
} from '../../../../runtime/surfaces/observability/query/read-input.ts';

/** The time at which all these queries are asked. */
export const now = 1_790_000_000_000;

type Request = Parameters<FetchBackEnd<AskedProvider>>[1];

/** A back end of a test: what it is asked, and what it answers. */
export interface TestBackEnd extends Partial<Omit<AskedProvider, 'kind' | 'id'>> {
  readonly id: string;
  readonly kind: string;
  readonly answers: (request: Request) => StrangerAnswer | Promise<StrangerAnswer>;
  /** What it says that a query would read; where it is absent, it cannot tell. */
  readonly reads?: (path: URL) => object;
}

/** Where back ends are asked what a query would read. */
const estimatePath = /^\/(?:loki\/api\/v1\/index\/stats|select\/logsql\/hits)\b/;

/** A successful answer, or one of another status. */
export function answered(body: string, status = 200): StrangerAnswer {
  return { status, headers: {}, body: Buffer.from(body) };
}

/** Federated queries over back ends that are functions. */
export function federationOf(signal: Signal, backEnds: readonly TestBackEnd[]) {
  const requests: (Request & { readonly provider: string })[] = [];
  const estimates: URL[] = [];
  const accesses: RawAccess[] = [];
  const providers = backEnds.map(
    ({ answers: _, reads: __, ...facts }, order): AskedProvider => ({
      ...{ signal, primary: false, order, enabled: true, query: true },
      ...facts,
    }),
  );
  const parts: QueryParts = {
    providers: async () => providers,
    loadKind: async (kind) => telemetryKinds.find((each) => each.kind === kind)?.load(),
    async fetch(provider, request) {
      const backEnd = backEnds.find(({ id }) => id === provider.id);
      if (backEnd === undefined) throw new Error(`nobody is ${provider.id}`);
      if (estimatePath.test(request.path)) {
        const path = new URL(request.path, 'http://back-end.test');
        estimates.push(path);
        const reads = backEnd.reads?.(path);
        return answered(JSON.stringify(reads), reads === undefined ? 404 : 200);
      }
      requests.push({ ...request, provider: provider.id });
      return backEnd.answers(request);
    },
    now: () => now,
    rawAccess: async (access) => {
      accesses.push(access);
    },
  };
  const context = contextOf();
  return {
    ...{ parts, requests, estimates, accesses, context },
    async ask(input: QueryInput) {
      const query = readInput(signal, input, now, 'json');
      return writeAnswer(query, await gather(parts, query, context), context);
    },
  };
}

function contextOf(): CallContext {
  return {
    caller: {
      ...{ tenant: 'default', subject: 'tester', client: 'test', scopes: 'all', transport: 'http' },
    },
    signal: new AbortController().signal,
    callId: 'call-1',
    client: {},
    answers: {},
  } as unknown as CallContext;
}
