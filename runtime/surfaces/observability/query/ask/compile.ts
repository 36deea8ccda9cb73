import type {
  QueryLanguage,
  TelemetryKind,
  TelemetryQuery,
  TelemetryRequest,
} from '#contract/telemetry/kind';
import type { AskedProvider, Question } from '../question.ts';
import { type AskedFor, compileFilter, type NotAsked } from './neutral-filter.ts';
import { parseTagQuery } from './tag-query.ts';

/** What one provider is asked, in its own words. */
export interface Compiled {
  readonly rules: TelemetryQuery;
  readonly request: TelemetryRequest;
  /** Values of its placeholders. */
  readonly texts: Readonly<Record<string, string | undefined>>;
  /** The query as the back end gets it, where there is one. */
  readonly query?: string;
}

/**
 * Say a question in the words of a kind, or why that cannot be done.
 *
 * @throws ServiceError `invalid_query`
 */
export function compile(
  question: Question,
  { id }: Pick<AskedProvider, 'id'>,
  kind: TelemetryKind,
): Compiled | NotAsked {
  const rules = kind.query[question.signal];
  if (rules === undefined) return { skipped: `${kind.title} keeps them, but cannot be asked` };
  if (rules.newestOnly && question.direction === 'forward') {
    return { skipped: 'it gives the newest rows first, and not the oldest' };
  }
  if (question.traceId !== undefined) return byId(question.traceId, rules);
  const asked = askedFor(question, id, kind.kind, rules);
  if ('skipped' in asked) return asked;
  const { query, values } = asked;
  const texts = { ...values, ...(query !== undefined && textsOf(query)) };
  return { rules, request: rules.search, texts, ...(query !== undefined && { query }) };
}

function byId(traceId: string, rules: TelemetryQuery): Compiled | NotAsked {
  if (rules.byId === undefined) return { skipped: 'it cannot be asked for one trace' };
  return { rules, request: rules.byId, texts: { traceId } };
}

function askedFor(
  question: Question,
  id: string,
  kind: string,
  rules: TelemetryQuery,
): AskedFor | NotAsked {
  const { queries = {}, query: common, filter, signal } = question;
  const own = ownQuery(queries, id) ?? ownQuery(queries, kind);
  const query = own ?? common;
  if (query === undefined) {
    if (filter !== undefined) return compileFilter(filter, rules.filter, false);
    return { skipped: 'there is no query for it' };
  }
  const [first] = rules.languages;
  if (first === undefined) return { skipped: 'it takes a neutral filter alone' };
  const language = own === undefined ? (question.language ?? first) : first;
  if (!rules.languages.includes(language)) {
    return { skipped: `it speaks ${rules.languages.join(' and ')}, not ${language}` };
  }
  if (language === 'tags' && rules.tags !== undefined) return parseTagQuery(query, rules.tags);
  return signal === 'profile' ? { query, values: profileTexts(query) } : { query, values: {} };
}

function ownQuery(queries: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.hasOwn(queries, name) ? queries[name] : undefined;
}

/** What requests take of a query besides the whole of it. */
function textsOf(query: string): Record<string, string | undefined> {
  return { query, ...profileTexts(query) };
}

/** `<profileTypeID>{label selector}`. */
function profileTexts(query: string): Record<string, string> {
  const brace = query.indexOf('{');
  const type = brace < 0 ? query : query.slice(0, brace);
  return { profileType: type.trim(), labelSelector: brace < 0 ? '{}' : query.slice(brace).trim() };
}

/** The language of a query that names none: that of the first provider that is asked. */
export function languageOf(question: Question, kind: TelemetryKind): QueryLanguage | undefined {
  return question.language ?? kind.query[question.signal]?.languages[0];
}
