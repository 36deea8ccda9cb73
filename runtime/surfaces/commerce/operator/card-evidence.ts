import type { Finding } from '#contract/surface/finding';
import type { CardSettings } from '../card/card-settings.ts';
import type { OperatorParts } from './operator-parts.ts';

type Parts = Pick<OperatorParts, 'evidence' | 'fundsOf'>;

/** Looks up at the processor what was paid by card, and all else where it was looked up before. */
export function withCards({ evidence, fundsOf }: Parts, card: CardSettings | undefined): Parts {
  return {
    async evidence(entry, payment) {
      if (entry.network !== 'card') return evidence(entry, payment);
      if (card === undefined || entry.reference === '') return 'unknown';
      const { createCardEvidence } = await import('../card/card-evidence.ts');
      return (await createCardEvidence(card).isThere(entry)) ? 'there' : 'missing';
    },
    // What is at the processor is paid out whenever it likes.
    fundsOf: async (holding) => (holding.network === 'card' ? undefined : fundsOf(holding)),
  };
}

/** Look whether cards can be taken. */
export async function* diagnoseCards(card: CardSettings | undefined): AsyncGenerator<Finding> {
  if (card === undefined) {
    const fix = 'to take cards, set SERVICE_CARD_SECRET_KEY_FILE and SERVICE_CARD_NETWORK_ID';
    yield { kind: 'ok', text: 'payments by card: off', fix };
    return;
  }
  const { createCardEvidence } = await import('../card/card-evidence.ts');
  const fix = 'check SERVICE_CARD_SECRET_KEY, SERVICE_CARD_API_URL and the network';
  switch (await createCardEvidence(card).answers()) {
    case 'yes':
      yield { kind: 'ok', text: `the processor of cards answers, ${card.networkId}` };
      break;
    case 'refused':
      yield { kind: 'problem', text: 'the processor of cards does not take the key', fix };
      break;
    case 'no':
      yield { kind: 'problem', text: 'the processor of cards does not answer', fix };
  }
  if (card.webhookSecret !== undefined) return;
  yield {
    kind: 'advice',
    text: 'disputes and refunds at the processor are only known once a minute',
    fix: 'set SERVICE_CARD_WEBHOOK_SECRET_FILE, and /payments/card/webhook at the processor',
  };
}
