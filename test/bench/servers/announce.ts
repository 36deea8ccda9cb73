/** Tell the benchmark where this server listens, and answer when it asks for the memory in use. */
export function announce(url: string): void {
  process.send?.({ url });
  process.on('message', () => process.send?.({ rss: process.memoryUsage.rss() }));
  process.on('disconnect', () => process.exit());
}
