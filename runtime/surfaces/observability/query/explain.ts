import type { CallContext } from '#contract/caller';
import { buildRequest } from './ask/back-end-request.ts';
import { compile } from './ask/compile.ts';
import { type Cost, estimateCost, excessOf } from './ask/cost.ts';
import { tenantHeaders } from './ask/tenant-headers.ts';
import type { QueryParts } from './federate.ts';
import { limits } from './numbers.ts';
import type { AskedProvider } from './question.ts';
import type { ReadQuery } from './read-input.ts';
import { selectProviders } from './select-providers.ts';

/** What a provider would be asked. */
export interface Explained {
  readonly providerId: string;
  readonly kind: string;
  readonly asked: boolean;
  /** Why it is not asked. */
  readonly reason?: string;
  readonly query?: string;
  readonly method?: string;
  /** Below the address of the provider. */
  readonly path?: string;
  readonly body?: string;
  readonly cost?: Cost;
}

/** Say what a query would ask of whom, and what it would read; nothing is read. */
export async function explain<Provider extends AskedProvider>(
  parts: QueryParts<Provider>,
  { question, selection, timeoutMs }: ReadQuery,
  { caller: { tenant }, signal }: CallContext,
): Promise<readonly Explained[]> {
  const all = await parts.providers(tenant);
  const { providers, isFallback } = selectProviders(all, question.signal, selection);
  const first = isFallback ? providers.slice(0, 1) : providers;
  return Promise.all(
    first.map(async (provider) => {
      const about = { providerId: provider.id, kind: provider.kind };
      const kind = await parts.loadKind(provider.kind);
      if (kind === undefined) return { ...about, asked: false, reason: 'its kind is unknown' };
      const compiled = compile(question, provider, kind);
      if ('skipped' in compiled) return { ...about, asked: false, reason: compiled.skipped };
      const { rules, request, texts, query } = compiled;
      const { range, stepSeconds, direction } = question;
      const limit = Math.min(question.limit, rules.mostRows);
      const values = { range, limit, timeoutMs, direction, texts, stepSeconds };
      const { method, path, body } = buildRequest(request, values);
      const cost =
        rules.cost === undefined || question.traceId !== undefined
          ? undefined
          : await estimateCost({ rules: rules.cost, query, values }, (built) =>
              parts.fetch(provider, {
                ...built,
                headers: { ...built.headers, ...tenantHeaders(kind.tenant, provider.tenantId) },
                ...{ maxBytes: limits.costBytes, timeoutMs: limits.costMs, signal },
              }),
            );
      const excess = cost && excessOf(cost);
      return {
        ...{ ...about, asked: excess === undefined, method, path },
        ...(excess !== undefined && { reason: excess }),
        ...(query !== undefined && { query }),
        ...(body !== undefined && { body }),
        ...(cost !== undefined && { cost }),
      };
    }),
  );
}
