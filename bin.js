#!/usr/bin/env node
// A clone runs the program as it is written. In the package it is JavaScript, because Node refuses
// to strip types under node_modules.
import { existsSync } from 'node:fs';

const oldest = 24;
const written = new URL('runtime/cli.js', import.meta.url);

if (Number.parseInt(process.versions.node, 10) < oldest) {
  process.stderr.write(
    `agent-tool-server needs Node.js ${oldest} or newer, found ${process.versions.node}\n`,
  );
  process.exitCode = 1;
} else {
  await import(
    existsSync(written) ? written.href : new URL('dist/runtime/cli.js', import.meta.url).href
  );
}
