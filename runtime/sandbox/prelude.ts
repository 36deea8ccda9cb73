/**
 * The inside of the sandbox: what a script finds besides the language. It runs in the interpreter,
 * so a script that changes the language under it harms nobody but itself: every limit is held
 * outside, by the thread.
 *
 * Gives `begin(start)`, which runs a compiled script, `settle(id, ok, text)`, which answers a call, and
 * `lost()`, which tells of a failed call that the script never looked at.
 */
export const prelude = `(host) => {
  'use strict';
  const { call, print, returned, failed } = host;
  const { parse, stringify } = JSON;
  const waiting = new Map();

  class ToolError extends Error {
    get name() { return 'ToolError'; }
  }

  const unseen = new Map();
  const plainThen = Promise.prototype.then;

  // What a script awaits or handles has its then called, as it is no plain promise.
  class Call extends Promise {
    static get [Symbol.species]() { return Promise; }

    constructor(start) {
      super(start);
      this.seen = false;
      plainThen.call(this, undefined, (error) => { if (!this.seen) unseen.set(this, error); });
    }

    then(onValue, onError) {
      this.seen = true;
      unseen.delete(this);
      return new Call((resolve, reject) => {
        plainThen.call(this, onValue, onError).then(resolve, reject);
      });
    }
  }

  const lost = () => {
    for (const error of unseen.values()) return explain(error, 'a call that was not awaited failed: ');
  };

  const callTool = (tool, args = {}) => new Call((resolve, reject) => {
    const failure = new ToolError();
    const text = stringify(args);
    if (text === undefined) throw new TypeError('the arguments of ' + tool + ' must be an object');
    const id = call(tool, text);
    waiting.set(id, { resolve, reject, failure });
  });

  const settle = (id, ok, text) => {
    const { resolve, reject, failure } = waiting.get(id);
    waiting.delete(id);
    const value = parse(text);
    if (ok) resolve(value);
    else reject(Object.assign(failure, value));
  };

  const shown = (value) => {
    if (typeof value === 'string') return value;
    if (value instanceof Error) return String(value);
    try {
      return stringify(value) ?? String(value);
    } catch {
      return String(value);
    }
  };

  const explain = (error, before = '') => {
    try {
      const isError = error instanceof Error;
      const message = isError ? error.name + ': ' + error.message : 'thrown: ' + shown(error);
      const { code, retryable, retryAfterMs } = error instanceof ToolError ? error : {};
      return stringify({ code, retryable, retryAfterMs, message: before + message, stack: isError ? String(error.stack) : '' });
    } catch {
      return stringify({ message: 'an error that cannot be shown', stack: '' });
    }
  };

  const begin = (start) => {
    const run = async () => {
      let value = await start();
      if (typeof value === 'function') value = await value();
      returned(stringify(value) ?? 'null', value === undefined);
    };
    run().then(undefined, (error) => failed(explain(error)));
  };

  const line = (...values) => print(values.map(shown).join(' '));
  const define = (name, value) => Object.defineProperty(globalThis, name, { value });
  define('console', Object.freeze({ log: line, info: line, warn: line, error: line, debug: line }));
  define('ToolError', ToolError);
  define('tools', new Proxy(Object.freeze(Object.create(null)), {
    get: (_, name) => typeof name === 'symbol' || name === 'then' ? undefined : (args) => callTool(name, args),
  }));
  return { begin, settle, lost };
}`;
