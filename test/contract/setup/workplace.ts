import { cpSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const project = join(import.meta.dirname, '../../..');

/** All that the server consists of, but for the vendors. */
const parts = [
  'runtime',
  'package.json',
  'specs/config.yaml',
  'specs/jobs.yaml',
  'specs/prices.yaml',
  'specs/scopes.yaml',
  'specs/tables.yaml',
  'specs/tables.lock.json',
  'specs/surfaces',
  'specs/events',
  'specs/mcp',
  'specs/search',
  'specs/skills',
  'specs/schemas',
];

/** A copy of the project in a folder of its own, in which vendors come and go. */
export interface Workplace {
  readonly base: string;
  /** Take the vendor and what its server kept out again. */
  clear(): void;
  close(): void;
}

/** Make a workplace without vendors. */
export function createWorkplace(): Workplace {
  const base = mkdtempSync(join(tmpdir(), 'contract-'));
  for (const part of parts) cpSync(join(project, part), join(base, part), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(base, 'node_modules'));
  const remove = (name: string) => rmSync(join(base, name), { recursive: true, force: true });
  return {
    base,
    clear() {
      for (const name of ['specs/providers', 'generated/providers', 'data', 'data-anchors']) {
        remove(name);
      }
    },
    close: () => rmSync(base, { recursive: true, force: true }),
  };
}
