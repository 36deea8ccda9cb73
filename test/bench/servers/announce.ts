/** Tell the benchmark where this server listens, and do what it asks for; each answer says how much memory is in use. */
export function announce(url: string, acts: Readonly<Record<string, () => void>> = {}): void {
  process.send?.({ url });
  process.on('message', (name) => {
    const at = performance.timeOrigin + performance.now();
    acts[String(name)]?.();
    process.send?.({ rss: process.memoryUsage.rss(), at });
  });
  process.on('disconnect', () => process.exit());
}
