import { consumerContract } from './consumer-contract.ts';
import { keyValueContract } from './key-value-contract.ts';
import type { MakeBus } from './make-bus.ts';
import { publishContract } from './publish-contract.ts';
import { readContract } from './read-contract.ts';

/** What holds for every driver. */
export function busContract(name: string, make: MakeBus): void {
  publishContract(name, make);
  readContract(name, make);
  consumerContract(name, make);
  keyValueContract(name, make);
}
