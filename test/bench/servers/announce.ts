/** Tell the benchmark where this server listens, and do what it asks for; each answer says what is in use. */
export function announce(url: string, acts: Readonly<Record<string, () => void>> = {}): void {
  process.send?.({ url });
  process.on('message', (name) => {
    const at = performance.timeOrigin + performance.now();
    acts[String(name)]?.();
    process.send?.({
      rss: process.memoryUsage.rss(),
      at,
      cpu: sum(process.threadCpuUsage()),
      wholeCpu: sum(process.cpuUsage()),
    });
  });
  process.on('disconnect', () => process.exit());
}

function sum({ user, system }: NodeJS.CpuUsage): number {
  return user + system;
}
