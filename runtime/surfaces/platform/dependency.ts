import type { Check } from '#contract/house/readiness';

/** A readiness probe has a deadline of its own: orchestrators wait only a second or a few. */
const defaultTimeoutMs = 2000;

/** How a dependency is. */
export interface Probed {
  readonly name: string;
  readonly ok: boolean;
  /** The process can serve without it. */
  readonly optional?: boolean;
}

/** Ask one dependency whether it works. */
export async function probe(
  { name, check, isOptional = false }: Check,
  timeoutMs = defaultTimeoutMs,
): Promise<Probed> {
  const signal = AbortSignal.timeout(timeoutMs);
  const late = new Promise<boolean>((resolve) => {
    signal.addEventListener('abort', () => resolve(false), { once: true });
  });
  const ok = await Promise.race([Promise.resolve(signal).then(check), late]).catch(() => false);
  return { name, ok, ...(isOptional && { optional: true }) };
}
