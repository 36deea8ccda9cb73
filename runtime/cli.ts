#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

import { defaultDataDir } from './default-data-dir.ts';

// Before everything else, so that it serves everything else: half of the start is compiling.
const compileCache = fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url));
enableCompileCache(compileCache);
// Threads look here. Without it, each loads the compiler again to strip its types.
process.env['NODE_COMPILE_CACHE'] ??= compileCache;

// Whoever reads the output may stop early, as in "tools | head".
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

// An empty variable counts as absent.
process.env['SERVICE_DATA_DIR'] ||= defaultDataDir(import.meta.url, process.env, process.platform);

const { runCommand } = await import('./commands/command-line.ts');
process.exitCode = await runCommand(process.argv.slice(2));
