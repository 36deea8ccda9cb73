import { isMainThread } from 'node:worker_threads';

/** What the process has used since it was last asked, and in all. */
export interface Watched {
  /** The most processor time that its main thread took before it looked at anything else, in milliseconds. */
  readonly longestTurn: number;
  /** The most resident memory, in bytes. */
  readonly peak: number;
  /** Resident memory now. */
  readonly resident: number;
}

// Loaded into the server before it starts. Processor time does not depend on what else runs on the machine.
if (isMainThread && process.send) {
  let longestTurn = 0;
  let peak = 0;
  let before = mainThreadMs();
  const look = () => {
    const now = mainThreadMs();
    longestTurn = Math.max(longestTurn, now - before);
    before = now;
    peak = Math.max(peak, process.memoryUsage.rss());
  };
  setInterval(look, 2).unref();
  process.on('message', () => {
    look();
    const resident = process.memoryUsage.rss();
    process.send?.({ longestTurn, peak, resident } satisfies Watched);
    longestTurn = 0;
    peak = 0;
  });
  process.channel?.unref();
}

function mainThreadMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
