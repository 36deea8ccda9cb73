import release from '@jitl/quickjs-ng-wasmfile-release-sync';
import {
  newQuickJSWASMModuleFromVariant,
  newVariant,
  type QuickJSContext,
  type QuickJSHandle,
  type QuickJSRuntime,
  type QuickJSSyncVariant,
} from 'quickjs-emscripten-core';
import type { CallError, ScriptFailure, ScriptLimits } from '#contract/house/sandbox';
import { prelude } from './prelude.ts';
import { withoutEnds } from './without-ends.ts';

/** What a script reaches of the thread: three functions that take and give plain values. */
export interface Bridge {
  /** Begin a call; gives its id, or says why there is none. */
  call(tool: string, text: string): number | string;
  print(text: string): void;
  returned(text: string, isVoid: boolean): void;
  failed(failure: ScriptFailure): void;
}

// Its types are those of its CommonJS form.
const variant = release as unknown as QuickJSSyncVariant;

const scriptName = 'script.js';
const pageBytes = 65_536;
/** What the interpreter has before its first script. */
const initialPages = 256;
const jobsPerLook = 64;
/** Longer names are no names of tools. */
const longestName = 128;
const longestMessage = 2000;

/**
 * One interpreter for one script, in a WebAssembly memory of its own: nothing of a script can be
 * left for another one, whatever it does to its interpreter. It is never taken down, but dropped.
 */
export class Machine {
  readonly #runtime: QuickJSRuntime;
  readonly #context: QuickJSContext;
  readonly #limits: ScriptLimits;
  readonly #memory: WebAssembly.Memory;
  #bridge: Bridge | undefined;
  #begin: QuickJSHandle;
  #settle: QuickJSHandle;
  #lost: QuickJSHandle;
  #startedAt = 0;
  #spent = false;
  #failed = false;
  #lines = 1;

  private constructor(context: QuickJSContext, memory: WebAssembly.Memory, limits: ScriptLimits) {
    this.#memory = memory;
    this.#runtime = context.runtime;
    this.#context = context;
    this.#limits = limits;
    const inside = this.#call(this.#evaluate(prelude, 'sandbox.js'), [this.#host()]);
    this.#begin = context.getProp(inside, 'begin');
    this.#settle = context.getProp(inside, 'settle');
    this.#lost = context.getProp(inside, 'lost');
    this.#runtime.setInterruptHandler(() => this.#isSpent());
  }

  static async create(wasmModule: WebAssembly.Module, limits: ScriptLimits): Promise<Machine> {
    const maximum = initialPages + Math.ceil(limits.memoryBytes / pageBytes);
    const wasmMemory = new WebAssembly.Memory({ initial: initialPages, maximum });
    const silent: object = { print() {}, printErr() {} };
    const own = newVariant(variant, { wasmModule, wasmMemory, emscriptenModule: silent });
    const runtime = (await newQuickJSWASMModuleFromVariant(own)).newRuntime();
    runtime.setMemoryLimit(limits.memoryBytes);
    runtime.setMaxStackSize(limits.stackBytes);
    return new Machine(runtime.newContext(), wasmMemory, limits);
  }

  /** Begin the script; it has ended when the bridge hears so. */
  run(code: string, bridge: Bridge): void {
    this.#bridge = bridge;
    this.#startedAt = cpuMs();
    this.#lines = code.split('\n').length;
    this.#enter(() => this.#call(this.#begin, [this.#compile(code)]));
  }

  /** Tell the script what came of a call. */
  answer(id: number, ok: boolean, text: string): void {
    const { true: yes, false: no } = this.#context;
    this.#enter(() => {
      const given = [this.#context.newNumber(id), ok ? yes : no, this.#context.newString(text)];
      this.#call(this.#settle, given);
    });
  }

  /** Fail where a call failed that the script never looked at. */
  failIfLost(): void {
    this.#enter(() => {
      const text = this.#text(this.#call(this.#lost, []), this.#limits.resultCharacters);
      if (text !== undefined) this.#fail(this.#checked(failureOf(text)));
    });
  }

  /** Whether it has taken more memory than every interpreter begins with. */
  get hasGrown(): boolean {
    return this.#grownBytes > 0;
  }

  get #grownBytes(): number {
    return this.#memory.buffer.byteLength - initialPages * pageBytes;
  }

  #enter(work: () => void): void {
    if (this.#failed) return;
    try {
      work();
      while (this.#runtime.hasPendingJob() && !this.#failed) {
        if (this.#isSpent()) throw new Error('interrupted');
        const done = this.#runtime.executePendingJobs(jobsPerLook);
        if (done.error) throw this.#thrown(done.error);
      }
    } catch (error) {
      this.#fail(this.#explain(error));
    }
  }

  #fail(failure: ScriptFailure): void {
    this.#failed = true;
    const { line } = failure;
    // What wraps a script ends on a line of its own.
    const at = line === undefined ? {} : { line: Math.min(line, this.#lines) };
    this.#bridge?.failed({ ...failure, ...at });
  }

  #isSpent(): boolean {
    if (this.#bridge && cpuMs() - this.#startedAt > this.#limits.cpuMs) this.#spent = true;
    return this.#spent || this.#failed;
  }

  /** An expression, mostly a function, or the body of one. */
  #compile(code: string): QuickJSHandle {
    for (const expression of withoutEnds(code)) {
      const made = this.#context.evalCode(`(async () => (${expression}\n))`, scriptName);
      if (!made.error) return made.value;
      made.error.dispose();
    }
    return this.#evaluate(`(async () => {${code}\n})`, scriptName);
  }

  #evaluate(code: string, name: string): QuickJSHandle {
    const result = this.#context.evalCode(code, name, { type: 'global', strict: true });
    if (result.error) throw this.#thrown(result.error);
    return result.value;
  }

  #call(handle: QuickJSHandle, args: QuickJSHandle[]): QuickJSHandle {
    const result = this.#context.callFunction(handle, this.#context.undefined, args);
    if (result.error) throw this.#thrown(result.error);
    return result.value;
  }

  #host(): QuickJSHandle {
    const context = this.#context;
    const { argumentCharacters, outputCharacters, resultCharacters } = this.#limits;
    const host = context.newObject();
    const define = (name: string, run: (...args: QuickJSHandle[]) => QuickJSHandle | undefined) =>
      context.setProp(
        host,
        name,
        context.newFunction(name, (...args) => run(...args)),
      );

    define('call', (tool, text) => {
      const name = this.#text(tool, longestName);
      const given = this.#text(text, argumentCharacters);
      const id =
        name === undefined || given === undefined ? tooLong : this.#bridge?.call(name, given);
      if (typeof id === 'number') return context.newNumber(id);
      throw new RangeError(id);
    });
    define('print', (text) => {
      this.#bridge?.print(this.#text(text, outputCharacters) ?? '[a line that is too long]');
      return undefined;
    });
    define('returned', (text, isVoid) => {
      const nothing = isVoid !== undefined && context.dump(isVoid) === true;
      this.#return(this.#text(text, resultCharacters), nothing);
      return undefined;
    });
    define('failed', (text) => {
      this.#fail(this.#checked(failureOf(this.#text(text, resultCharacters))));
      return undefined;
    });
    return host;
  }

  #return(text: string | undefined, isVoid: boolean): void {
    const most = this.#limits.resultCharacters;
    const message = `the result has more than ${most} characters; return less of it`;
    if (text === undefined) this.#fail({ reason: 'limit', message });
    else this.#bridge?.returned(text, isVoid);
  }

  /** A string of the script; nothing where it is none, or longer than `most`. */
  #text(handle: QuickJSHandle | undefined, most: number): string | undefined {
    if (!handle || this.#context.typeof(handle) !== 'string') return undefined;
    const length = this.#context
      .getProp(handle, 'length')
      .consume((it) => this.#context.getNumber(it));
    return length <= most ? this.#context.getString(handle) : undefined;
  }

  /** What the script threw, as it stood before it could run again. */
  #thrown(handle: QuickJSHandle): Thrown {
    const part = (name: string) =>
      this.#context.getProp(handle, name).consume((it) => this.#text(it, longestMessage * 10));
    const [name, message, stack] = ['name', 'message', 'stack'].map(part);
    return new Thrown(name ?? 'Error', message ?? 'an error without a message', stack ?? '');
  }

  #explain(error: unknown): ScriptFailure {
    if (this.#spent) {
      const message = `the script computed for longer than ${this.#limits.cpuMs} ms and was stopped`;
      return { reason: 'limit', message };
    }
    if (!(error instanceof Thrown)) {
      // The stack of the thread ended before that of the interpreter.
      return { reason: 'limit', message: 'the script went too deep' };
    }
    return this.#checked(failureWith(`${error.name}: ${error.message}`, error.stack ?? ''));
  }

  /** An interpreter without memory has none for an error either, and throws null. */
  #checked(failure: ScriptFailure): ScriptFailure {
    const isFull = this.#grownBytes >= this.#limits.memoryBytes / 2;
    if (!isFull || !outOfMemory.has(failure.message)) return failure;
    const message = `the script needed more than ${this.#limits.memoryBytes} bytes of memory`;
    return { ...failure, reason: 'limit', message };
  }
}

const outOfMemory = new Set(['InternalError: out of memory', 'thrown: null']);

const tooLong = 'the arguments of this call are too long';

class Thrown extends Error {
  constructor(name: string, message: string, stack: string) {
    super(message);
    this.name = name;
    this.stack = stack;
  }
}

/** Read what the inside of the sandbox says; a script may have written it. */
function failureOf(text: string | undefined): ScriptFailure {
  try {
    const { message, stack, ...said } = JSON.parse(text ?? '');
    return { ...failureWith(String(message), String(stack)), ...callErrorIn(said) };
  } catch {
    return { reason: 'error', message: 'an error that cannot be shown' };
  }
}

function callErrorIn({ code, retryable, retryAfterMs }: Record<string, unknown>): {
  error?: CallError;
} {
  if (typeof code !== 'string' || !/^[a-z_]{1,64}$/.test(code)) return {};
  const waits = typeof retryAfterMs === 'number' && retryAfterMs >= 0;
  return {
    error: {
      code,
      ...(typeof retryable === 'boolean' && { retryable }),
      ...(waits && { retryAfterMs }),
    },
  };
}

function failureWith(message: string, stack: string): ScriptFailure {
  const line = Number(/script\.js:(\d{1,6})/.exec(stack)?.[1]);
  return {
    reason: 'error',
    message: message.slice(0, longestMessage),
    ...(line > 0 && { line }),
  };
}

/** What this thread has computed, in milliseconds. */
export function cpuMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}
