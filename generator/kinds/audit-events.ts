import {
  type AuditEventsFile,
  type AuditEventsModel,
  planAuditEvents,
} from '../model/house/audit-events.ts';
import { yamlKind } from './kind/yaml-kind.ts';

/** What the write-once log can hold. */
export const auditEvents = yamlKind<AuditEventsFile, AuditEventsModel>({
  name: 'audit events',
  where: ['specs/events/audit.yaml'],
  schema: 'audit-events',
  plan: planAuditEvents,
  async print(model) {
    const { emitAuditEvents } = await import('../emit/house/audit-events.ts');
    return emitAuditEvents(model);
  },
});
