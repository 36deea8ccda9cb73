import assert from 'node:assert/strict';
import test from 'node:test';
import { createWorkplace } from './workplace.ts';

const description = `openapi: 3.1.0
info: { title: Acme, version: '1' }
servers: [{ url: https://api.acme.example }]
paths:
  /things:
    get:
      operationId: listThings
      parameters:
        - { name: X-Dry-Run, in: header, schema: { type: boolean } }
        - { name: Accept, in: header, schema: { type: string } }
        - { name: shop, in: cookie, schema: { type: string } }
      responses:
        '200': { description: ok, content: { application/json: { schema: { type: object, properties: { id: { type: string } } } } } }
  /report:
    get:
      operationId: getReport
      responses: { '200': { description: ok } }
  /picture:
    get:
      operationId: getPicture
      responses: { '200': { description: ok, content: { image/png: {} } } }
  /note:
    get:
      operationId: getNote
      responses: { '200': { description: ok, content: { text/plain: { schema: { type: string } } } } }
`;

test('add names the optional headers and cookies that no tool takes, and how to take them in', async (t) => {
  const { run, write, read } = createWorkplace(t);
  write('acme.yaml', description);
  const { out } = await run('add', 'acme', '--openapi', 'acme.yaml');
  assert.match(
    out,
    /params: \{ include: \[\.\.\.\] \}[^:]+; cookies are not sent:\n {2}header X-Dry-Run\n {2}cookie shop\n/,
  );
  assert.doesNotMatch(out, /header Accept/);
  const curation = read('specs/providers/acme/curation.yaml');
  assert.match(
    curation,
    /^ {2}# - name: acme_get_picture # review: it answers with a file: switch/m,
  );
  assert.match(curation, /^ {2}- name: acme_get_note$/m);
  // Where there are few others, what is silent is on, too.
  assert.match(
    curation,
    /^ {2}- name: acme_get_report # review: nothing that it answers is descri/m,
  );
});
