import type { StrangerAnswer } from '#contract/house/outbound';
import { valueAt } from '#contract/json';
import type { TelemetryKind, TelemetryList } from '#contract/telemetry/kind';
import { placeholdersIn } from '#contract/telemetry/placeholders';
import { connectionFailure, failureOf, type ProviderFailure } from '../answers/back-end-failure.ts';
import { UnusableAnswer } from '../answers/rows.ts';
import { visibleText } from '../answers/visible-text.ts';
import { type BuiltRequest, buildRequest } from '../ask/back-end-request.ts';
import { estimateCost, excessOf } from '../ask/cost.ts';
import { tenantHeaders } from '../ask/tenant-headers.ts';
import type { TimeRange } from '../ask/time-range.ts';
import { type Asking, asTimeout, type ProviderAnswer } from '../ask-provider.ts';
import { limits } from '../numbers.ts';
import type { AskedProvider } from '../question.ts';

/** What is asked of each back end: which fields there are, or which values one of them has. */
export interface FieldQuestion {
  readonly signal: AskedProvider['signal'];
  readonly field: string | undefined;
  /** Where a back end tells names of one service alone. */
  readonly service: string | undefined;
  readonly range: TimeRange;
}

/** What became of one, and the texts that it gave. */
export interface FieldAnswer<Provider = AskedProvider> extends ProviderAnswer<Provider> {
  readonly texts: readonly string[];
}

/** Ask one back end; whatever goes wrong there is part of what comes back. */
export async function askFields<Provider extends AskedProvider>(
  question: FieldQuestion,
  provider: Provider,
  kind: TelemetryKind | undefined,
  { fetch, now, timeoutMs, signal }: Asking<Provider>,
): Promise<FieldAnswer<Provider>> {
  const begun = now();
  const none = { provider, texts: [], rows: 0, bytes: 0, isCut: false, strays: 0 };
  const failed = (failure: ProviderFailure) => ({
    ...{ ...none, failure, durationMs: now() - begun },
    status: failure.code === 'timeout' ? ('timeout' as const) : ('error' as const),
  });
  const asked = requestFor(question, kind);
  if ('skipped' in asked || kind === undefined) {
    const skipped = 'skipped' in asked ? asked.skipped : '';
    return { ...none, skipped, status: 'skipped', durationMs: 0 };
  }
  const { field, service, range } = question;
  const { list, more, rules } = asked;
  const texts = { field, service, query: rules.fields?.query };
  const send = (request: BuiltRequest, most: number, maxBytes: number): Promise<StrangerAnswer> =>
    fetch(provider, {
      ...request,
      headers: { ...request.headers, ...tenantHeaders(kind.tenant, provider.tenantId) },
      ...{ maxBytes, timeoutMs: Math.max(1, Math.min(most, begun + timeoutMs - now())), signal },
    });
  const values = {
    range,
    limit: limits.fieldTexts,
    timeoutMs,
    direction: 'backward',
    texts,
  } as const;
  try {
    const { query } = texts;
    if (query !== undefined && rules.cost !== undefined) {
      const cost = await estimateCost({ rules: rules.cost, query, values }, (request) =>
        send(request, limits.costMs, limits.costBytes),
      );
      const excess = excessOf(cost);
      if (excess !== undefined) return failed({ code: 'too_large', message: excess });
    }
    const { at, ...request } = { method: 'GET' as const, ...list };
    const built = buildRequest({ ...request, answer: { shape: 'records', at } }, values);
    const { status, body } = await send(built, timeoutMs, limits.answerBytes);
    if (status < 200 || status > 299) return failed(failureOf(status, body, kind.errors));
    const found = [...new Set([...more, ...textsIn(body, list)])];
    const read = readList();
    return {
      ...{ ...none, read, texts: found, rows: found.length, bytes: body.length, status: 'ok' },
      durationMs: now() - begun,
    };
  } catch (error) {
    signal.throwIfAborted();
    return failed(connectionFailure(asTimeout(error)));
  }
}

interface Asked {
  readonly rules: NonNullable<TelemetryKind['query'][AskedProvider['signal']]>;
  readonly list: TelemetryList;
  /** Fields that it has a question of its own for. */
  readonly more: readonly string[];
}

function requestFor(
  { signal, field, service }: FieldQuestion,
  kind: TelemetryKind | undefined,
): Asked | { readonly skipped: string } {
  if (kind === undefined) return { skipped: 'its kind is unknown' };
  const rules = kind.query[signal];
  if (rules === undefined) return { skipped: `${kind.title} keeps them, but cannot be asked` };
  const { names, values, known = {} } = rules.fields ?? {};
  const own = Object.keys(known);
  if (field === undefined) {
    if (names !== undefined) return { rules, list: names, more: own };
    const told = own.length === 0 ? 'nothing of its fields' : `of ${own.join(' and ')} alone`;
    return { skipped: `it tells ${told}` };
  }
  const list = Object.hasOwn(known, field) ? known[field] : values;
  if (list === undefined) {
    const told =
      own.length === 0 ? 'no values of fields' : `the values of ${own.join(' and ')} alone`;
    return { skipped: `it tells ${told}` };
  }
  const needsService = placeholdersIn(list.path).some(({ name }) => name === 'service');
  if (needsService && service === undefined) {
    return { skipped: `it tells the ${field} of one service alone: give service` };
  }
  return { rules, list, more: [] };
}

/** @throws UnusableAnswer */
function textsIn(body: Uint8Array, { at }: TelemetryList): readonly string[] {
  const value = parsed(body);
  const found = valueAt(value, at);
  if (!Array.isArray(found)) {
    // An empty list is left out, or null, by some.
    if (found === null || (found === undefined && typeof value === 'object')) return [];
    throw new UnusableAnswer(`at ${at.join('.')} stands no list`);
  }
  return found
    .flat(2)
    .filter((each) => typeof each === 'string')
    .map((text) => visibleText(text.slice(0, limits.fieldCharacters)));
}

function parsed(body: Uint8Array): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString('utf8'));
  } catch {
    throw new UnusableAnswer('it is not JSON');
  }
}

/** That it has answered: what it gave stands beside. */
function readList(): NonNullable<ProviderAnswer['read']> {
  return { content: { holds: 'logs', rows: [] }, native: null, warnings: [], isPartial: false };
}
