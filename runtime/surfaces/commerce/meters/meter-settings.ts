import { ConfigError } from '#contract/config/config';
import type { SpendingRules } from '#contract/payment/spending';
import type { CommerceConfig } from '../../../../generated/surfaces/commerce/config.ts';

/** The processor that bills plans. */
export interface MeterSettings {
  readonly secretKey: string;
  readonly apiUrl: URL;
}

/**
 * How plans are billed here; nothing where none is.
 *
 * @throws ConfigError where one has a meter, and nobody is known who reads it
 */
export function meterSettings(
  { cardSecretKey: secretKey, cardApiUrl }: Pick<CommerceConfig, 'cardSecretKey' | 'cardApiUrl'>,
  { plans }: Pick<SpendingRules, 'plans'>,
): MeterSettings | undefined {
  const billed = plans.find(({ meter }) => meter !== undefined);
  if (billed === undefined) return undefined;
  if (secretKey !== undefined) return { secretKey, apiUrl: new URL(cardApiUrl) };
  const expected = `the secret key of the processor that bills the plan ${billed.name}`;
  throw new ConfigError([{ variable: 'SERVICE_CARD_SECRET_KEY', expected, received: 'nothing' }]);
}
