import {
  type AuditEventsFile,
  type AuditEventsModel,
  checkEvents,
  planAuditEvents,
} from '../model/house/audit-events.ts';
import { models } from './kind/kind.ts';
import { yamlKind } from './kind/yaml-kind.ts';

/** What the write-once log can hold: events of the server itself, and of each surface. */
export const auditEvents = yamlKind<AuditEventsFile, AuditEventsModel>({
  name: 'audit events',
  where: ['specs/events/audit.yaml', 'specs/surfaces/<id>/events.yaml'],
  schema: 'audit-events',
  plan: (content, { id }) => planAuditEvents(content, id),
  check: checkEvents,
  async print(model) {
    if (model.surface === '') return [];
    const { emitSurfaceEvents } = await import('../emit/house/audit-events.ts');
    return [await emitSurfaceEvents(model)];
  },
  async merge(parts) {
    const { emitAuditEvents } = await import('../emit/house/audit-events.ts');
    return emitAuditEvents(models(parts));
  },
});
