import type { AuditEventModel, AuditEventsModel } from '../../model/house/audit-events.ts';
import { pascalCase } from '../../model/texts/names.ts';
import { emitAuditEventsPage } from '../docs/docs-audit-events.ts';
import { docComment } from '../print/doc-comment.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { Call, lineWidth, literal } from '../print/literal.ts';
import { schemaTypes } from '../print/schema-types.ts';
import { constant, printSourceFile } from '../print/source-file.ts';

const source = 'specs';

/** Print the catalogue of all events, a typed append function for those of the server, and their page. */
export async function emitAuditEvents(models: readonly AuditEventsModel[]): Promise<EmittedFile[]> {
  const events = models.flatMap((model) => model.events);
  const own = models.find(({ surface }) => surface === '') ?? nothing;
  const definitions = events.map(({ action, definition }) => [action, definition]);
  const code = printSourceFile({
    path: 'generated/audit-events.ts',
    source,
    imports: [
      {
        from: '#contract/house/audit-events',
        names: ['typedAppends'],
        types: ['AuditAppend', 'AuditCatalogue', 'AuditWriter'],
      },
    ],
    statements: [
      ...(await schemaTypes(own.types)),
      eventsInterface('HouseEvents', 'What the server itself writes to the audit log.', own.events),
      constant({
        name: 'auditCatalogue',
        type: 'AuditCatalogue',
        docs: ['What an event of each name says.'],
        value: literal(Object.fromEntries(definitions)),
      }),
      factory('HouseEvents', own.events),
    ],
  });
  return [code, emitAuditEventsPage(events)];
}

const nothing: AuditEventsModel = { surface: '', events: [], types: new Map() };

/** Print a typed append function for each event of a surface. */
export async function emitSurfaceEvents(model: AuditEventsModel): Promise<EmittedFile> {
  const { surface, events, types } = model;
  const name = `${pascalCase(surface)}Events`;
  return printSourceFile({
    path: `generated/surfaces/${surface}/events.ts`,
    source: `specs/surfaces/${surface}/events.yaml`,
    imports: [
      {
        from: '#contract/house/audit-events',
        names: ['typedAppends'],
        types: ['AuditAppend', 'AuditWriter'],
      },
      { from: '../../audit-events.ts', names: ['auditCatalogue'] },
    ],
    statements: [
      ...(await schemaTypes(types)),
      eventsInterface(name, 'What this surface writes to the audit log.', events),
      factory(name, events),
    ],
  });
}

function eventsInterface(name: string, docs: string, events: readonly AuditEventModel[]): string {
  const members = events.map(({ method, action, definition, payloadType }) => {
    const docs = docComment([`${action}: ${definition.description}.`], 1);
    return `${docs}  readonly ${method}: AuditAppend<${payloadType}>;\n`;
  });
  return `/** ${docs} */\nexport interface ${name} {\n${members.join('')}}`;
}

function factory(name: string, events: readonly AuditEventModel[]): string {
  const functions = events.map(({ method, action }) => [method, new Call('append', [action])]);
  return `/** Give what writes each event to \`log\`. */
export function create${name}(log: AuditWriter): ${name} {
  const append = typedAppends(log, auditCatalogue);
  return ${literal(Object.fromEntries(functions), { depth: 1, used: lineWidth, after: 1 })};
}`;
}
