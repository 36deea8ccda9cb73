/** Tell the benchmark where this server listens, and do what it asks for; each answer says what is in use. */
export function announce(url: string, acts: Readonly<Record<string, () => void>> = {}): void {
  process.send?.({ url });
  process.on('message', (name) => {
    const at = performance.timeOrigin + performance.now();
    acts[String(name)]?.();
    const { user, system } = process.threadCpuUsage();
    process.send?.({ rss: process.memoryUsage.rss(), at, cpu: user + system });
  });
  process.on('disconnect', () => process.exit());
}
