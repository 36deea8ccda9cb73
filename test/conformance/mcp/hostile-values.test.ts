import assert from 'node:assert/strict';
import { after, before, suite, test } from 'node:test';
import { send } from '../../runtime/mcp/rpc.ts';
import { type ConformanceServer, startConformanceServer } from './server.ts';

// Values that JSON can carry and that much of what stands behind it cannot: they go into every
// place of the whole server, its store among them, and none of it breaks.

const values: Readonly<Record<string, string>> = {
  'a lone surrogate': '"\\ud800"',
  'lone surrogates as names': '{"\\ud800":{"\\udc00":1}}',
  'the character NUL': '"\\u0000"',
  'a name with NUL': '{"\\u0000":1}',
  'a number beyond the largest': '1e400',
  'such a number inside': '[[[-1e999]]]',
  'minus zero': '-0',
  'an integer that is not safe': '9007199254740993',
  'a member called __proto__': '{"__proto__":{"constructor":{"prototype":{"x":1}}}}',
  'a long text': JSON.stringify('x'.repeat(200_000)),
  'many members': `{${Array.from({ length: 5000 }, (_, index) => `"k${index}":${index}`).join()}}`,
  'much depth': `${'['.repeat(100)}${']'.repeat(100)}`,
};

const version = '2026-07-28';
const capabilities =
  '{"elicitation":{},"sampling":{},"roots":{},"extensions":{"io.modelcontextprotocol/tasks":{}}}';
const meta = `{"io.modelcontextprotocol/protocolVersion":"${version}","io.modelcontextprotocol/clientCapabilities":${capabilities}}`;

/** Tools with arguments in which `@` is the place of the value. */
const calls: readonly (readonly [tool: string, args: string])[] = [
  ['greet', '{"name":@}'],
  ['json_schema_2020_12_tool', '{"phone":@,"address":@}'],
  ['test_custom_headers', '{"note":@}'],
  ['test_input_required_result_request_state', '{"x":@}'],
  ['slow_compute', '{"seconds":0,"label":@}'],
  ['slow_compute', '{"seconds":0,"x":@}'],
  ['slow_compute', '{"seconds":@}'],
  ['confirm_delete', '{"filename":"f","x":@}'],
  ['test_tool_with_task', '{"x":@}'],
  ['service_status', '{"x":@}'],
];

const others: readonly (readonly [method: string, params: string])[] = [
  ['tools/list', '"cursor":@'],
  ['resources/read', '"uri":@'],
  ['prompts/get', '"name":"test_prompt_with_arguments","arguments":{"arg1":@,"arg2":@}'],
  ['prompts/get', '"name":@'],
  [
    'completion/complete',
    '"ref":{"type":"ref/prompt","name":"test_prompt_with_arguments"},"argument":{"name":"arg1","value":@}',
  ],
  ['tasks/get', '"taskId":@'],
  ['tasks/update', '"taskId":@,"inputResponses":@'],
  ['tasks/cancel', '"taskId":@'],
];

suite('hostile values', () => {
  let server: ConformanceServer;
  before(async () => {
    server = await startConformanceServer();
  });
  after(() => server.close());

  async function ask(method: string, params: string, name: string): Promise<string> {
    const body = `{"jsonrpc":"2.0","id":1,"method":"${method}","params":{${params},"_meta":${meta}}}`;
    const { status, text } = await send(server.url, body, {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': version,
      'mcp-method': method,
      'mcp-name': name,
    });
    assert.ok(status < 500, `${status}: ${text.slice(0, 300)}`);
    assert.doesNotMatch(text, /-32603/, `${method} ${params.slice(0, 200)}: ${text.slice(0, 300)}`);
    return text;
  }

  for (const [what, value] of Object.entries(values)) {
    test(`${what}: in arguments`, async () => {
      for (const [tool, template] of calls) {
        const args = template.replaceAll('@', () => value);
        const text = await ask('tools/call', `"name":"${tool}","arguments":${args}`, tool);
        const taskId = /"taskId":"([^"]+)"/.exec(text)?.[1];
        if (taskId === undefined) continue;
        const answer = `{"confirm":{"action":"accept","content":{"confirm":${value}}}}`;
        await ask('tasks/update', `"taskId":"${taskId}","inputResponses":${answer}`, taskId);
        const task = await ask('tasks/get', `"taskId":"${taskId}"`, taskId);
        assert.doesNotMatch(task, /"status":"failed"/);
      }
    });

    test(`${what}: in parameters`, async () => {
      for (const [method, template] of others) {
        const params = template.replaceAll('@', () => value);
        await ask(method, params, headerFor(params));
      }
    });
  }

  test('afterwards the server answers as before', async () => {
    const text = await ask('tools/call', '"name":"greet","arguments":{"name":"Ann"}', 'greet');
    assert.match(text, /Hello, Ann!/);
  });
});

/** What `Mcp-Name` has to say of the parameters; a head has no place for a long text. */
function headerFor(params: string): string {
  const { name, uri, taskId } = JSON.parse(`{${params}}`);
  const subject = String(name ?? uri ?? taskId ?? '').slice(0, 4000);
  return `=?base64?${Buffer.from(subject).toString('base64')}?=`;
}
