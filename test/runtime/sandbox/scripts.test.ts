import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { echoHost, failure, returned, scripts } from './try-script.ts';

const run = scripts({ calls: 20, callsAtOnce: 3, cpuMs: 600_000 });

const values: readonly [code: string, value: unknown][] = [
  ['return 1 + 1', 2],
  ['1 + 1', 2],
  ['await tools.a({ b: 1 });', { tool: 'a', args: { b: 1 } }],
  ['async () => (await tools.a()).tool', 'a'],
  ['() => ({ a: 1 })', { a: 1 }],
  ['// a comment\nreturn "x" // and another', 'x'],
  ['const { args } = await tools["a-b"]({ list: [1] }); return args', { list: [1] }],
  [
    'const all = await Promise.all([1, 2, 3, 4, 5].map((n) => tools.t({ n }))); return all.map((a) => a.args.n)',
    [1, 2, 3, 4, 5],
  ],
  ['let x = 1', null],
  ['async () => { return 1 }; // done', 1],
  ['(async () => { return 7 })();\n// the end\n/* of it */ ;', 7],
  ['"http://a" // b // c', 'http://a'],
  ['(() => "a;//b")(); // run', 'a;//b'],
  ['tools.fail().catch(() => {}); return 1', 1],
  ['const late = tools.fail(); await tools.a(); try { await late } catch { return 2 }', 2],
  ['return (await Promise.allSettled([tools.fail(), tools.fail()])).length', 2],
  ['return await Promise.race([tools.a(), tools.fail()]) && 3', 3],
  ['try { await tools.fail().finally(() => {}) } catch { return 4 }', 4],
  ['return tools.a() instanceof Promise', true],
  ['return tools.a().then(({ tool }) => tool)', 'a'],
  [
    'return [NaN, -0, Infinity, undefined, () => 1, Symbol("s"), new Date(0)]',
    [null, 0, null, null, null, null, '1970-01-01T00:00:00.000Z'],
  ],
  ['return "\\ud800 \\0 \\u2028 😀"', '\ud800 \0 \u2028 😀'],
  ['return (await tools.a({ text: "\\ud800\\0" })).args.text', '\ud800\0'],
  ['return JSON.parse(`{"__proto__": {"x": 1}}`)', JSON.parse('{"__proto__": {"x": 1}}')],
  ['return { toJSON: () => "mine" }', 'mine'],
  ['return new Map([[1, 2]])', {}],
  [
    'try { await tools.fail() } catch (e) { return [e.name, e.code, e.message, e instanceof ToolError, e instanceof Error] }',
    ['ToolError', 'not_found', 'none here', true, true],
  ],
];
suite('what a script returns comes back as JSON', () => {
  for (const [code, value] of values) {
    test(code, async () => assert.deepEqual(returned(await run(code)), value));
  }
});

const failures: readonly [code: string, message: RegExp, line?: number][] = [
  ['let a = 1;\nlet b = ;', /^SyntaxError/, 2],
  ['let a = 1;\nif (a) {', /^SyntaxError/, 2],
  ['let a = 1;\n\nnull.x', /^TypeError/, 3],
  ['\nthrow new RangeError("no")', /^RangeError: no$/, 2],
  ['throw "text"', /^thrown: text$/],
  ['throw null', /^thrown: null$/],
  ['let a = 1;\nawait tools.fail()', /^ToolError: none here$/, 2],
  ['tools.fail();\nreturn "done"', /^a call that was not awaited failed: ToolError: none here/, 1],
  [
    'tools.a().then(() => { throw new Error("boom") }); return 1',
    /not awaited failed: Error: boom/,
  ],
  ['tools.fail().finally(() => {}); return 1', /not awaited failed: ToolError: none here/],
  ['(async () => { throw new Error("boom") })(); // run it', /^Error: boom$/],
  ['return 10n', /BigInt/],
  ['const a = {}; a.a = a; return a', /circular/],
  ['return { get a() { throw new Error("getter") } }', /^Error: getter$/],
  ['throw { get message() { throw 1 } }', /thrown/],
  [
    'class E extends Error { get stack() { throw 1 } get message() { throw 2 } }; throw new E()',
    /cannot be shown/,
  ],
  ['await tools.a(1n)', /BigInt/],
  ['await tools.a(() => 1)', /must be an object/],
  ['return new Promise(() => {})', /waits for something that never comes/],
  ['import("node:fs")', /Error/],
  ['return require("fs")', /require is not defined/],
  ['await fetch("http://127.0.0.1")', /fetch is not defined/],
  ['setTimeout(() => {}, 1)', /setTimeout is not defined/],
];
suite('a script that fails says why and where', () => {
  for (const [code, message, line] of failures) {
    test(code, async () => {
      const { message: said, line: at } = failure(await run(code));
      assert.match(said, message);
      if (line !== undefined) assert.equal(at, line);
    });
  }
});

test('what a script prints comes back, also when it fails', async () => {
  const end = await run(
    'console.log("a", { b: [1] }, 2n, null); console.error(new Error("c")); throw 1',
  );
  assert.equal(end.kind, 'failed');
  assert.deepEqual(end.output, ['a {"b":[1]} 2 null', 'Error: c']);
});

test('calls that nobody awaits are finished before the script is', async () => {
  const seen: string[] = [];
  const host = {
    ...echoHost,
    async call(tool: string, text: string) {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(tool);
      return { ok: true, text };
    },
  };
  const code =
    '[1, 2].forEach(async () => { await tools.first(); await tools.second() }); return 1';
  assert.equal(returned(await run(code, host)), 1);
  assert.deepEqual(seen, ['first', 'first', 'second', 'second']);
});

test('no more calls run at once than may, and the others wait', async () => {
  let running = 0;
  let most = 0;
  const host = {
    async call() {
      running += 1;
      most = Math.max(most, running);
      // As many as may run do run.
      while (most < 3) await new Promise((resolve) => setImmediate(resolve));
      running -= 1;
      return { ok: true, text: '1' };
    },
  };
  const code = 'return (await Promise.all(Array.from({ length: 12 }, () => tools.x()))).length';
  assert.equal(returned(await run(code, host)), 12);
  assert.equal(most, 3);
});

test('a script that is aborted stops the calls that it has begun', async () => {
  const controller = new AbortController();
  let stopped = false;
  const host = {
    async call(_tool: string, text: string, signal: AbortSignal) {
      signal.addEventListener('abort', () => {
        stopped = true;
      });
      controller.abort(new Error('the client left'));
      return { ok: true, text };
    },
  };
  const running = run('for (;;) await tools.x()', host, controller.signal);
  await assert.rejects(running, /the client left/);
  assert.ok(stopped);
  assert.equal(returned(await run('return 1')), 1);
});

test('a script that waits for its turn can be given up', async () => {
  const first = new AbortController();
  const second = new AbortController();
  const running = run('await tools.never()', echoHost, first.signal);
  const waiting = run('return 1', echoHost, second.signal);
  second.abort(new Error('no longer wanted'));
  await assert.rejects(waiting, /no longer wanted/);
  first.abort(new Error('enough'));
  await assert.rejects(running, /enough/);
  assert.equal(returned(await run('return 2')), 2);
});
