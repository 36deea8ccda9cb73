import type { SignalName } from '../../../../generated/surfaces/observability/types.ts';
import type { Signal } from './provider-entry.ts';

/** Read the name of a signal, of which the plural is taken too. */
export function signalOf(name: SignalName): Signal {
  return name.replace(/s$/, '') as Signal;
}
