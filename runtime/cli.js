#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Before everything else, so that it serves everything else: half of the start is compiling. This
// file alone is JavaScript: the first one comes from no cache, and stripping its types would load
// the compiler.
const compileCache = fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url));
enableCompileCache(compileCache);
// Threads look here. Without it, each of them loads the compiler.
process.env['NODE_COMPILE_CACHE'] ??= compileCache;

// What is kept, and what is written out of it, is for the account of the server alone: SQLite gives
// its files whatever the mask leaves.
process.umask(0o077);

// Whoever reads the output may stop early, as in "tools | head".
process.stdout.on('error', (error) => {
  if (error.code !== 'EPIPE') throw error;
});

const { findOwnModules } = await import('./process/own-modules.ts');
findOwnModules();

const { defaultDataDir } = await import('./process/default-data-dir.ts');
// An empty variable counts as absent.
process.env['SERVICE_DATA_DIR'] ||= defaultDataDir(process.env, process.platform);

const { runCommand } = await import('./commands/command-line.ts');
process.exitCode = await runCommand(process.argv.slice(2));
