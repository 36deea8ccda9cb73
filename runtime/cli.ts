#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Before everything else, so that it serves everything else: half of the start is compiling.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)));

// Whoever reads the output may stop early, as in "tools | head".
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

const { runCommand } = await import('./commands/command-line.ts');
process.exitCode = await runCommand(process.argv.slice(2));
