import { QueryRefusal } from '../refusal.ts';
import type { Asked } from './asked.ts';
import {
  answerLabels,
  answerLabelValues,
  answerSeriesLabels,
  answerSeriesValues,
  answerTags,
  answerTagValues,
} from './fields.ts';
import { answerLogs } from './logs.ts';
import { answerMetrics } from './metrics.ts';
import { answerTrace, answerTraces } from './traces.ts';

/** What is asked of the store within this process: a request as a back end would get it. */
export interface EmbeddedRequest {
  readonly path: string;
  readonly body?: string;
  readonly signal: AbortSignal;
}

/** What it answers. */
export interface EmbeddedAnswer {
  readonly status: number;
  readonly body: object;
}

type Answerer = (asked: Asked, rest: string) => Promise<object>;

const answerers: readonly (readonly [RegExp, Answerer])[] = [
  [/^\/loki\/api\/v1\/query_range$/, answerLogs],
  [/^\/api\/v1\/query(?:_range)?$/, answerMetrics],
  [/^\/loki\/api\/v1\/labels$/, answerLabels],
  [/^\/loki\/api\/v1\/label\/([^/]+)\/values$/, answerLabelValues],
  [/^\/api\/v1\/labels$/, answerSeriesLabels],
  [/^\/api\/v1\/label\/([^/]+)\/values$/, answerSeriesValues],
  [/^\/api\/v2\/search\/tags$/, answerTags],
  [/^\/api\/v2\/search\/tag\/([^/]+)\/values$/, answerTagValues],
  [/^\/api\/search$/, answerTraces],
  [/^\/api\/v2\/traces\/([^/]+)$/, answerTrace],
];

/** Answer as a back end of its kind does: specs/telemetry/embedded.yaml says how it is asked. */
export async function answerEmbedded(
  asked: Omit<Asked, 'parameters' | 'signal'>,
  { path, body, signal }: EmbeddedRequest,
): Promise<EmbeddedAnswer> {
  const url = new URL(path, 'http://embedded');
  const parameters = body === undefined ? url.searchParams : new URLSearchParams(body);
  try {
    for (const [form, answer] of answerers) {
      const [whole, rest = ''] = form.exec(url.pathname) ?? [];
      if (whole === undefined) continue;
      return { status: 200, body: await answer({ ...asked, parameters, signal }, rest) };
    }
    return { status: 404, body: failure('not_found', 'nothing is here') };
  } catch (error) {
    if (error instanceof QueryRefusal) {
      return { status: 400, body: failure('bad_data', error.message) };
    }
    throw error;
  }
}

function failure(errorType: string, error: string): object {
  return { status: 'error', errorType, error };
}
