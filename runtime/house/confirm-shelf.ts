import type { CallContext } from '#contract/caller';
import type { ConfirmDoor } from '#contract/house/confirm-door';
import type { Operation } from '#contract/operation';
import { callDigest } from '../admission/confirm/call-digest.ts';
import { type ConfirmParts, confirmCalls } from '../admission/confirm/confirm.ts';

/** The approvals for the surfaces, which are made before them; nobody can be asked before it is filled. */
export class ConfirmShelf implements ConfirmDoor {
  #parts: ConfirmParts | undefined;

  fill(parts: ConfirmParts): void {
    this.#parts = parts;
  }

  async require(
    operation: Operation,
    input: Readonly<Record<string, unknown>>,
    context: CallContext,
  ): Promise<NonNullable<CallContext['approval']>> {
    if (this.#parts === undefined) throw new Error('nobody can be asked yet');
    const asked: Operation = { ...operation, confirm: 'elicitation' };
    await confirmCalls(this.#parts)(asked, async () => undefined)(input, context);
    return { digest: callDigest(operation.name, input, context.caller) };
  }

  async withdraw(tenant: string, page: string): Promise<void> {
    // The id of an approval is the end of its page's address.
    const id = page.slice(page.lastIndexOf('/') + 1);
    await this.#parts?.approvals.withdraw({ tenant, id });
  }
}
