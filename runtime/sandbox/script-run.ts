import type { ScriptEnd, ScriptFailure, ScriptLimits } from '#contract/house/sandbox';
import type { Bridge, Machine } from './machine.ts';
import type { FromThread } from './messages.ts';

type Call = Extract<FromThread, { kind: 'call' }>;

const endless = 'the script waits for something that never comes';

/** One run of a script in its thread: counts what it uses, and ends once. */
export class ScriptRun implements Bridge {
  readonly #machine: Machine;
  readonly #limits: ScriptLimits;
  readonly #send: (message: FromThread) => void;
  readonly #onEnd: () => void;
  readonly #output: string[] = [];
  readonly #queue: Call[] = [];
  #printed = 0;
  #calls = 0;
  #running = 0;
  #result: { readonly text: string; readonly isVoid: boolean } | undefined;
  #hasEnded = false;

  constructor(
    machine: Machine,
    limits: ScriptLimits,
    send: (message: FromThread) => void,
    onEnd: () => void,
  ) {
    this.#machine = machine;
    this.#limits = limits;
    this.#send = send;
    this.#onEnd = onEnd;
  }

  begin(code: string): void {
    this.#machine.run(code, this);
    this.#look();
  }

  answer(id: number, ok: boolean, text: string): void {
    this.#running -= 1;
    const next = this.#queue.shift();
    if (next) this.#start(next);
    this.#machine.answer(id, ok, text);
    this.#look();
  }

  stop(): void {
    this.failed({ reason: 'limit', message: 'the script was stopped' });
  }

  call(tool: string, text: string): number | string {
    const { calls, callsAtOnce } = this.#limits;
    if (this.#hasEnded) return 'the script has ended';
    if (this.#calls === calls) return `a script may call tools ${calls} times`;
    this.#calls += 1;
    const call: Call = { kind: 'call', id: this.#calls, tool, text };
    if (this.#running < callsAtOnce) this.#start(call);
    else this.#queue.push(call);
    return call.id;
  }

  print(text: string): void {
    const room = this.#limits.outputCharacters - this.#printed;
    if (room <= 0) return;
    // A line costs something even when it is empty.
    this.#printed += text.length + 1;
    this.#output.push(text.length < room ? text : `${text.slice(0, room)} [output cut]`);
  }

  returned(text: string, isVoid: boolean): void {
    this.#result = { text, isVoid };
  }

  failed(failure: ScriptFailure): void {
    this.#end({ kind: 'failed', failure, output: this.#output });
  }

  #start(call: Call): void {
    this.#running += 1;
    this.#send(call);
  }

  /** The script is over once it has returned and no call that it began is still running. */
  #look(): void {
    if (this.#running > 0 || this.#hasEnded) return;
    this.#machine.failIfLost();
    const result = this.#result;
    if (result) this.#end({ kind: 'returned', ...result, output: this.#output });
    else this.failed({ reason: 'error', message: endless });
  }

  #end(end: ScriptEnd): void {
    if (this.#hasEnded) return;
    this.#hasEnded = true;
    this.#send({ kind: 'ended', end, hasGrown: this.#machine.hasGrown });
    this.#onEnd();
  }
}
