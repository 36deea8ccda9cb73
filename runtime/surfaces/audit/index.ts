import { bindRoutes, bindTools } from '#contract/surface/surface';
import type { SurfaceModule } from '#contract/surface/surface-module';
import { auditRoutes } from '../../../generated/surfaces/audit/routes.ts';
import { auditTools } from '../../../generated/surfaces/audit/tools.ts';
import { createHandlers } from './handlers.ts';
import { createNotes } from './notes.ts';

/** The audit log for outsiders who verify it, and for agents who add to it. */
export const surface: SurfaceModule<unknown, 'audit' | 'witness'> = {
  create({ audit, witness }) {
    const open = () => audit.open();
    return {
      routes: bindRoutes(auditRoutes, createHandlers(open, witness)),
      tools: bindTools(auditTools, createNotes(audit)),
    };
  },
};
