#!/usr/bin/env node
import { enableCompileCache } from 'node:module';
import { fileURLToPath } from 'node:url';

// Before everything else, so that it serves everything else: half of the start is compiling.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compile', import.meta.url)));

const { runCommand } = await import('./commands/command-line.ts');
process.exitCode = await runCommand(process.argv.slice(2));
