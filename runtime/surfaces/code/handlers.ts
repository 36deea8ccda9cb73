import { ToolError } from '#contract/errors';
import { mostLevels, nestedDeeperThan } from '#contract/json';
import type { CodeTools } from '../../../generated/surfaces/code/tools.ts';
import type { Sandbox } from '../../sandbox/sandbox.ts';
import type { ToolSearch } from '../../search/tool-search.ts';
import { hostFor, type ScriptTools } from './script-host.ts';
import { signatureOf } from './signature.ts';

export interface CodeDependencies {
  readonly search: Pick<ToolSearch, 'search' | 'sources'>;
  readonly sandbox: Pick<Sandbox, 'run' | 'warm' | 'limits'>;
  readonly tools: ScriptTools;
}

const defaultLimit = 5;

/** What the tools of this surface do. */
export function createCodeHandlers({ search, sandbox, tools }: CodeDependencies): CodeTools {
  return {
    async apiSearch({ query, limit = defaultLimit }) {
      const [found] = await Promise.all([search.search(query, { limit }), sandbox.warm()]);
      const definitions = await Promise.all(found.map(({ tool }) => tools.definition(tool)));
      const known = definitions.filter((each) => each !== undefined);
      const functions = known.map((definition) => {
        const { name, description: purpose, confirm, task } = definition;
        const direct = confirm !== undefined || task === 'required';
        return { name, purpose, signature: signatureOf(definition), ...(direct && { direct }) };
      });
      return { functions };
    },
    async apiRun({ code }, context) {
      const host = hostFor(tools, context, sandbox.limits.answerCharacters);
      const end = await sandbox.run(code, host, context.signal);
      const output = end.output.length > 0 ? { output: [...end.output] } : {};
      if (end.kind === 'returned') return { result: resultOf(end.text), ...output };
      const { message, line } = end.failure;
      const place = line === undefined ? '' : ` (line ${line})`;
      throw new ToolError('script_failed', `${message}${place}`, {
        retryable: false,
        details: { ...(line !== undefined && { line }), ...output },
      });
    },
  };
}

/** A script may have written this text itself. */
function resultOf(text: string): unknown {
  const value: unknown = JSON.parse(text);
  if (!nestedDeeperThan(value, mostLevels)) return value;
  throw new ToolError('script_failed', 'the result is nested too deeply', { retryable: false });
}
