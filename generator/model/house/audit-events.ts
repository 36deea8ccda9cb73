import type { AuditEventDefinition } from '#contract/house/audit-events';
import { isObject, type JsonSchema } from '#contract/json';
import { diagnose } from '../../diagnostics/diagnose.ts';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import { createNamedTypes } from '../schema/named-types.ts';
import { camelCase, pascalCase } from '../texts/names.ts';
import type { Located } from '../texts/report.ts';

/** Events of the audit log, as one file lists them. */
export interface AuditEventsModel {
  /** The surface that writes them; empty where it is the server itself. */
  readonly surface: string;
  readonly events: readonly AuditEventModel[];
  /** Every schema that becomes a named type, by the name of the type. */
  readonly types: ReadonlyMap<string, JsonSchema>;
}

export interface AuditEventModel {
  /** Its name in the log. */
  readonly action: string;
  /** Name of its append function. */
  readonly method: string;
  readonly definition: AuditEventDefinition;
  /** TypeScript type of its payload. */
  readonly payloadType: string;
}

/** An `audit.yaml` that its JSON Schema accepts. */
export interface AuditEventsFile {
  readonly events: Readonly<Record<string, AuditEventDefinition>>;
}

/** Name each event's function and type, and close its payload against fields that are not listed. */
export function planAuditEvents(file: AuditEventsFile, surface = ''): AuditEventsModel {
  const types = createNamedTypes(new Map());
  const events = Object.entries(file.events).map(([action, raw]) => {
    const definition = { ...raw, payload: closed(raw.payload) };
    const description = `Payload of \`${action}\`.`;
    return {
      action,
      method: camelCase(action),
      definition,
      payloadType: types.define(`${pascalCase(action)}Payload`, {
        description,
        ...definition.payload,
      }),
    };
  });
  return { surface, events, types: types.types };
}

/** A name means the same in the whole log, whoever writes it. */
export function checkEvents(
  parts: readonly {
    readonly model?: AuditEventsModel;
    readonly file?: Located;
    readonly place: { readonly path: string };
  }[],
): Diagnostic[] {
  const owners = new Map<string, string>();
  return parts.flatMap(({ model, file, place }) =>
    (model?.events ?? []).flatMap(({ action }) => {
      const owner = owners.get(action);
      owners.set(action, owner ?? place.path);
      if (owner === undefined || file === undefined) return [];
      const pointer = `/events/${action}`;
      const message = `the event ${action} stands in ${owner} too`;
      return [diagnose('EVENT001', { ...file.locate(pointer), pointer }, message)];
    }),
  );
}

/** The schema with each of its objects closed. */
function closed(schema: JsonSchema): JsonSchema {
  const { properties, items } = schema;
  return {
    ...schema,
    ...(isObject(items) && { items: closed(items) }),
    ...(isObject(properties) && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, value]) => [
          name,
          isObject(value) ? closed(value) : value,
        ]),
      ),
      additionalProperties: false,
    }),
  };
}
