import { activeKeyMs, pendingKeyMs, retiringKeyMs } from '../numbers.ts';
import type { KeyChange, SigningKeyRow } from '../records/signing-keys.ts';

/** Milliseconds before its end at which an active key gets a successor. */
const leadMs = 2 * pendingKeyMs;

/**
 * Decide what becomes of the keys now. A key is published before it signs and after it has signed,
 * so that whoever keeps the published keys for a while finds every one that it needs.
 *
 * @param made a key that can be added where one is needed; it is left alone otherwise
 */
export function planKeys(
  keys: readonly SigningKeyRow[],
  made: Pick<SigningKeyRow, 'kid' | 'alg' | 'public' | 'private'>,
  now: number,
): KeyChange {
  const add = (state: 'pending' | 'active') => added(made, state, now);
  const active = keys.find(({ state }) => state === 'active');
  const pending = keys.find(({ state }) => state === 'pending');
  const over = keys
    .filter(
      ({ state, retiring_at }) => state === 'retiring' && now - (retiring_at ?? 0) >= retiringKeyMs,
    )
    .map(({ kid }) => ({ kid, state: 'retired' as const, retired_at: now, private: '' }));
  // Nobody can have kept published keys from before there were any.
  if (!active && !pending) return { add: [add('active')], change: over };
  const isRipe = pending !== undefined && now - pending.created_at >= pendingKeyMs;
  if (!active) return { add: [], change: [...over, ...activated(pending, now)] };
  const age = now - (active.active_at ?? 0);
  if (age < activeKeyMs - leadMs) return { add: [], change: over };
  if (!pending) return { add: [add('pending')], change: over };
  if (age < activeKeyMs || !isRipe) return { add: [], change: over };
  const retiring = { kid: active.kid, state: 'retiring' as const, retiring_at: now };
  return { add: [], change: [...over, retiring, ...activated(pending, now)] };
}

/**
 * Drop a key at once, whatever its state: what it has signed is worth nothing from now on, and one
 * that has signed has a successor right away.
 *
 * @param made as for `planKeys`
 * @returns nothing where there is no such key
 */
export function planDrop(
  keys: readonly SigningKeyRow[],
  kid: string,
  made: Pick<SigningKeyRow, 'kid' | 'alg' | 'public' | 'private'>,
  now: number,
): KeyChange | undefined {
  const dropped = keys.find((key) => key.kid === kid);
  if (!dropped) return undefined;
  const change = [{ kid, state: 'retired' as const, retired_at: now, private: '' }];
  if (dropped.state !== 'active') return { add: [], change };
  const pending = keys.find(({ state }) => state === 'pending');
  if (pending) return { add: [], change: [...change, ...activated(pending, now)] };
  return { add: [added(made, 'active', now)], change };
}

/** Whether nothing is to be done, so that no key need be made. */
export function isSettled(keys: readonly SigningKeyRow[], now: number): boolean {
  const { add, change } = planKeys(keys, { kid: '', alg: '', public: '', private: '' }, now);
  return add.length + change.length === 0;
}

function added(
  made: Pick<SigningKeyRow, 'kid' | 'alg' | 'public' | 'private'>,
  state: 'pending' | 'active',
  now: number,
): SigningKeyRow {
  const active_at = state === 'active' ? now : null;
  return { ...made, state, created_at: now, active_at, retiring_at: null, retired_at: null };
}

function activated(pending: SigningKeyRow | undefined, now: number): KeyChange['change'] {
  return pending ? [{ kid: pending.kid, state: 'active', active_at: now }] : [];
}
