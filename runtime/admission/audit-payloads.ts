import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import type { AuditEvent } from '#contract/audit';
import type { AuditCatalogue, AuditWriter } from '#contract/audit-events';
import { ServiceError } from '#contract/errors';
import type { SchemaCompiler } from './schema-compiler.ts';

/** Let nothing into the log but events of the catalogue whose payload satisfies its schema. */
export function checkPayloads(log: AuditWriter, catalogue: AuditCatalogue): AuditWriter {
  let compiler: Promise<SchemaCompiler> | undefined;
  const validators = new Map<string, ValidateFunction>();

  /** Compiled once, on first use: most servers write a few of the events. */
  async function load(action: string): Promise<ValidateFunction> {
    const definition = Object.hasOwn(catalogue, action) ? catalogue[action] : undefined;
    if (definition === undefined) throw invalid('action', 'names no event of the catalogue');
    compiler ??= loadCompiler();
    const validate = (await compiler).compile(definition.payload);
    validators.set(action, validate);
    return validate;
  }

  return {
    async append(event) {
      check(event, validators.get(event.action) ?? (await load(event.action)));
      return log.append(event);
    },
  };
}

async function loadCompiler(): Promise<SchemaCompiler> {
  const { createSchemaCompiler } = await import('./schema-compiler.ts');
  return createSchemaCompiler({ allErrors: false });
}

function check({ payload }: AuditEvent, validate: ValidateFunction): void {
  if (validate(payload)) return;
  const [error] = validate.errors ?? [];
  throw invalid(fieldOf(error), error?.message ?? 'does not satisfy its schema');
}

/** The field, as the entry would hold it; its value is not repeated, it may be a secret. */
function fieldOf(error: ErrorObject | undefined): string {
  const inner = error?.params['additionalProperty'] ?? error?.params['missingProperty'];
  const path = (error?.instancePath ?? '').split('/').slice(1);
  return ['payload', ...path, ...(inner === undefined ? [] : [String(inner)])].join('.');
}

function invalid(field: string, problem: string): ServiceError {
  const message = `the audit event is not written: ${field} ${problem}`;
  return new ServiceError('audit_invalid_event', 400, message, { detail: { field } });
}
