import assert from 'node:assert/strict';
import test from 'node:test';
import { errorReply } from '../../../../runtime/mcp/wire/reply.ts';
import { wellFormedJson } from '../../../../runtime/mcp/wire/well-formed.ts';
import { startInMemoryServer } from '../../in-memory-server.ts';
import { toolOf } from '../../in-memory-tools.ts';
import { legacy, type Message, modern, type RpcAnswer } from '../rpc.ts';
import { open, say } from '../sessions/session.ts';

// Half of a character is no Unicode: the client for Python, and whatever else reads JSON strictly,
// throws a message away that has one. Vendors send them, and cutting a text makes them.

const half = '\ud83d';
const anyHalf = /\\u[dD][89a-fA-F]/;

const tools = [
  toolOf(
    { name: 'test_halves', output: { type: 'object' }, description: `Cut here: ${half}` },
    async () => ({
      content: [{ type: 'text', text: `a${half}` }],
      structuredContent: { [`name${half}`]: [`${half}b`, '😀', String.raw`\ud83d`] },
    }),
  ),
];

const clients: readonly (readonly [string, (url: URL, message: Message) => Promise<RpcAnswer>])[] =
  [
    ['without sessions', modern],
    ['of the handshake era', legacy],
    ['with a session', async (url, message) => say(url, await open(url), message)],
  ];

for (const [name, ask] of clients) {
  test(`no half of a character reaches a client ${name}`, async (t) => {
    const url = await startInMemoryServer(t, {
      tools,
      ...(name.includes('with a session') && { sessions: {} }),
    });
    const all = async (message: Message) => {
      const { text, body } = await ask(url, message);
      assert.doesNotMatch(text.replaceAll(String.raw`\\`, ''), anyHalf);
      return body;
    };
    const { result } = await all({ method: 'tools/call', params: { name: 'test_halves' } });
    assert.deepEqual(result?.['structuredContent'], {
      'name\ufffd': ['\ufffdb', '😀', String.raw`\ud83d`],
    });
    assert.deepEqual(result?.['content'], [{ type: 'text', text: 'a\ufffd' }]);
    await all({ method: 'tools/list' });
    await all({ method: 'tools/call', params: { name: 'test_halves', arguments: { [half]: 1 } } });
  });
}

test('pairs, other escapes and texts that only look like one stay as they are', () => {
  for (const text of [
    String.raw`"\ud83d\ude00"`,
    String.raw`"\uD83D\uDE00"`,
    String.raw`"\\ud83d"`,
    String.raw`"\\\\ud83d \u001b \n"`,
    '"😀"',
  ]) {
    assert.equal(wellFormedJson(text), text);
  }
  const halves: readonly (readonly [string, string])[] = [
    [String.raw`"\ud83d"`, String.raw`"\ufffd"`],
    [String.raw`"\ude00\ud83d"`, String.raw`"\ufffd\ufffd"`],
    [String.raw`"\ud83d\ud83d\ude00"`, String.raw`"\ufffd\ud83d\ude00"`],
    [String.raw`"\\\ud83d"`, String.raw`"\\\ufffd"`],
    [String.raw`"\ud83dude00"`, String.raw`"\ufffdude00"`],
  ];
  for (const [text, clean] of halves) assert.equal(wellFormedJson(text), clean);
});

test('the id of a request goes back as it came, beside an error without halves (JSON-RPC 2.0, 5)', () => {
  const { body } = errorReply(400, { code: -32600, message: 'not \ud800 this' }, 'a\udc00b');
  const answer = JSON.parse(String(body));
  assert.deepEqual([answer.id, answer.error.message], ['a\udc00b', 'not \ufffd this']);
});
