import assert from 'node:assert/strict';
import test from 'node:test';
import { createWorkplace } from '../workplace.ts';

// Members of a body are arguments each: that it takes no others is nothing to who can send none.

const kept = (schema: string) => `openapi: 3.1.0
info: { title: Acme, version: '2' }
servers: [{ url: https://acme.example/v1 }]
paths:
  /teams:
    post:
      operationId: createTeam
      requestBody:
        content:
          application/json: { schema: ${schema} }
      responses: { '201': { description: Created } }
`;

const named = '{ type: object, properties: { name: { type: string } } }';
const open = '{ type: object, properties: { name: { type: string } }, additionalProperties: true }';
const map = '{ type: object, additionalProperties: { type: string } }';
const nested = `{ type: object, properties: { lead: ${named} } }`;
const closed = (schema: string) =>
  schema
    .replace(/, additionalProperties: .*?(?= \}$)/, '')
    .replace(/ \}$/, ', additionalProperties: false }');

const bodies: readonly [string, string, string, number][] = [
  ['named members alone', named, closed(named), 0],
  ['members that nobody names, too', open, closed(open), 1],
  ['a map', map, '{ type: object, additionalProperties: false }', 1],
  ['an object in it', nested, nested.replace(named, closed(named)), 1],
];

for (const [what, before, after, breaks] of bodies) {
  test(`a body of ${what} that closes itself breaks ${breaks} callers`, async (t) => {
    const { run, write } = createWorkplace(t);
    write('kept.yaml', kept(before));
    await run('add', 'acme', '--openapi', 'kept.yaml');
    write('later.yaml', kept(after));
    const { out } = await run('drift', 'acme', '--openapi', 'later.yaml');
    assert.match(out, new RegExp(`, ${breaks} of them break`));
    assert.equal(out.includes('takes no other members now'), breaks === 1);
  });
}
