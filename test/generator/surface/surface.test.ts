import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test, { type TestContext } from 'node:test';
import { formatDiagnostics } from '../../../generator/diagnostics/format-diagnostics.ts';
import { surfaces } from '../../../generator/kinds/surfaces.ts';
import { planAt } from '../plan-at.ts';

async function problemsOf(t: TestContext, files: Record<string, string>): Promise<string> {
  const base = mkdtempSync(join(tmpdir(), 'surface-'));
  t.after(() => rmSync(base, { recursive: true }));
  mkdirSync(join(base, 'specs/surfaces/x'), { recursive: true });
  for (const [name, text] of Object.entries(files)) {
    writeFileSync(join(base, 'specs/surfaces/x', name), text);
  }
  const { diagnostics } = await planAt(surfaces, base, 'x');
  return formatDiagnostics(diagnostics, 'text');
}

test('a route without handler name, access or a body that could be read is an error', async (t) => {
  const text = await problemsOf(t, {
    'openapi.yaml': `openapi: 3.1.0
info: { title: X, version: '1' }
paths:
  /a:
    get:
      operationId: Get-A
      x-access: public
      responses: { '200': { description: ok } }
    post:
      operationId: postA
      responses: { '200': { description: ok } }
    put:
      operationId: putA
      x-access: public
      x-limit: { requests: 5, per: minute }
      responses: { '200': { description: ok } }
    delete:
      operationId: deleteA
      x-access: public
      x-audit: always
      responses: { '200': { description: ok } }
    patch:
      operationId: patchA
      x-access: public
      requestBody:
        content:
          application/json: { schema: { type: object } }
          text/plain: { schema: { type: string } }
          image/png: { schema: { type: object } }
      responses:
        default: { description: ok }
        '200':
          description: ok
          content:
            text/event-stream: { schema: { type: string } }
            text/plain: { schema: { type: string } }
`,
  });
  assert.deepEqual(findings(text), [
    'specs/surfaces/x/openapi.yaml:5:5 error SURF001 GET /a needs an operationId in camelCase and one of GET, POST, PUT, PATCH, DELETE',
    'specs/surfaces/x/openapi.yaml:9:5 error SURF002 POST /a: the key "access" is missing',
    'specs/surfaces/x/openapi.yaml:15:31 error SURF002 PUT /a: "per" must match ^[0-9]+(ms|s|m|h|d)$, but it is "minute"',
    'specs/surfaces/x/openapi.yaml:20:7 error SURF002 DELETE /a: "audit" may not be "always"',
    'specs/surfaces/x/openapi.yaml:26:9 error SURF004 text/plain has another schema than application/json: a handler gets one kind of value',
    'specs/surfaces/x/openapi.yaml:26:9 error SURF004 image/png is neither JSON nor a form, and its schema is no string',
    'specs/surfaces/x/openapi.yaml:34:11 error SURF004 a stream is the only media type of its status',
    'specs/surfaces/x/openapi.yaml:31:9 error SURF004 a handler answers with a status, not with default',
  ]);
});

/** The first line of each finding; what follows it is advice. */
function findings(text: string): string[] {
  const lines = text.trimEnd().split('\n');
  return lines.filter((line) => !line.startsWith(' '));
}

test('an unknown key and demands that contradict each other are errors', async (t) => {
  const text = await problemsOf(t, {
    'openapi.yaml': `openapi: 3.1.0
info: { title: X, version: '1' }
paths:
  /a:
    get:
      operationId: getA
      x-access: [a.read]
      x-cors: { origins: '*', credentials: true }
      x-cache: { scope: public, maxAge: 1h }
      x-idempotency: optional
      responses: { '200': { description: ok } }
    post:
      operationId: postA
      x-access: public
      x-cache: { scope: private }
      x-resumes: true
      responses: { '200': { description: ok } }
    put:
      operationId: putA
      x-access: public
      x-limits: { requests: 5, per: 1m }
      x-task: required
      responses: { '200': { description: ok } }
    patch:
      operationId: patchA
      x-access: public
      x-idempotency: optional
      responses:
        '200': { description: ok, content: { text/plain: { x-stream: true } } }
`,
  });
  assert.deepEqual(
    findings(text).map((line) => line.replace('specs/surfaces/x/openapi.yaml:', '')),
    [
      '8:7 error SURF007 cookies never come along from all origins (Fetch, CORS protocol)',
      '9:7 error SURF007 a public cache would give to anybody what needs scopes',
      '10:7 error SURF007 GET changes nothing, so it needs no key (RFC 9110 section 9.2.2)',
      '15:7 error SURF007 only what GET is answered with is ever kept, not POST',
      '16:7 error SURF007 a call without a key is never taken up again: say x-idempotency, too',
      '21:7 error SURF002 PUT /a: unknown key "limits"',
      '22:7 error SURF002 PUT /a: "task" may not be "required"',
      '27:7 error SURF007 a stream, or an answer that the client chooses, cannot be kept for a key',
    ],
  );
});

test('only the last segment can take the rest of a path', async (t) => {
  const text = await problemsOf(t, {
    'openapi.yaml': `openapi: 3.1.0
info: { title: X, version: '1' }
paths:
  /a/{rest}/b:
    get:
      operationId: getA
      x-access: public
      parameters:
        - { name: rest, in: path, required: true, x-rest: true, schema: { type: string } }
      responses: { '200': { description: ok } }
`,
  });
  assert.match(text, /^specs\/surfaces\/x\/openapi\.yaml:5:5 error SURF005 /);
});

test('a tool that is listed twice, or lacks what its schema wants, is an error', async (t) => {
  const tool = (name: string) => `  - name: ${name}
    title: A tool
    description: It does something
    annotations: { readOnly: true, openWorld: false }
    access: public
    input: { type: object, properties: {} }
    output: { type: object, properties: {} }
`;
  const twice = await problemsOf(t, { 'tools.yaml': `tools:\n${tool('a_tool')}${tool('a_tool')}` });
  assert.equal(
    twice,
    'specs/surfaces/x/tools.yaml:9:5 error SURF003 tool name "a_tool" is used twice\n',
  );
  const lacking = await problemsOf(t, { 'tools.yaml': 'tools:\n  - name: a_tool\n' });
  assert.match(lacking, /tools\.yaml:2:5 error SPEC005 the key "title" is missing/);
});

test('places of prompts and resource templates that nothing fills are errors', async (t) => {
  const text = await problemsOf(t, {
    'prompts.yaml': `prompts:
  - name: a_prompt
    title: A prompt
    description: It says something
    access: public
    arguments: [{ name: thing, description: Something }, { name: other, description: Another }]
    text: Look at {thing} and {thinks}
  - name: a_prompt
    title: Again
    description: It says nothing else
    access: public
    text: Look at nothing
`,
    'resources.yaml': `templates:
  - name: a_page
    title: A page
    description: The page of a thing
    uriTemplate: things://{id}
    mimeType: text/plain
    access: public
    complete: [id, name]
`,
  });
  assert.deepEqual(
    text
      .trimEnd()
      .split('\n')
      .filter((line) => !line.startsWith(' '))
      .sort(),
    [
      'specs/surfaces/x/prompts.yaml:6:60 error SURF006 the text has no place {other}',
      'specs/surfaces/x/prompts.yaml:7:5 error SURF006 {thinks} is no argument',
      'specs/surfaces/x/prompts.yaml:8:5 error SURF003 "a_prompt" is used twice',
      'specs/surfaces/x/resources.yaml:8:20 error SURF006 things://{id} has no place {name}',
    ],
  );
});

test('a prompt without a text and a template that is no URI are errors', async (t) => {
  const text = await problemsOf(t, {
    'prompts.yaml':
      'prompts: [{ name: a_prompt, title: A prompt, description: It says it, access: public }]',
    'resources.yaml':
      'templates: [{ name: page, title: Page, description: The whole page, uriTemplate: "/x/{id}", mimeType: text/plain, access: public }]',
  });
  assert.match(text, /prompts\.yaml:1:11 error SPEC005 the key "text" is missing/);
  assert.match(text, /resources\.yaml:1:\d+ error SPEC005 "uriTemplate" must match/);
});
