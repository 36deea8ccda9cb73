import { _, type ErrorObject, type KeywordCxt, type ValidateFunction } from 'ajv/dist/2020.js';
import { SchemaEnv } from 'ajv/dist/compile/index.js';
import { mergeEvaluated, toHash } from 'ajv/dist/compile/util.js';
import { callRef } from 'ajv/dist/vocabularies/core/ref.js';
import { isObject, type JsonSchema } from '#contract/json';
import { encodedStep } from '#contract/schema/pointer-steps';
import { createDefinition } from './lazy-definition.ts';

/**
 * The names in a condition stand in each other as the code of members does (members-together.ts). A variable
 * holds more; where a part is wrong, its names count as unknown then.
 */
const mostInCondition = 500;

/** Checks `properties` so that the schema of each is compiled when a value first has it. */
export function checkEachWhenGiven(
  context: KeywordCxt,
  compile: (schema: unknown) => ValidateFunction,
): void {
  const { gen, it, keyword } = context;
  const schema = context.schema as JsonSchema;
  const names = Object.keys(schema);
  for (const name of names) it.definedProperties.add(name);
  if (it.opts.unevaluated && it.props !== true) {
    const hash = toHash(names);
    const known = () => gen.var('props', _`{...${gen.scopeValue('schema', { ref: hash })}}`);
    const looked = names.length > mostInCondition ? known() : hash;
    it.props = mergeEvaluated.props(gen, looked, it.props);
  }
  const members = new Map<string, ValidateFunction>();
  for (const [name, member] of Object.entries(schema)) {
    const path = `${it.errSchemaPath}/${keyword}/${encodeURIComponent(encodedStep(name))}`;
    members.set(name, createDefinition(path, member, () => compile(member)).later);
  }
  const env = new SchemaEnv({ schema: true });
  env.validate = checkOf(members, it.allErrors === true);
  callRef(context, gen.scopeValue('validate', { ref: env.validate }), env);
}

function checkOf(members: ReadonlyMap<string, ValidateFunction>, findsAll: boolean) {
  const validate = ((data: unknown, at?: Parameters<ValidateFunction>[1]): boolean => {
    // Of a member that holds such members, the same function is asked meanwhile.
    const errors: ErrorObject[] = [];
    const { instancePath = '', rootData = {}, dynamicAnchors = {} } = at ?? {};
    for (const [name, value] of isObject(data) ? Object.entries(data) : []) {
      const member = members.get(name);
      const place = `${instancePath}/${encodedStep(name)}`;
      const inner = { instancePath: place, rootData, dynamicAnchors };
      const around = { parentData: Object(data), parentDataProperty: name };
      if (member === undefined || member(value, { ...inner, ...around })) continue;
      errors.push(...(member.errors ?? []));
      if (!findsAll) break;
    }
    validate.errors = errors.length > 0 ? errors : null;
    return errors.length === 0;
    // Whoever calls it asks for nothing else that a validator has.
  }) as ValidateFunction;
  // What is looked at, the names have said.
  validate.evaluated = { dynamicProps: false, dynamicItems: false };
  return validate;
}
