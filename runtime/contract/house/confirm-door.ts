import type { CallContext } from '../caller.ts';
import type { Operation } from '../operation.ts';

/** Has people agree to what is done for others in the middle of a call. */
export interface ConfirmDoor {
  /**
   * Come back once a person has agreed to this very call, with what the call then shows as its
   * approval (`CallContext.approval`). Asks the client where that can be asked.
   *
   * @throws InputRequired where the client has to answer first
   * @throws ToolError `confirmation_required`: with the page that asks, or because somebody has refused
   */
  require(
    operation: Operation,
    input: Readonly<Record<string, unknown>>,
    context: CallContext,
  ): Promise<NonNullable<CallContext['approval']>>;

  /** Take back what is asked on this page (`approvalUrl`): it may not be decided, nor done, any more. */
  withdraw(tenant: string, page: string): Promise<void>;
}
