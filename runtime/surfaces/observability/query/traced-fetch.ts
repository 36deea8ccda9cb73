import type { CallContext } from '#contract/caller';
import { OutboundError } from '#contract/house/outbound';
import type { OpenSpan } from '#contract/telemetry/span';
import type { FetchBackEnd } from './ask-provider.ts';
import type { AskedProvider } from './question.ts';

/** Let each back end see the trace of the query, and the trace each question (HTTP client span). */
export function tracedFetch<Provider extends AskedProvider>(
  fetch: FetchBackEnd<Provider>,
  { span }: Pick<CallContext, 'span'>,
): FetchBackEnd<Provider> {
  if (span === undefined) return fetch;
  return async (provider, request) => {
    const part = span.begin(request.method, 'client');
    part.set('http.request.method', request.method);
    part.set('service.observability.provider_id', provider.id);
    const headers = { ...request.headers, ...part.context };
    return ended(part, fetch(provider, { ...request, headers }));
  };
}

async function ended<Answer extends { readonly status: number }>(
  span: OpenSpan,
  asked: Promise<Answer>,
): Promise<Answer> {
  try {
    const answer = await asked;
    span.set('http.response.status_code', String(answer.status));
    span.end(answer.status >= 400 ? String(answer.status) : undefined);
    return answer;
  } catch (error) {
    span.end(error instanceof OutboundError ? error.fault : 'connection_error');
    throw error;
  }
}
