import { isObject, type JsonSchema } from '#contract/json';
import type { AuditEventModel, AuditEventsModel } from '../../model/house/audit-events.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { code, page, prose, table } from './markdown.ts';

/** The page of everything that the audit log can hold. */
export function emitAuditEventsPage({ events }: AuditEventsModel): EmittedFile {
  return page('audit-events.md', 'specs/events/audit.yaml', [
    '# Events of the audit log',
    [
      'An entry names its event in `action`. What an event says beyond who, when and with which outcome',
      'stands in `payload`; a field that is not listed here is refused, and nothing is written.',
    ].join('\n'),
    ...events.map(eventBlock),
  ]);
}

function eventBlock({ action, definition }: AuditEventModel): string {
  const { category, description, payload } = definition;
  const rows = fields(payload, '');
  return [
    `## ${code(action)}`,
    `${prose(description)}. Category ${code(category)}.`,
    ...(rows.length > 0 ? [table(['Field', 'Type', 'Required', 'Meaning'], rows)] : []),
  ].join('\n\n');
}

function fields({ properties, required }: JsonSchema, prefix: string): string[][] {
  if (!isObject(properties)) return [];
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties).flatMap(([name, value]) => {
    const schema = isObject(value) ? value : {};
    const text = typeof schema['description'] === 'string' ? schema['description'] : '';
    const row = [
      code(prefix + name),
      typeName(schema),
      needed.includes(name) ? 'yes' : '',
      prose(text),
    ];
    return [row, ...fields(schema, `${prefix}${name}.`)];
  });
}

function typeName(schema: JsonSchema): string {
  const { type, items } = schema;
  if (Array.isArray(schema['enum'])) return schema['enum'].map((value) => code(value)).join(', ');
  if (type === 'array') return `list of ${typeName(isObject(items) ? items : {})}`;
  return String(type);
}
