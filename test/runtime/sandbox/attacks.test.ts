import assert from 'node:assert/strict';
import { suite, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { failure, returned, scripts } from './try-script.ts';

// Everything here is what a hostile script would try. None of it may reach the server, outlive its
// run, or take more than a script may have.

const limits = {
  memoryBytes: 8 * 1024 * 1024,
  calls: 50,
  argumentCharacters: 5000,
  resultCharacters: 10_000,
  outputCharacters: 1000,
};
/** For scripts that end by themselves or by another limit, however slow the machine is. */
const run = scripts({ ...limits, cpuMs: 600_000 });
/** For scripts that would compute for ever. */
const runBriefly = scripts({ ...limits, cpuMs: 100 });

const escapes: readonly [name: string, code: string, value: unknown][] = [
  [
    'constructor of a constructor',
    'return constructor.constructor("return typeof process")()',
    'undefined',
  ],
  [
    'constructor of a tool',
    'return tools.x.constructor("return typeof process + typeof require + typeof module")()',
    'undefinedundefinedundefined',
  ],
  [
    'constructor of what a call gives',
    'const p = tools.x(); const F = p.constructor.constructor; await p; return F("return typeof process")()',
    'undefined',
  ],
  [
    'constructor of an error of a tool',
    'try { await tools.fail() } catch (e) { return e.constructor.constructor("return typeof process")() }',
    'undefined',
  ],
  [
    'constructor of console.log',
    'return console.log.constructor("return typeof process")()',
    'undefined',
  ],
  ['eval', 'return eval("typeof process")', 'undefined'],
  ['indirect eval', 'return (0, eval)("Object.keys(globalThis).includes(`process`)")', false],
  [
    'async function constructor',
    'return (async () => {}).constructor("return typeof process")()',
    'undefined',
  ],
  [
    'generator constructor',
    'return (function* () {}).constructor("yield typeof process")().next().value',
    'undefined',
  ],
  ['WebAssembly', 'return typeof WebAssembly', 'undefined'],
  [
    'names of hosts',
    'return ["process", "require", "module", "Buffer", "fetch", "XMLHttpRequest", "WebSocket", "Worker", "Deno", "Bun", "std", "os", "scriptArgs", "print", "setTimeout", "setInterval", "importScripts", "navigator", "bjson"].filter((name) => name in globalThis)',
    [],
  ],
  [
    'stack traces name no file of the server',
    'try { await tools.fail() } catch (e) { return /node_modules|\\/runtime\\/|file:|node:/.test(e.stack) }',
    false,
  ],
  [
    'prepareStackTrace sees no frames of the server',
    'let seen = ""; Error.prepareStackTrace = (_, frames) => { seen = String(frames) }; try { null.x } catch (e) { e.stack } return /node_modules|runtime|node:/.test(seen)',
    false,
  ],
  [
    'arguments.callee.caller',
    'return new Function("return typeof arguments.callee.caller")()',
    'undefined',
  ],
  ['this of a function', 'return (function () { return this === undefined })()', true],
  [
    'replacing tools',
    'try { globalThis.tools = { x: () => 1 } } catch {} return (await tools.x()).tool',
    'x',
  ],
  [
    'a tool called like a property of every object',
    'return (await Promise.all(["constructor", "__proto__", "toString", "hasOwnProperty"].map((n) => tools[n]()))).map((a) => a.tool)',
    ['constructor', '__proto__', 'toString', 'hasOwnProperty'],
  ],
  ['tools is no promise', 'return (await tools) === tools', true],
];
suite('nothing of the host can be reached', () => {
  for (const [name, code, value] of escapes) {
    test(name, async () => assert.deepEqual(returned(await run(code)), value));
  }
});

const tampering: readonly string[] = [
  'JSON.stringify = () => "{\\"evil\\":1}"; JSON.parse = () => ({ evil: 1 }); return (await tools.x({ a: 1 })).args',
  'Object.prototype.then = function (f) { f("evil") }; try { return (await tools.x({ a: 1 })).args } finally { delete Object.prototype.then }',
  'Promise.prototype.then = () => {}; return { a: 1 }',
  'Object.assign = () => { throw 1 }; Map.prototype.get = () => undefined; return { a: 1 }',
  'Array.prototype.map = () => ["evil"]; console.log("x"); return { a: 1 }',
  'Object.defineProperty(Object.prototype, "toJSON", { value: () => "evil", configurable: true }); return { a: 1 }',
  'globalThis.Promise = class { constructor() { throw 1 } }; return { a: 1 }',
  'globalThis.Error = undefined; Function.prototype.call = null; Function.prototype.apply = null; return { a: 1 }',
];
suite('a script that changes the language under it harms itself alone', () => {
  for (const code of tampering) {
    test(code, async () => {
      await run(code);
      assert.deepEqual(returned(await run('return (await tools.x({ a: 1 })).args')), { a: 1 });
    });
  }
});

test('a run sees nothing of the run before it', async () => {
  await run(
    'globalThis.left = 1; Object.prototype.left = 2; Array.prototype.push = null; tools.left = 3',
  );
  const code = 'return [typeof left, typeof ({}).left, typeof [].push, (await tools.left()).tool]';
  assert.deepEqual(returned(await run(code)), ['undefined', 'undefined', 'function', 'left']);
});

const endless: readonly [name: string, code: string][] = [
  ['an endless loop', 'for (;;);'],
  ['an endless loop in finally', 'try { for (;;); } finally { for (;;); }'],
  ['an endless loop in a getter of the result', 'return { get a() { for (;;); } }'],
  ['an endless loop in toJSON of arguments', 'await tools.x({ toJSON() { for (;;); } })'],
  [
    'an endless loop in the message of an error',
    'throw { toString() { for (;;); }, toJSON() { for (;;); } }',
  ],
  ['an endless loop in a proxy', 'return new Proxy({}, { ownKeys() { for (;;); } })'],
  ['an endless chain of promises', 'for (;;) await 1'],
  ['a chain of promises beside the script', '(async () => { for (;;) await 1 })(); return 1'],
  ['a regular expression that backtracks', 'return /^(a+)+$/.test("a".repeat(40) + "!")'],
  ['a regular expression that backtracks otherwise', 'return /(x+x+)+y/.exec("x".repeat(60))'],
  ['a native loop that nothing interrupts', 'return new Array(2 ** 32 - 1).join("x")'],
  [
    'a search through an array of holes',
    'const a = []; a.length = 2 ** 32 - 1; return a.lastIndexOf(1)',
  ],
  [
    'promises without end',
    'const f = () => { Promise.resolve().then(f); Promise.resolve().then(f) }; f(); await new Promise(() => {})',
  ],
];
suite('what computes too long is stopped, and the next script runs', () => {
  for (const [name, code] of endless) {
    test(name, async () => {
      assert.match(failure(await runBriefly(code)).message, /computed for longer than 100 ms/);
      assert.equal(returned(await inTime('return (await tools.x()).tool')), 'x');
    });
  }
});

/** Run a short script again where a slow machine has let it compute for too long. */
async function inTime(code: string) {
  const end = await runBriefly(code);
  if (end.kind !== 'failed' || !/computed for longer/.test(end.failure.message)) return end;
  return inTime(code);
}

const floods: readonly [name: string, code: string][] = [
  [
    'an endless iterator',
    'return [...{ *[Symbol.iterator]() { for (;;) yield undefined; } }].length',
  ],
  ['recursion', 'const f = () => f() + 1; return f()'],
  ['recursion through toString', 'const o = { toString() { return String(o) } }; return String(o)'],
  ['recursion through JSON', 'const o = { toJSON() { return JSON.stringify(o) } }; return o'],
  ['nested brackets in JSON', 'return JSON.parse("[".repeat(1e6))'],
  ['nested brackets in a program', 'return eval("[".repeat(1e5) + "]".repeat(1e5))'],
  [
    'groups in a regular expression',
    'return new RegExp("(?:".repeat(1e5) + ")".repeat(1e5)).test("")',
  ],
  [
    'nested arrays made flat',
    'let a = []; for (let i = 0; i < 1e5; i++) a = [a]; return a.flat(Infinity)',
  ],
  ['a deep result', 'let a = 1; for (let i = 0; i < 5e3; i++) a = [a]; return a'],
  ['many proxies', 'let p = {}; for (let i = 0; i < 1e5; i++) p = new Proxy(p, {}); return p.x'],
  ['an array that grows', 'const a = []; for (;;) a.push(new Array(1000).fill(1.5))'],
  ['a string that doubles', 'let s = "ab"; for (;;) s += s'],
  ['a long string', 'return "x".repeat(2 ** 29)'],
  ['a long buffer', 'return new ArrayBuffer(2 ** 30).byteLength'],
  ['a filled array', 'return new Array(2 ** 32 - 1).fill(0).length'],
  ['a large integer', 'let x = 3n; for (;;) x *= x'],
  ['a result that is too long', 'return "x".repeat(10_001)'],
  ['arguments that are too long', 'await tools.x({ a: "x".repeat(5000) })'],
  ['more calls than allowed', 'for (;;) await tools.x()'],
  [
    'more calls than allowed, all at once',
    'await Promise.all(Array.from({ length: 500 }, () => tools.x()))',
  ],
  [
    'waiting on shared memory',
    'return Atomics.wait(new Int32Array(new SharedArrayBuffer(8)), 0, 0, 1e6)',
  ],
];
suite('what takes too much is stopped, and the next script runs', () => {
  for (const [name, code] of floods) {
    test(name, async () => {
      assert.equal(typeof failure(await run(code)).message, 'string');
      assert.equal(returned(await run('return (await tools.x()).tool')), 'x');
    });
  }
});

test('each limit is named when it is reached', async () => {
  const named: readonly [string, RegExp][] = [
    ['const a = []; for (;;) a.push([1])', /more than 8388608 bytes of memory/],
    ['return "x".repeat(10_001)', /more than 10000 characters/],
    ['for (;;) await tools.x()', /may call tools 50 times/],
    ['await tools.x({ a: "x".repeat(5000) })', /arguments of this call are too long/],
  ];
  for (const [code, message] of named) assert.match(failure(await run(code)).message, message);
});

test('thousands of calls never leave the thread', async () => {
  let calls = 0;
  const host = {
    async call() {
      calls += 1;
      return { ok: true, text: 'null' };
    },
  };
  const code =
    'let n = 0; for (let i = 0; i < 5000; i++) try { await tools.x() } catch { n++ } return n';
  assert.equal(returned(await run(code, host)), 4950);
  assert.equal(calls, 50);
});

test('output is cut where it becomes too long', async () => {
  const { output } = await run(
    'for (let i = 0; i < 1e4; i++) console.log("0123456789".repeat(20))',
  );
  assert.ok(output.join('').length < 1100, String(output.join('').length));
  assert.match(output.at(-1) ?? '', /\[output cut\]$/);
  const empty = await run('for (let i = 0; i < 1e4; i++) console.log("")');
  assert.ok(empty.output.length <= 1000);
});

test('others are answered while scripts loop, hang and eat', async () => {
  const hostile = [
    'for (;;);',
    'return new Array(2 ** 32 - 1).join("x")',
    'for (let a = []; ; a.push([1])) if (a.length > 1e4) a = []',
  ];
  // The last one stays free for others.
  const many = scripts({ ...limits, cpuMs: 600_000 }, hostile.length + 1);
  let begun = 0;
  const host = {
    async call() {
      begun += 1;
      return { ok: true, text: 'null' };
    },
  };
  const enough = new AbortController();
  let ended = 0;
  const running = hostile.map(async (code) => {
    await assert.rejects(many(`await tools.begin(); ${code}`, host, enough.signal), /enough/);
    ended += 1;
  });
  while (begun < hostile.length) await nextTurn();
  for (let turns = 0; turns < 1000; turns++) await nextTurn();
  assert.equal(ended, 0);
  enough.abort(new Error('enough'));
  await Promise.all(running);
});
