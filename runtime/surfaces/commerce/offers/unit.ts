import type { LedgerTransferRow } from '../../../../generated/surfaces/commerce/tables.ts';
import { currencyOf } from '../card/currencies.ts';
import type { ChainSettings } from './settings.ts';

/** In what an amount is told to people. */
export interface Unit {
  readonly symbol: string;
  readonly decimals: number;
}

/** Gives the unit of what was paid with. */
export type UnitOf = (paid: Pick<LedgerTransferRow, 'network' | 'asset'>) => Unit;

/**
 * A currency of cards, and the asset of the settings by its name; another one, of former settings, in
 * its smallest unit.
 */
export function unitsOf({ network, asset }: Pick<ChainSettings, 'network' | 'asset'>): UnitOf {
  return (paid) => {
    if (paid.network === 'card') {
      const { decimals = 0 } = currencyOf(paid.asset) ?? {};
      return { symbol: paid.asset.toUpperCase(), decimals };
    }
    const isOurs =
      paid.network === network && paid.asset.toLowerCase() === asset.address.toLowerCase();
    return isOurs ? asset : { symbol: 'smallest unit', decimals: 0 };
  };
}
