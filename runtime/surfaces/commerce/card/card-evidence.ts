import { Stripe } from 'stripe';
import type { LedgerTransferRow } from '../../../../generated/surfaces/commerce/tables.ts';
import type { CardSettings } from './card-settings.ts';
import { processorClient } from './processor-client.ts';

type Entry = Pick<LedgerTransferRow, 'amount' | 'asset' | 'reference'>;

/** Looks up at the processor what the ledger says. */
export function createCardEvidence(card: Pick<CardSettings, 'secretKey' | 'apiUrl'>) {
  const { client } = processorClient(card);
  return {
    /** @throws where the processor does not say */
    async isThere({ amount, asset, reference }: Entry): Promise<boolean> {
      try {
        const found = await lookUp(client, reference);
        if (found?.currency !== undefined && found.currency !== asset) return false;
        // What was given back by several refunds is told by the last of them.
        return found?.object === 'payment_intent'
          ? found.status === 'succeeded' && found.amount === Number(amount)
          : found !== undefined && found.amount <= Number(amount);
      } catch (error) {
        const { StripeInvalidRequestError } = Stripe.errors;
        if (error instanceof StripeInvalidRequestError && error.statusCode === 404) return false;
        throw error;
      }
    },
    /** Whether the processor answers, and takes the key. */
    async answers(): Promise<'yes' | 'refused' | 'no'> {
      try {
        await client.balance.retrieve();
        return 'yes';
      } catch (error) {
        const { StripeAuthenticationError, StripePermissionError } = Stripe.errors;
        const isRefused =
          error instanceof StripeAuthenticationError || error instanceof StripePermissionError;
        return isRefused ? 'refused' : 'no';
      }
    },
  };
}

async function lookUp(client: Stripe, reference: string) {
  switch (reference.split('_', 1)[0]) {
    case 'pi':
      return client.paymentIntents.retrieve(reference);
    case 're':
    case 'pyr':
      return client.refunds.retrieve(reference);
    case 'dp':
    case 'du':
      return client.disputes.retrieve(reference);
    default:
      return undefined;
  }
}
