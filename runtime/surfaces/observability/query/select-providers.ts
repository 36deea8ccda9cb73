import { ServiceError } from '#contract/errors';
import type { Signal } from '#contract/telemetry/kind';
import type { AskedProvider } from './question.ts';

/** Which providers a caller wants to be asked. */
export interface Selection {
  readonly mode: 'one' | 'all' | 'primary';
  readonly providerId?: string | undefined;
  readonly primaryProviderId?: string | undefined;
}

/** The chosen providers; of `primary`, those that are asked one after the other until one answers. */
export interface Selected<Provider> {
  readonly providers: readonly Provider[];
  readonly isFallback: boolean;
}

/**
 * Choose providers of a signal, in the order of their merge.
 *
 * @throws ServiceError `not_found`, `invalid_request`
 */
export function selectProviders<Provider extends AskedProvider>(
  all: readonly Provider[],
  signal: Signal,
  { mode, providerId, primaryProviderId }: Selection,
): Selected<Provider> {
  const usable = all
    .filter((each) => each.signal === signal && each.enabled && each.query)
    .sort(byOrder);
  if (mode === 'one') {
    if (providerId === undefined) {
      throw new ServiceError(
        'invalid_request',
        400,
        'selection.mode one needs selection.providerId',
      );
    }
    return { providers: [named(usable, providerId, signal)], isFallback: false };
  }
  if (usable.length === 0) {
    const message = `no provider of the signal ${signal} is enabled for queries`;
    throw new ServiceError('not_found', 404, message);
  }
  if (mode === 'all') return { providers: usable, isFallback: false };
  const first =
    primaryProviderId === undefined
      ? (usable.find(({ primary }) => primary) ?? usable[0])
      : named(usable, primaryProviderId, signal);
  const others = usable.filter((each) => each !== first);
  return { providers: [...(first ? [first] : []), ...others], isFallback: true };
}

function named<Provider extends AskedProvider>(
  usable: readonly Provider[],
  id: string,
  signal: Signal,
): Provider {
  const found = usable.find((each) => each.id === id);
  if (found !== undefined) return found;
  const ids = usable.map((each) => each.id).join(', ');
  const message = `there is no provider ${JSON.stringify(id)} of the signal ${signal} that is enabled for queries; there is ${ids === '' ? 'none' : ids}`;
  throw new ServiceError('not_found', 404, message);
}

/** The primary one first: of what several have, its own is kept. */
function byOrder(a: AskedProvider, b: AskedProvider): number {
  if (a.primary !== b.primary) return a.primary ? -1 : 1;
  if (a.order !== b.order) return a.order - b.order;
  return a.id < b.id ? -1 : 1;
}
