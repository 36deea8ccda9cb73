/** Something that this process cannot serve without. */
export interface Dependency {
  readonly name: string;
  /** Whether it works now. Whoever fails or does not answer in time counts as not working. */
  readonly check: (signal: AbortSignal) => Promise<boolean>;
}

/** A readiness probe has a deadline of its own: orchestrators wait only a second or a few. */
const defaultTimeoutMs = 2000;

/** Ask one dependency whether it works. */
export async function probe(
  { name, check }: Dependency,
  timeoutMs = defaultTimeoutMs,
): Promise<{ readonly name: string; readonly ok: boolean }> {
  const signal = AbortSignal.timeout(timeoutMs);
  const late = new Promise<boolean>((resolve) => {
    signal.addEventListener('abort', () => resolve(false), { once: true });
  });
  const ok = await Promise.race([Promise.resolve(signal).then(check), late]).catch(() => false);
  return { name, ok };
}
