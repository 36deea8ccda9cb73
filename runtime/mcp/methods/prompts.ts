import { isObject } from '#contract/json';
import { didYouMean } from '#contract/nearest-name';
import type { TemplateValues } from '#contract/resource';
import type { OfferedPrompt, Prompts } from '../../offer/prompts.ts';
import { type Outcome, rejected } from '../outcome/outcome.ts';
import { bindingOf, Dialogue } from '../request/dialogue.ts';
import type { Method } from '../request/method.ts';
import { errorCode } from '../wire/json-rpc.ts';
import { checkCursor, pageOutcome, withoutAccess } from './cursor.ts';

/** List the prompts. */
export function promptsList(prompts: Prompts): Method {
  return {
    check: checkCursor,
    async run({ cursor }, { caller: { scopes } }) {
      return pageOutcome(
        'prompts',
        await prompts.page(cursor as string | undefined, scopes),
        withoutAccess,
      );
    },
  };
}

/** Fill in a prompt. */
export function promptsGet(prompts: Prompts, dialogue: Dialogue): Method {
  return {
    subject: 'name',
    check({ name, arguments: args, ...rest }) {
      if (typeof name !== 'string') return '"name" must be a string';
      const isGood =
        args === undefined ||
        (isObject(args) && Object.values(args).every((value) => typeof value === 'string'));
      return isGood ? Dialogue.check(rest) : '"arguments" must be an object of strings';
    },
    async run(params, call): Promise<Outcome> {
      const name = String(params['name']);
      const prompt = prompts.find(name);
      if (!prompt) return unknownPrompt(name, prompts.names);
      // Checked with the parameters.
      const args = (params['arguments'] ?? {}) as TemplateValues;
      const problem = problemWith(prompt, args);
      if (problem !== undefined) return rejected(errorCode.invalidParams, problem);
      const binding = () => bindingOf('prompts/get', [name, args], call);
      const refusal = dialogue.open(binding, params, call);
      if (refusal) return refusal;
      try {
        return { kind: 'complete', result: await prompt.run(args, call) };
      } catch (error) {
        return dialogue.outcomeOf(error, binding, call);
      }
    },
  };
}

function problemWith({ definition }: OfferedPrompt, args: TemplateValues): string | undefined {
  const known = definition.arguments ?? [];
  const missing = known.find(({ name, required }) => required && args[name] === undefined);
  if (missing) return `the prompt ${definition.name} needs the argument "${missing.name}"`;
  const unknown = Object.keys(args).find((given) => known.every(({ name }) => name !== given));
  return unknown === undefined
    ? undefined
    : `the prompt ${definition.name} has no argument ${JSON.stringify(unknown.slice(0, 64))}`;
}

function unknownPrompt(name: string, names: Iterable<string>): Outcome {
  const text = `there is no prompt called ${JSON.stringify(name.slice(0, 128))}${didYouMean(name, names)}`;
  return rejected(errorCode.invalidParams, text);
}
