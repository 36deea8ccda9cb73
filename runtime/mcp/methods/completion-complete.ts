import { isObject } from '#contract/json';
import type { Complete, TemplateValues } from '#contract/resource';
import { lackedScopes } from '../../offer/lacked-scopes.ts';
import type { Prompts } from '../../offer/prompts.ts';
import type { Resources } from '../../offer/resources.ts';
import { type Outcome, rejected } from '../outcome/outcome.ts';
import type { Method } from '../request/method.ts';
import { errorCode, type Params } from '../wire/json-rpc.ts';

const mostValues = 100;

/** Suggest values for an argument of a prompt or of a resource template. */
export function completionComplete(prompts: Prompts, resources: Resources): Method {
  return {
    check,
    async run({ ref, argument, context }, call): Promise<Outcome> {
      const { type, name, uri } = ref as Record<string, string>;
      const found =
        type === 'ref/prompt' ? prompts.find(String(name)) : resources.template(String(uri));
      // Who may not use it is told no more of it than that it is not there, as in the lists.
      const isSeen = found && lackedScopes(found.definition.access, call.caller.scopes);
      if (!found || !isSeen) {
        const text = `there is no ${type} ${JSON.stringify(String(name ?? uri).slice(0, 200))}`;
        return rejected(errorCode.invalidParams, text);
      }
      const { name: of, value } = argument as { name: string; value: string };
      const settled =
        isObject(context) && isObject(context['arguments']) ? context['arguments'] : {};
      const suggest: Complete = found.complete ?? (async () => []);
      const values = await suggest(of, value, settled as TemplateValues, call);
      const completion = {
        values: values.slice(0, mostValues),
        total: values.length,
        hasMore: values.length > mostValues,
      };
      return { kind: 'complete', result: { completion } };
    },
  };
}

function check({ ref, argument, context }: Params): string | undefined {
  if (!isObject(ref)) return '"ref" must be an object';
  const { type, name, uri } = ref;
  const isNamed = type === 'ref/prompt' && typeof name === 'string';
  const isLocated = type === 'ref/resource' && typeof uri === 'string';
  if (!isNamed && !isLocated) {
    return '"ref" must be {"type":"ref/prompt","name":...} or {"type":"ref/resource","uri":...}';
  }
  if (
    !isObject(argument) ||
    typeof argument['name'] !== 'string' ||
    typeof argument['value'] !== 'string'
  ) {
    return '"argument" must have the strings "name" and "value"';
  }
  const settled = isObject(context) ? context['arguments'] : undefined;
  const isGood =
    context === undefined ||
    (isObject(context) &&
      (settled === undefined ||
        (isObject(settled) && Object.values(settled).every((value) => typeof value === 'string'))));
  return isGood ? undefined : '"context.arguments" must be an object of strings';
}
