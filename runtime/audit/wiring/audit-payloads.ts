import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';
import { ServiceError } from '#contract/errors';
import type { AuditEvent } from '#contract/house/audit';
import type { AuditCatalogue, AuditWriter } from '#contract/house/audit-events';
import type { SchemaCompiler } from '../../admission/steps/schema-compiler.ts';

export interface CheckedWriter extends Required<AuditWriter> {
  /** Gives a promise where the first event of its name waits for the compiler; it never fails. */
  appendLater(...args: Parameters<AuditWriter['appendLater']>): Promise<void> | undefined;
}

/** Let nothing into the log but events of the catalogue whose payload satisfies its schema. */
export function checkPayloads(log: AuditWriter, catalogue: AuditCatalogue): CheckedWriter {
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
    appendLater(event, lost) {
      const pass = (validate: ValidateFunction): void => {
        check(event, validate);
        log.appendLater(event, lost);
      };
      const validate = validators.get(event.action);
      if (validate === undefined) return load(event.action).then(pass).catch(lost);
      try {
        pass(validate);
      } catch (error) {
        lost(error);
      }
      return undefined;
    },
    recurring(event, integer, lost) {
      const validate = validators.get(event.action);
      if (validate === undefined) return undefined;
      // A schema bounds integers, and all between two that it allows are allowed.
      for (const value of [0, Number.MAX_SAFE_INTEGER]) {
        check({ ...event, payload: { ...event.payload, [integer]: value } }, validate);
      }
      return log.recurring?.(event, integer, lost);
    },
  };
}

async function loadCompiler(): Promise<SchemaCompiler> {
  const { createSchemaCompiler } = await import('../../admission/steps/schema-compiler.ts');
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
