import { after } from 'node:test';
import type { ScriptEnd, ScriptHost, ScriptLimits } from '#contract/house/sandbox';
import { Sandbox } from '../../../runtime/sandbox/sandbox.ts';

/** Gives back what it was called with; `fail` fails, `never` answers when it is stopped. */
export const echoHost: ScriptHost = {
  async call(tool, text, signal) {
    if (tool === 'fail') return { ok: false, text: '{"code":"not_found","message":"none here"}' };
    if (tool === 'never') {
      await new Promise((resolve) => signal.addEventListener('abort', resolve));
    }
    return { ok: true, text: `{"tool":${JSON.stringify(tool)},"args":${text}}` };
  },
};

/** Make a sandbox for the tests of one file; gives what runs a script in it. */
export function scripts(limits: Partial<ScriptLimits> = {}, threads = 1) {
  const sandbox = new Sandbox({ threads, limits });
  after(() => sandbox.close());
  return (code: string, host = echoHost, signal = new AbortController().signal) =>
    sandbox.run(code, host, signal);
}

/** What a script returned; with it the test fails where there was nothing. */
export function returned(end: ScriptEnd): unknown {
  if (end.kind === 'returned') return JSON.parse(end.text);
  throw new Error(`the script failed: ${end.failure.message}`);
}

/** Why a script failed. */
export function failure(end: ScriptEnd) {
  if (end.kind === 'failed') return end.failure;
  throw new Error(`the script returned ${end.text.slice(0, 200)}`);
}
