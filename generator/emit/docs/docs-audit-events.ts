import { isObject, type JsonSchema } from '#contract/json';
import type { AuditEventModel } from '../../model/house/audit-events.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { joined, type Printed, plain, printed } from '../print/printed.ts';
import type { TemplateData } from '../templates/render.ts';
import { code, page, prose, sentence } from './markdown.ts';

/** The page of everything that the audit log can hold. */
export function emitAuditEventsPage(events: readonly AuditEventModel[]): EmittedFile {
  return page('audit-events.md', 'specs', 'audit-events-page', {
    events: events.map(({ action, definition: { category, description, payload } }) => ({
      action: code(action),
      description: sentence(description),
      category: code(category),
      fields: fields(payload, ''),
    })),
  });
}

function fields({ properties, required }: JsonSchema, prefix: string): TemplateData[] {
  if (!isObject(properties)) return [];
  const needed = Array.isArray(required) ? required : [];
  return Object.entries(properties).flatMap(([name, value]) => {
    const schema = isObject(value) ? value : {};
    const text = typeof schema['description'] === 'string' ? schema['description'] : '';
    const row = {
      name: code(prefix + name),
      type: typeName(schema),
      required: needed.includes(name) ? printed`yes` : printed``,
      meaning: prose(text),
    };
    return [row, ...fields(schema, `${prefix}${name}.`)];
  });
}

function typeName(schema: JsonSchema): Printed {
  const { type, items } = schema;
  if (Array.isArray(schema['enum'])) {
    return joined(
      schema['enum'].map((value) => code(String(value))),
      ', ',
    );
  }
  if (type === 'array') return printed`list of ${typeName(isObject(items) ? items : {})}`;
  return plain(String(type));
}
