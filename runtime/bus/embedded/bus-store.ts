import { type ProcedureStore, proceduresOf } from '#contract/house/procedures';
import type { Store } from '#contract/house/store';
import type { Tables } from '../../../generated/tables.ts';
import { moduleFile } from '../../process/module-file.ts';

/** The store as the bus uses it. */
export interface BusStore extends Store<Tables>, ProcedureStore {}

/** Names one of the procedures of the bus. */
export const procedure = proceduresOf<typeof import('./bus-procedures.ts')>(
  moduleFile('./bus-procedures', import.meta.url),
);
