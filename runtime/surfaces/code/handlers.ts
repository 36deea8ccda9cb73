import { ToolError } from '#contract/errors';
import type { OfferedTools } from '#contract/house/offered-tools';
import type { ScriptEnd, ScriptSandbox } from '#contract/house/sandbox';
import { mostLevels, nestedDeeperThan } from '#contract/json';
import { fit, jsonBytes } from '#contract/text/fit';
import { excessOfJson } from '#contract/text/json-size';
import { structuredResult } from '#contract/text/tool-result';
import type { ToolResult } from '#contract/tool';
import type { CodeTools } from '../../../generated/surfaces/code/tools.ts';
import { hostFor, type ScriptTools } from './script-host.ts';
import { signatureOf } from './signature.ts';

export interface CodeDependencies {
  readonly sandbox: Pick<ScriptSandbox, 'run' | 'warm' | 'limits'>;
  readonly tools: ScriptTools & Pick<OfferedTools, 'search'>;
}

const defaultLimit = 5;

const note =
  'The script returned nothing; what it should give back has to be returned and awaited.';

/** Bytes of the JSON text that a model reads of a script. */
const mostBytes = 24_000;
const cut = 'The result was too long and was cut; return less of it.';

/** Whose data a script gives back. */
const title = 'the tools that a script called';

/** What the tools of this surface do. */
export function createCodeHandlers({ sandbox, tools }: CodeDependencies): CodeTools {
  return {
    async apiSearch({ query, limit = defaultLimit }, { caller }) {
      const [found] = await Promise.all([tools.search(query, { limit, caller }), sandbox.warm()]);
      const functions = found.map((definition) => {
        const { name, description: purpose, confirm, task } = definition;
        const direct = confirm !== undefined || task === 'required';
        return { name, purpose, signature: signatureOf(definition), ...(direct && { direct }) };
      });
      return { functions };
    },
    async apiRun({ code }, context) {
      const host = hostFor(tools, context, sandbox.limits.answerCharacters);
      const { tenant, subject, client } = context.caller;
      const owner = JSON.stringify([tenant, subject, client]);
      const end = await sandbox.run(code, host, context.signal, owner);
      return resultOf(end, host.isUntrusted);
    },
  };
}

/** What came of a script; what third parties wrote may stand anywhere in it. */
function resultOf(end: ScriptEnd, untrusted: boolean): ToolResult {
  const output = end.output.length > 0 ? { output: [...end.output] } : {};
  if (end.kind === 'returned') {
    const value = fitted({ result: readResult(end.text), ...(end.isVoid && { note }), ...output });
    return structuredResult({ value, text: JSON.stringify(value) }, { untrusted, title });
  }
  const { message, line, error } = end.failure;
  const details = { ...(line !== undefined && { line }), ...(error && { error }), ...output };
  const place = line === undefined ? '' : ` (line ${line})`;
  throw new ToolError('script_failed', `${message}${place}`, {
    retryable: false,
    ...(Object.keys(details).length > 0 && { details }),
    untrusted,
  });
}

/** What was printed has a limit of its own, of which here as much is left as the result needs not. */
function fitted(value: Returned): Readonly<Record<string, unknown>> {
  if (jsonBytes(value, mostBytes) <= mostBytes) return value;
  const { result, ...others } = value;
  const kept = fit(others, mostBytes / 2);
  const room = mostBytes - jsonBytes(kept) - jsonBytes(cut) - 100;
  return { ...(kept as object), result: fit(result, room), note: cut, truncated: true };
}

interface Returned {
  readonly result: unknown;
  readonly [name: string]: unknown;
}

/** A script may have written this text itself. */
function readResult(text: string): unknown {
  const excess = excessOfJson(text);
  if (excess !== undefined) throw unreadable(`the JSON text of the result ${excess}`);
  const value: unknown = JSON.parse(text);
  if (nestedDeeperThan(value, mostLevels)) throw unreadable('the result is nested too deeply');
  return value;
}

function unreadable(message: string): ToolError {
  return new ToolError('script_failed', message, { retryable: false });
}
