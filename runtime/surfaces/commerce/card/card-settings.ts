import { ConfigError } from '#contract/config/config';
import type { CommerceConfig } from '../../../../generated/surfaces/commerce/config.ts';

/** Who is paid by card, and through which processor. */
export interface CardSettings {
  readonly secretKey: string;
  /** The business at the processor, for which agents have their tokens made. */
  readonly networkId: string;
  readonly apiUrl: URL;
  /** `card`, `link`: what a token may stand for. */
  readonly methods: readonly string[];
  /** The smallest price in dollars that is worth its fees. */
  readonly minimum: string;
  /** With which the processor signs what it tells; without it, nothing that is told is believed. */
  readonly webhookSecret: string | undefined;
}

type CardConfig = Pick<
  CommerceConfig,
  | 'cardSecretKey'
  | 'cardNetworkId'
  | 'cardApiUrl'
  | 'cardMethods'
  | 'cardMinimum'
  | 'cardWebhookSecret'
>;

/**
 * How cards are taken here; nothing where they are not.
 *
 * @param bills whether the processor bills plans besides, or nothing else
 * @throws ConfigError where one of the settings that belong together is missing
 */
export function cardSettings(config: CardConfig, bills = false): CardSettings | undefined {
  const { cardSecretKey: secretKey, cardNetworkId: networkId, cardWebhookSecret } = config;
  if (secretKey === undefined) {
    const other = networkId !== undefined || cardWebhookSecret !== undefined;
    if (other) throw missing('SERVICE_CARD_SECRET_KEY', 'the secret key of the processor');
    return undefined;
  }
  if (networkId === undefined) {
    if (bills) return undefined;
    throw missing('SERVICE_CARD_NETWORK_ID', 'the business for which agents have tokens made');
  }
  return {
    ...{ secretKey, networkId, webhookSecret: cardWebhookSecret },
    ...{ apiUrl: new URL(config.cardApiUrl), methods: config.cardMethods },
    minimum: config.cardMinimum,
  };
}

function missing(variable: string, expected: string): ConfigError {
  return new ConfigError([{ variable, expected, received: 'nothing' }]);
}
