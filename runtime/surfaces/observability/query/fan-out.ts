import { ServiceError } from '#contract/errors';
import type { TelemetryKind } from '#contract/telemetry/kind';
import { languageOf } from './ask/compile.ts';
import { type Asking, askProvider, type ProviderAnswer } from './ask-provider.ts';
import { limits } from './numbers.ts';
import type { AskedProvider, Question } from './question.ts';
import type { Selected } from './select-providers.ts';

/** Gives the description of a kind; `undefined` for one that this server does not know. */
export type LoadKind = (kind: string) => Promise<TelemetryKind | undefined>;

/**
 * Ask the chosen providers, all at once or one after the other until one answers. All of them share
 * one deadline.
 */
export async function fanOut<Provider extends AskedProvider>(
  question: Question,
  { providers, isFallback }: Selected<Provider>,
  loadKind: LoadKind,
  asking: Asking<Provider>,
): Promise<readonly ProviderAnswer<Provider>[]> {
  const end = asking.now() + asking.timeoutMs;
  const spoken = await inOneLanguage(question, providers, loadKind);
  const ask = async (provider: Provider): Promise<ProviderAnswer<Provider>> => {
    const kind = await loadKind(provider.kind);
    const timeoutMs = Math.max(1, end - asking.now());
    if (kind !== undefined) return askProvider(spoken, provider, kind, { ...asking, timeoutMs });
    const none = { rows: 0, bytes: 0, durationMs: 0, isCut: false, strays: 0 };
    return {
      provider,
      ...none,
      status: 'skipped',
      skipped: `its kind ${provider.kind} is unknown`,
    };
  };
  if (!isFallback) return together(providers, ask);
  const answers: ProviderAnswer<Provider>[] = [];
  for (const provider of providers) {
    const answer = await ask(provider);
    answers.push(answer);
    if (!isOutOfReach(answer) || asking.now() >= end) break;
  }
  return answers;
}

/** The next provider is asked where the one before could not answer, not where the question is wrong. */
function isOutOfReach({ status, failure }: ProviderAnswer<unknown>): boolean {
  if (status === 'skipped' || status === 'timeout') return true;
  return status === 'error' && failure?.code !== 'invalid_query' && failure?.code !== 'too_large';
}

/** A query that names no language is one of the first provider that is asked. */
async function inOneLanguage(
  question: Question,
  providers: readonly AskedProvider[],
  loadKind: LoadKind,
): Promise<Question> {
  const { query, language } = question;
  if (query === undefined || language !== undefined) return question;
  for (const { kind: name } of providers) {
    const kind = await loadKind(name);
    const spoken = kind && languageOf(question, kind);
    if (spoken !== undefined) return { ...question, language: spoken };
  }
  return question;
}

/** All at once, but no more than so many; answers come in the order of the providers. */
export async function together<Provider, Answer>(
  providers: readonly Provider[],
  ask: (provider: Provider) => Promise<Answer>,
): Promise<readonly Answer[]> {
  const answers: Answer[] = [];
  const waiting = providers.entries();
  const work = async () => {
    for (const [index, provider] of waiting) answers[index] = await ask(provider);
  };
  await Promise.all(Array.from({ length: Math.min(limits.atOnce, providers.length) }, work));
  return answers;
}

/**
 * Nothing came back, or not enough for a caller who takes all or nothing.
 *
 * @throws ServiceError with the code of what is wrong with most of them
 */
export function requireAnswers(
  answers: readonly ProviderAnswer[],
  partial: 'allow' | 'forbid',
): void {
  const good = answers.filter(({ read }) => read !== undefined);
  const isWhole = answers.every(({ status }) => status === 'ok');
  if (good.length > 0 && (partial === 'allow' || isWhole)) return;
  const asked = answers.filter(({ status }) => status !== 'skipped' && status !== 'ok');
  const codes = new Set(asked.map(({ failure }) => failure?.code ?? 'unavailable'));
  const [only] = codes.size === 1 && good.length === 0 ? codes : [];
  const { code, status } = asked.length === 0 ? badQuestion : (byFault[only ?? ''] ?? unavailable);
  const details = answers.flatMap(({ provider, failure, skipped }) => {
    const reason = failure?.message ?? skipped;
    return reason === undefined ? [] : [{ providerId: provider.id, reason }];
  });
  const list = details.map(({ providerId, reason }) => `${providerId}: ${reason}`).join('; ');
  const what = good.length > 0 ? 'not every provider answered in full' : 'no provider answered';
  throw new ServiceError(code, status, `${what}: ${list}`, { detail: { details } });
}

const unavailable = { code: 'provider_unavailable', status: 502 };
const badQuestion = { code: 'invalid_query', status: 400 };
const byFault: Readonly<Record<string, { readonly code: string; readonly status: number }>> = {
  invalid_query: badQuestion,
  too_large: { code: 'payload_too_large', status: 413 },
  timeout: { code: 'query_timeout', status: 504 },
};
