import { runCommand } from '../../../runtime/commands/command-line.ts';
import type { CommandLine } from './hosted.ts';

/** Runs command lines one after the other, each as if it were alone, and tells what came of them. */
const own = { ...process.env };

process.on('message', async ({ args, env }: CommandLine) => {
  process.env = { ...own, ...env };
  const told = { stdout: '', stderr: '' };
  const streams = ['stdout', 'stderr'] as const;
  for (const name of streams) {
    process[name].write = (chunk: string | Uint8Array) => {
      told[name] += String(chunk);
      return true;
    };
  }
  const code = await runCommand(args);
  process.send?.({ code, ...told });
});
