import type { AuditEventModel, AuditEventsModel } from '../../model/house/audit-events.ts';
import { emitAuditEventsPage } from '../docs/docs-audit-events.ts';
import { docComment } from '../print/doc-comment.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { Call, lineWidth, literal } from '../print/literal.ts';
import { schemaTypes } from '../print/schema-types.ts';
import { constant, printSourceFile } from '../print/source-file.ts';

/** Print the catalogue of audit events, a typed append function for each, and their page. */
export async function emitAuditEvents(model: AuditEventsModel): Promise<EmittedFile[]> {
  return [await emitCatalogue(model), emitAuditEventsPage(model)];
}

async function emitCatalogue({ events, types }: AuditEventsModel): Promise<EmittedFile> {
  const definitions = events.map(({ action, definition }) => [action, definition]);
  return printSourceFile({
    path: 'generated/audit-events.ts',
    source: 'specs/events/audit.yaml',
    imports: [
      {
        from: '#contract/house/audit-events',
        names: ['typedAppends'],
        types: ['AuditAppend', 'AuditCatalogue', 'AuditWriter'],
      },
    ],
    statements: [
      ...(await schemaTypes(types)),
      eventsInterface(events),
      constant({
        name: 'auditCatalogue',
        type: 'AuditCatalogue',
        docs: ['What an event of each name says.'],
        value: literal(Object.fromEntries(definitions)),
      }),
      factory(events),
    ],
  });
}

function eventsInterface(events: readonly AuditEventModel[]): string {
  const members = events.map(({ method, action, definition, payloadType }) => {
    const docs = docComment([`${action}: ${definition.description}.`], 1);
    return `${docs}  readonly ${method}: AuditAppend<${payloadType}>;\n`;
  });
  return `/** Everything that can be written to the audit log. */\nexport interface AuditEvents {\n${members.join('')}}`;
}

function factory(events: readonly AuditEventModel[]): string {
  const functions = events.map(({ method, action }) => [method, new Call('append', [action])]);
  return `/** Give what writes each event to \`log\`. */
export function createAuditEvents(log: AuditWriter): AuditEvents {
  const append = typedAppends(log, auditCatalogue);
  return ${literal(Object.fromEntries(functions), { depth: 1, used: lineWidth, after: 1 })};
}`;
}
