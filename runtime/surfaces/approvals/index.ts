import type { ApprovalDesk } from '#contract/house/approval';
import type { Pages } from '#contract/house/pages';
import { bindRoutes, type Surface } from '#contract/surface/surface';
import { approvalsRoutes } from '../../../generated/surfaces/approvals/routes.ts';
import { createHandlers } from './handlers.ts';

/** What the surface needs of the rest of the server. */
export interface ApprovalsDependencies {
  readonly desk: ApprovalDesk;
  readonly pages: Pages;
}

/** The page on which a person agrees to what an agent wants to do. */
export function createApprovals({ desk, pages }: ApprovalsDependencies): Surface {
  return { routes: bindRoutes(approvalsRoutes, createHandlers(desk, pages)), tools: [] };
}
