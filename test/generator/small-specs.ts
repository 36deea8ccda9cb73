import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import type { TestContext } from 'node:test';

/** A provider of one tool, small enough to be generated many times. */
export function curation(id: string, tool = `${id}_things_list`, more = ''): string {
  return `provider: ${id}
title: Provider ${id}
servers: [{ url: https://${id}.example.com }]
auth: [{ type: none }]
operations:
  - name: ${tool}
    resource: things
    from: { operationId: listThings }
    purpose: List the things of ${id}
    annotations: { readOnly: true }
${more}`;
}

const description = `openapi: 3.1.0
info: { title: Things, version: "1" }
paths:
  /things:
    get:
      operationId: listThings
      parameters:
        - { name: q, in: query, schema: { type: string } }
      responses: { "200": { description: Done } }
`;

/** A folder with providers in it, removed after the test. */
export function specsFolder(t: TestContext, ...ids: readonly string[]): string {
  const base = mkdtempSync(join(tmpdir(), 'specs-'));
  t.after(() => rmSync(base, { recursive: true, force: true }));
  for (const id of ids) {
    put(base, `specs/providers/${id}/curation.yaml`, curation(id));
    put(base, `specs/providers/${id}/openapi.yaml`, description);
  }
  return base;
}

/** Write a file and the folders it stands in. */
export function put(base: string, path: string, text: string): void {
  mkdirSync(dirname(join(base, path)), { recursive: true });
  writeFileSync(join(base, path), text);
}
