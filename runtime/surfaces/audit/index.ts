import type { AuditReader } from '#contract/house/audit-events';
import type { Witness } from '#contract/house/witness';
import { bindRoutes, bindTools, type Surface } from '#contract/surface/surface';
import type { AuditEvents } from '../../../generated/audit-events.ts';
import { auditRoutes } from '../../../generated/surfaces/audit/routes.ts';
import { auditTools } from '../../../generated/surfaces/audit/tools.ts';
import { createHandlers } from './handlers.ts';
import { createNotes } from './notes.ts';

/** What the surface needs of the rest of the server. */
export interface AuditDependencies {
  /** The log, opened when it is first used. */
  readonly open: () => Promise<AuditReader>;
  readonly events: AuditEvents;
  /** Absent where this server watches no logs of others. */
  readonly witness?: Witness | undefined;
}

/** The audit log for outsiders who verify it, and for agents who add to it. */
export function createAudit({ open, events, witness }: AuditDependencies): Surface {
  return {
    routes: bindRoutes(auditRoutes, createHandlers(open, witness)),
    tools: bindTools(auditTools, createNotes(open, events)),
  };
}
