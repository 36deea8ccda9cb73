import type { ApprovalDesk } from '#contract/house/approval';
import { bindRoutes, type Surface } from '#contract/surface/surface';
import { approvalsRoutes } from '../../../generated/surfaces/approvals/routes.ts';
import { FormTokens } from './form-token.ts';
import { createHandlers } from './handlers.ts';

/** What the surface needs of the rest of the server. */
export interface ApprovalsDependencies {
  readonly desk: ApprovalDesk;
  /** 32 bytes, the same on every replica. */
  readonly formKey: () => Buffer;
  /** Whether browsers reach the server over TLS alone. */
  readonly isSecure: boolean;
}

/** The page on which a person agrees to what an agent wants to do. */
export function createApprovals({ desk, formKey, isSecure }: ApprovalsDependencies): Surface {
  const tokens = new FormTokens(formKey, isSecure);
  return { routes: bindRoutes(approvalsRoutes, createHandlers(desk, tokens)), tools: [] };
}
