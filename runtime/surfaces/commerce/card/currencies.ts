/** A currency in which cards are charged. */
interface Currency {
  /** Decimals of its smallest unit (ISO 4217). */
  readonly decimals: number;
  /** The smallest charge that the processor makes, in that unit. */
  readonly least: number;
}

const currencies: Readonly<Record<string, Currency>> = {
  usd: { decimals: 2, least: 50 },
  eur: { decimals: 2, least: 50 },
  gbp: { decimals: 2, least: 30 },
  chf: { decimals: 2, least: 50 },
  cad: { decimals: 2, least: 50 },
  aud: { decimals: 2, least: 50 },
  nzd: { decimals: 2, least: 50 },
  sek: { decimals: 2, least: 300 },
  nok: { decimals: 2, least: 300 },
  dkk: { decimals: 2, least: 250 },
  pln: { decimals: 2, least: 200 },
  jpy: { decimals: 0, least: 50 },
  krw: { decimals: 0, least: 50 },
};

/** The currency of an ISO 4217 code in either case; nothing where cards are not charged in it. */
export function currencyOf(code: string): Currency | undefined {
  return currencies[code.toLowerCase()];
}
