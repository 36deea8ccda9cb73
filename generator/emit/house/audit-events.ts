import type { AuditEventsModel } from '../../model/house/audit-events.ts';
import { pascalCase } from '../../model/texts/names.ts';
import { emitAuditEventsPage } from '../docs/docs-audit-events.ts';
import { comment, identifier, property, text, value } from '../print/code.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { printModule } from '../print/module.ts';
import { printed } from '../print/printed.ts';
import { schemaTypes } from '../print/schema-types.ts';
import type { TemplateData } from '../templates/render.ts';

const contract = '#contract/house/audit-events';

/** Print the catalogue of all events, a typed append function for those of the server, and their page. */
export async function emitAuditEvents(models: readonly AuditEventsModel[]): Promise<EmittedFile[]> {
  const events = models.flatMap((model) => model.events);
  const own = models.find(({ surface }) => surface === '') ?? nothing;
  const code = printModule({
    path: 'generated/audit-events.ts',
    source: 'specs',
    imports: [
      {
        from: contract,
        names: ['typedAppends'],
        types: ['AuditAppend', 'AuditCatalogue', 'AuditWriter'],
      },
    ],
    template: 'audit-events',
    data: {
      ...(await eventsData('HouseEvents', own)),
      about: printed`What the server itself writes to the audit log.`,
      catalogue: value(
        Object.fromEntries(events.map(({ action, definition }) => [action, definition])),
      ),
    },
  });
  return [code, emitAuditEventsPage(events)];
}

const nothing: AuditEventsModel = { surface: '', events: [], types: new Map() };

/** Print a typed append function for each event of a surface. */
export async function emitSurfaceEvents(model: AuditEventsModel): Promise<EmittedFile> {
  const { surface } = model;
  return printModule({
    path: `generated/surfaces/${surface}/events.ts`,
    source: `specs/surfaces/${surface}/events.yaml`,
    imports: [
      { from: contract, names: ['typedAppends'], types: ['AuditAppend', 'AuditWriter'] },
      { from: '../../audit-events.ts', names: ['auditCatalogue'] },
    ],
    template: 'audit-events',
    data: {
      ...(await eventsData(`${pascalCase(surface)}Events`, model)),
      about: printed`What this surface writes to the audit log.`,
      catalogue: undefined,
    },
  });
}

async function eventsData(
  name: string,
  { events, types }: AuditEventsModel,
): Promise<TemplateData> {
  return {
    name: identifier(name),
    types: await schemaTypes(types),
    events: events.map(({ action, method, definition, payloadType }) => ({
      docs: comment([`${action}: ${definition.description}.`], 1),
      method: property(method),
      payload: identifier(payloadType),
      action: text(action),
    })),
  };
}
