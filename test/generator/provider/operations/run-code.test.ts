import assert from 'node:assert/strict';
import test from 'node:test';
import { asideReason } from '../../../../generator/provider/operations/set-aside.ts';
import { natureIn } from '../guess/described.ts';

const text = { type: 'string' };
const body = (properties: object) => ({
  requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } },
});

for (const [path, operation, runs] of [
  ['/sql', body({ query: text }), true],
  ['/sql', { summary: 'Query the database', ...body({ query: text }) }, true],
  ['/graphql', { operationId: 'postGraphql', ...body({ query: text, variables: {} }) }, true],
  // Frameworks describe nothing of what it takes.
  ['/graphql', { summary: 'Handle Http Post' }, true],
  ['/databases/{id}/execute', body({ statements: { type: 'array', items: text } }), true],
  ['/sandboxes/{id}/exec', body({ command: { type: 'array', items: text } }), true],
  ['/interpreter', { summary: 'Runs code', ...body({ code: text, language: text }) }, true],
  ['/eval', { parameters: [{ name: 'script', in: 'query', schema: text }] }, true],
  ['/scripts/{id}/execute', {}, true],
  ['/procedures/{name}:call', {}, true],
  ['/notebooks/{id}/execute', {}, true],
  ['/jobs', { summary: 'Create and run a job from an inline spec', ...body({ spec: text }) }, true],
  ['/queries', { summary: 'Runs a SQL query', ...body({ query: text }) }, true],
  // It only reads, as its text or its language says.
  ['/sql', { summary: 'Run a read-only statement', ...body({ query: text }) }, false],
  ['/sql', { summary: 'Get the rows of a query', ...body({ query: text }) }, false],
  ['/query', { summary: 'Run a PromQL query', ...body({ sql: text }) }, false],
  ['/sql/translate', { summary: 'Translate a statement', ...body({ sql: text }) }, false],
  // A question in the words of the API, a thing of that name, one that is kept.
  ['/sql', body({ query: { type: 'object', properties: { match: text } } }), false],
  ['/query', { summary: 'Query vectors', ...body({ vector: {}, query: text }) }, false],
  ['/searches/execute', body({ query: text }), false],
  ['/init-scripts', { summary: 'Create a script', ...body({ script: text }) }, false],
  ['/flags/evaluate', body({ flag: text }), false],
  ['/codes/execute', body({ code: { type: 'string', enum: ['A', 'B'] } }), false],
  ['/workflows/{id}/execute', {}, false],
] as const) {
  const told = JSON.stringify(operation).slice(0, 120);
  test(`POST ${path} ${told} ${runs ? 'runs what it is sent' : 'runs nothing that it is sent'}`, () => {
    const { document, nature } = natureIn(path, operation, 'post');
    const { reads, destroys, overwrites } = nature;
    assert.equal(/^it runs what/.test(asideReason(document, nature) ?? ''), runs);
    if (runs) assert.ok(!reads && (destroys || overwrites));
  });
}
