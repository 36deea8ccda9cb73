import type { Check } from '#contract/house/readiness';

/** A readiness probe has a deadline of its own: orchestrators wait only a second or a few. */
const defaultTimeoutMs = 2000;

/** Ask one dependency whether it works. */
export async function probe(
  { name, check }: Check,
  timeoutMs = defaultTimeoutMs,
): Promise<{ readonly name: string; readonly ok: boolean }> {
  const signal = AbortSignal.timeout(timeoutMs);
  const late = new Promise<boolean>((resolve) => {
    signal.addEventListener('abort', () => resolve(false), { once: true });
  });
  const ok = await Promise.race([Promise.resolve(signal).then(check), late]).catch(() => false);
  return { name, ok };
}
