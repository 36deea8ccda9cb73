import type { ErrorObject, KeywordCxt, ValidateFunction } from 'ajv/dist/2020.js';
import { SchemaEnv } from 'ajv/dist/compile/index.js';
import { callRef } from 'ajv/dist/vocabularies/core/ref.js';
import { mostTogether } from '#contract/schema/members-together';
import { createDefinition, type Definition } from './lazy-definition.ts';

/** Some parts of a keyword, which are checked together. */
interface Group {
  readonly schema: Readonly<Record<string, unknown>>;
  /** The position in the whole list of what is first in its list. */
  readonly first: number;
  readonly validate: ValidateFunction;
}

/** Which members and items of a value a validator has looked at. */
type Evaluated = NonNullable<ValidateFunction['evaluated']>;

/** Whether a keyword has more parts than can be checked in one. */
export function hasMany(schema: unknown): boolean {
  return partCount(schema) > mostTogether;
}

function partCount(schema: unknown): number {
  // What takes any value fills the places before a group.
  if (Array.isArray(schema)) return schema.filter((each) => each !== true).length;
  return Object.keys(Object(schema)).length;
}

/** Checks the parts of a keyword in groups, each of which is compiled by itself. */
export function checkInGroups(
  context: KeywordCxt,
  compile: (schema: unknown) => ValidateFunction,
  validatorOf: (definition: Definition) => ValidateFunction,
): void {
  const { gen, it, keyword } = context;
  const groups = groupsOf(keyword, context.schema).map(({ first, part }): Group => {
    const schema = { [keyword]: part };
    const made = createDefinition(it.errSchemaPath, schema, () => compile(schema));
    return { schema, first, validate: validatorOf(made) };
  });
  const whole = { schema: context.schema as unknown, parentSchema: context.parentSchema };
  const place = `${it.errSchemaPath}/${keyword}`;
  const alone = new Map<number, ValidateFunction>();
  const fits = (index: number, data: unknown): boolean => {
    const part = (context.schema as readonly unknown[])[index];
    const validate = alone.get(index) ?? compile({ allOf: [part] });
    alone.set(index, validate);
    return validate(data);
  };
  const env = new SchemaEnv({ schema: true });
  // What no part looks at must not be said to be nothing: the compiler reads that as all.
  const parts = groups.map(({ validate }) => validate.evaluated as Evaluated);
  const dynamicProps = parts.some((each) => each.dynamicProps || each.props !== undefined);
  const dynamicItems = parts.some((each) => each.dynamicItems || each.items !== undefined);
  const tracks = it.opts.unevaluated === true && { dynamicProps, dynamicItems };
  const findsAll = it.allErrors === true;
  env.validate = checkOf(groups, { keyword, place, whole, fits, tracks, findsAll });
  callRef(context, gen.scopeValue('validate', { ref: env.validate }), env);
}

function groupsOf(keyword: string, schema: unknown): readonly { first: number; part: unknown }[] {
  const entries = Object.entries(Object(schema));
  const starts = Array.from(
    { length: Math.ceil(entries.length / mostTogether) },
    (_, index) => index * mostTogether,
  );
  return starts.map((first) => {
    const own = entries.slice(first, first + mostTogether);
    if (!Array.isArray(schema)) return { first, part: Object.fromEntries(own) };
    const parts = own.map(([, part]) => part);
    // Items are held to what stands at their own position.
    if (keyword !== 'prefixItems') return { first, part: parts };
    return { first: 0, part: [...Array(first).fill(true), ...parts] };
  });
}

interface Checked {
  readonly keyword: string;
  readonly place: string;
  readonly whole: { readonly schema: unknown; readonly parentSchema: object };
  /** Whether the part at a position takes a value. */
  readonly fits: (index: number, data: unknown) => boolean;
  /** Whether it is asked which members and items of a value are looked at. */
  readonly tracks: Pick<Evaluated, 'dynamicProps' | 'dynamicItems'> | false;
  readonly findsAll: boolean;
}

function checkOf(groups: readonly Group[], checked: Checked): ValidateFunction {
  const { keyword, place, whole, fits, tracks, findsAll } = checked;
  const isChoice = keyword === 'anyOf' || keyword === 'oneOf';
  const validate = ((data: unknown, at?: Parameters<ValidateFunction>[1]): boolean => {
    const errors: ErrorObject[] = [];
    const taken: Group[] = [];
    let passing: unknown = null;
    let looked: Pick<Evaluated, 'props' | 'items'> = {};
    for (const group of groups) {
      if (group.validate(data, at)) {
        taken.push(group);
        looked = both(looked, group.validate.evaluated);
        if (keyword === 'anyOf' ? !tracks : keyword === 'oneOf' && taken.length > 1) break;
        continue;
      }
      const told = (group.validate.errors ?? []).map((error) => moved(error, group));
      errors.push(...told.filter(({ schemaPath }) => !isChoice || schemaPath !== place));
      passing ??= told.find(({ schemaPath }) => schemaPath === place)?.params['passingSchemas'];
      if (passing || !(isChoice || findsAll)) break;
    }
    if (keyword === 'oneOf' && taken.length > 1) {
      const all = whole.schema as readonly unknown[];
      passing = taken.flatMap(({ first }) => {
        const own = all.slice(first, first + mostTogether);
        const at = own.findIndex((_, index) => fits(first + index, data));
        return at < 0 ? [] : first + at;
      });
    }
    const isTaken = isChoice ? taken.length > 0 && !passing : errors.length === 0;
    if (isChoice && !isTaken) errors.push(ownError(data, at?.instancePath ?? '', passing ?? null));
    Object.assign(validate.evaluated as Evaluated, { props: undefined, items: undefined });
    if (isTaken && tracks) Object.assign(validate.evaluated as Evaluated, looked);
    validate.errors = isTaken ? null : errors;
    return isTaken;
    // Whoever calls it asks for nothing else that a validator has.
  }) as ValidateFunction;
  validate.evaluated = tracks || { dynamicProps: false, dynamicItems: false };
  return validate;

  /** As if the group were not there. */
  function moved(error: ErrorObject, { schema, first }: Group): ErrorObject {
    const { schemaPath, parentSchema } = error;
    const path = schemaPath.startsWith(`${place}/`)
      ? schemaPath
          .slice(place.length)
          .replace(/^\/(\d+)/, (_, index: string) => `/${Number(index) + first}`)
      : undefined;
    return {
      ...error,
      ...(path !== undefined && Array.isArray(whole.schema) && { schemaPath: place + path }),
      ...(parentSchema === schema && whole),
    };
  }

  function ownError(data: unknown, instancePath: string, passingSchemas: unknown): ErrorObject {
    const isOne = keyword === 'oneOf';
    const which = isOne ? 'exactly one schema in oneOf' : 'a schema in anyOf';
    const params = isOne ? { passingSchemas } : {};
    const message = `must match ${which}`;
    return { instancePath, schemaPath: place, keyword, params, message, ...whole, data };
  }
}

function both(
  one: Pick<Evaluated, 'props' | 'items'>,
  other: Evaluated | undefined,
): Pick<Evaluated, 'props' | 'items'> {
  const { props, items } = other ?? {};
  const isAll = one.props === true || props === true;
  return {
    props: isAll ? true : { ...Object(one.props), ...Object(props) },
    items: one.items === true || items === true ? true : Math.max(one.items ?? 0, items ?? 0),
  };
}
