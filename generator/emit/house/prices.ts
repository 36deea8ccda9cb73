import type { PricesModel } from '../../model/house/prices.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { literal } from '../print/literal.ts';
import { constant, printSourceFile } from '../print/source-file.ts';

/** Print `generated/prices.ts`: what routes and tools of the server itself cost, and what limits that. */
export function emitPrices({ prices, spending }: PricesModel): EmittedFile {
  return printSourceFile({
    path: 'generated/prices.ts',
    source: 'specs/prices.yaml',
    imports: [
      { from: '#contract/operation', types: ['Price'] },
      { from: '#contract/payment/spending', types: ['RawSpending'] },
    ],
    statements: [
      constant({
        name: 'prices',
        type: 'Readonly<Record<string, Price>>',
        docs: ['What things cost, by the method and path of a route, or by `tool:` and its name.'],
        value: literal(prices),
      }),
      constant({
        name: 'spending',
        type: 'RawSpending',
        docs: ['What limits what is paid for them.'],
        value: literal(spending),
      }),
    ],
  });
}
