import type { CallContext } from '#contract/caller';
import { ServiceError } from '#contract/errors';
import type { WebhookParts } from './webhook.ts';

/** Takes what came to the address for the processor. */
export type Hear = (
  body: Uint8Array,
  signature: string | undefined,
  context: CallContext,
) => Promise<void>;

/** Make what hears the processor; what checks its signatures is loaded where there is a secret for it. */
export function createHear({
  card,
  ...parts
}: Omit<WebhookParts, 'secret'> & {
  readonly card: { readonly webhookSecret: string | undefined } | undefined;
}): Hear {
  return async (body, signature, context) => {
    const secret = card?.webhookSecret;
    if (secret === undefined) {
      const message = 'nothing is heard here: its operator has to set SERVICE_CARD_WEBHOOK_SECRET';
      throw new ServiceError('unconfigured', 503, message, { isLasting: true });
    }
    const { hearProcessor } = await import('./webhook.ts');
    await hearProcessor({ ...parts, secret }, body, signature, context);
  };
}
