/** Preloaded into a process that is measured: tells the benchmark its peak memory when it ends. */
process.on('exit', () => process.send?.({ peakKilobytes: process.resourceUsage().maxRSS }));
process.channel?.unref();
