import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import type { CollectorFile } from '../collector-file/file.ts';
import type { Finding } from '../errors.ts';
import { componentSchemas } from './component-schemas.ts';

const compiled = new Map<string, ValidateFunction | undefined>();
const ajv = new Ajv2020({ allErrors: true, strict: false });

const sections = [
  ['extensions', 'extension'],
  ['receivers', 'receiver'],
  ['processors', 'processor'],
  ['exporters', 'exporter'],
] as const;

/** Check the settings of each component against the schema of its type. */
export function checkComponents(file: CollectorFile): readonly Finding[] {
  return sections.flatMap(([section, role]) =>
    Object.entries(file[section]).flatMap(([id, settings]): Finding[] => {
      const validate = validatorOf(`${role}/${id.split('/', 1)[0]}`);
      const field = `${section}.${id}`;
      if (validate === undefined) return [{ field, reason: `no such ${role} is known` }];
      if (validate(settings)) return [];
      return (validate.errors ?? []).map(({ instancePath, message, params }) => ({
        field: `${field}${instancePath.replaceAll('/', '.')}`,
        reason: `${message}${extra(params)}`,
      }));
    }),
  );
}

function extra(params: Readonly<Record<string, unknown>>): string {
  const name = params['additionalProperty'];
  return typeof name === 'string' ? `: ${name}` : '';
}

function validatorOf(key: string): ValidateFunction | undefined {
  if (compiled.has(key)) return compiled.get(key);
  const schema = componentSchemas[key];
  const validate = schema === undefined ? undefined : ajv.compile(schema);
  compiled.set(key, validate);
  return validate;
}
