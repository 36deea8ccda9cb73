import type { Author } from '#contract/house/audit-events';
import type { Store } from '#contract/house/store';
import type {
  ObservabilityEvents,
  ObservabilityProviderAddedPayload,
} from '../../../../generated/surfaces/observability/events.ts';
import type { ObservabilityTables } from '../../../../generated/surfaces/observability/tables.ts';
import { conflict, notFound, validationFailed } from '../errors.ts';
import { mostProviders } from '../numbers.ts';
import { digestOf, requireMatch } from './etag.ts';
import { inOneUnit, type Unit } from './one-unit.ts';
import type { ProviderDraft, ProviderEntry, RegistrySnapshot, Signal } from './provider-entry.ts';
import {
  draftOf,
  entryWith,
  listEntries,
  type ProviderKey,
  putEntry,
  type RegistryTransaction,
  removeEntry,
} from './records.ts';

/** Who changes the registry, and in which call. */
export interface Change {
  readonly author: Author;
  readonly callId: string;
  readonly traceId?: string | undefined;
}

export interface RegistryParts {
  readonly store: Store<ObservabilityTables>;
  readonly events: ObservabilityEvents;
  readonly now: () => number;
}

/** The back ends that are registered. A change and its entry in the audit log are one unit. */
export interface Registry {
  snapshot(tenant: string): Promise<RegistrySnapshot>;
  /** @throws ServiceError `not_found` */
  find(key: ProviderKey): Promise<ProviderEntry>;
  /** @throws ServiceError `conflict` where the id is taken */
  register(tenant: string, draft: ProviderDraft, change: Change): Promise<ProviderEntry>;
  /**
   * Say something else of an entry; what is not said of it stays when `edit` leaves it.
   *
   * @throws ServiceError `conflict` where `ifMatch` is not its etag, `not_found`
   */
  update(
    key: ProviderKey,
    edit: (draft: ProviderDraft) => ProviderDraft,
    change: Change & { readonly ifMatch: string | undefined },
  ): Promise<ProviderEntry>;
  /** @throws ServiceError `conflict`, `not_found` */
  remove(
    key: ProviderKey,
    change: Change & { readonly ifMatch: string | undefined },
  ): Promise<void>;
}

export function createRegistry({ store, events, now }: RegistryParts): Registry {
  const write = (change: Change, kind: keyof typeof appends, facts: ChangeFacts): Unit => {
    const payload = payloadOf(facts, change);
    const { author, callId: correlation_id } = change;
    const subject = `${payload.signal_type}/${payload.provider_id}`;
    return (outcome) => appends[kind]({ ...author, subject, correlation_id, payload, outcome });
  };
  const appends = {
    added: events.observabilityProviderAdded,
    changed: events.observabilityProviderConfigChanged,
    removed: events.observabilityProviderRemoved,
  };

  /** Put an entry; another one that was the primary is none any more. */
  async function put(
    tx: RegistryTransaction,
    entries: readonly ProviderEntry[],
    { tenant, entry, change }: { tenant: string; entry: ProviderEntry; change: Change },
  ): Promise<readonly Unit[]> {
    const former = entries.find(
      (each) => each.primary && each.signal === entry.signal && each.id !== entry.id,
    );
    if (!entry.primary || former === undefined) {
      await putEntry(tx, tenant, entry);
      return [];
    }
    const second = changed(former, { ...draftOf(former), primary: false }, change, now());
    await putEntry(tx, tenant, second);
    await putEntry(tx, tenant, entry);
    return [write(change, 'changed', { before: former, after: second })];
  }

  return {
    async snapshot(tenant) {
      const providers = await listEntries(store.db, tenant);
      return { providers, digest: digestOf(providers.map(draftOf)) };
    },
    async find(key) {
      return entryIn(await listEntries(store.db, key.tenant), key);
    },
    register(tenant, draft, change) {
      return inOneUnit(store, async (tx) => {
        const entries = await listEntries(tx, tenant);
        const same = entries.find(({ id, signal }) => id === draft.id && signal === draft.signal);
        if (same) {
          throw conflict(`${draft.signal} ${draft.id} is registered already`, same.etag);
        }
        if (entries.length >= mostProviders) {
          const reason = `${mostProviders} back ends are registered, and no more can be`;
          throw validationFailed([{ field: 'id', reason }]);
        }
        const [at, by] = [now(), change.author.actor.id];
        const life = { tenant, createdAt: at, createdBy: by, updatedAt: at, updatedBy: by };
        const entry = entryWith(draft, { version: 1, ...life });
        const units = await put(tx, entries, { tenant, entry, change });
        return { result: entry, units: [...units, write(change, 'added', { after: entry })] };
      });
    },
    update(key, edit, change) {
      return inOneUnit(store, async (tx) => {
        const entries = await listEntries(tx, key.tenant);
        const before = entryIn(entries, key);
        requireMatch(change.ifMatch, before);
        const draft = edit(draftOf(before));
        // What says the same as before changes nothing, and is not told of.
        if (digestOf(draft) === digestOf(draftOf(before))) return { result: before, units: [] };
        const entry = changed(before, draft, change, now());
        const units = await put(tx, entries, { tenant: key.tenant, entry, change });
        const unit = write(change, 'changed', { before, after: entry });
        return { result: entry, units: [...units, unit] };
      });
    },
    remove(key, change) {
      return inOneUnit(store, async (tx) => {
        const before = entryIn(await listEntries(tx, key.tenant), key);
        requireMatch(change.ifMatch, before);
        await removeEntry(tx, key);
        return { result: undefined, units: [write(change, 'removed', { before })] };
      });
    },
  };
}

function changed(
  before: ProviderEntry,
  draft: ProviderDraft,
  { author }: Change,
  updatedAt: number,
): ProviderEntry {
  const { tenant, version, createdAt, createdBy } = before;
  const updatedBy = author.actor.id;
  const life = { tenant, createdAt, createdBy, updatedAt, updatedBy };
  return entryWith(draft, { version: version + 1, ...life });
}

/** @throws ServiceError `not_found` */
function entryIn(
  entries: readonly ProviderEntry[],
  { signal, id }: { readonly signal: Signal; readonly id: string },
): ProviderEntry {
  const entry = entries.find((each) => each.id === id && each.signal === signal);
  if (entry) return entry;
  const known = entries.filter((each) => each.signal === signal).map((each) => each.id);
  const others =
    known.length === 0 ? 'there is none' : `there are ${known.slice(0, 20).join(', ')}`;
  throw notFound(`no back end for ${signal} is called ${JSON.stringify(id)}: ${others}`);
}

type ChangeFacts =
  | { readonly before?: undefined; readonly after: ProviderEntry }
  | { readonly before: ProviderEntry; readonly after?: ProviderEntry };

function payloadOf(
  { before, after }: ChangeFacts,
  { traceId }: Change,
): ObservabilityProviderAddedPayload {
  const entry = after ?? before;
  if (entry === undefined) throw new Error('a change has something before or after it');
  const { id, signal, kind, etag, delivery, justification } = entry;
  return {
    ...{ signal_type: signal, provider_id: id, kind, etag },
    ...(before && { before: digestOf(draftOf(before)) }),
    ...(after && { after: digestOf(draftOf(after)) }),
    change: {
      fields: fieldsOf(before && draftOf(before), after && draftOf(after)),
      delivery,
      ...(justification !== undefined && { justification }),
    },
    ...(traceId !== undefined && { trace_id: traceId }),
  };
}

/** Names of what is said otherwise. */
function fieldsOf(before: ProviderDraft | undefined, after: ProviderDraft | undefined): string[] {
  const [was, is] = [{ ...before }, { ...after }] as Record<string, unknown>[];
  const names = [...new Set([...Object.keys(was ?? {}), ...Object.keys(is ?? {})])].sort();
  return names.filter((name) => JSON.stringify(was?.[name]) !== JSON.stringify(is?.[name]));
}
