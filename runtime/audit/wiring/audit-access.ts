import type { AuditLog } from '#contract/house/audit';
import type { AuditWriter } from '#contract/house/audit-events';
import {
  auditCatalogue,
  createHouseEvents,
  type HouseEvents,
} from '../../../generated/audit-events.ts';
import type { Config } from '../../../generated/config.ts';
import { checkPayloads } from './audit-payloads.ts';

/** The audit log of this process: opened by whoever serves, else when it is first used. */
export interface AuditAccess extends AuditWriter {
  /** @throws StartError when the log cannot be used */
  open(): Promise<AuditLog>;
  /** Whether it is open and takes entries; asking does not open it, nor wait for it. */
  isReady(): Promise<boolean>;
  /** What writes the events of the server itself to it. */
  readonly events: HouseEvents;
  /** Whether the catalogue has an event of this name. */
  isEvent(action: string): boolean;
  /** Write what is on its way, and let go of the log if it was opened. */
  close(): Promise<void>;
}

/** Give access to the log that `openLog` opens; what is not in the catalogue cannot be written. */
export function createAuditAccess(openLog: () => Promise<AuditLog>): AuditAccess {
  let log: Promise<AuditLog> | undefined;
  let opened: AuditLog | undefined;
  const pending = new Set<Promise<unknown>>();

  function open(): Promise<AuditLog> {
    log ??= openLog().then(
      (result) => {
        opened = result;
        return result;
      },
      (error: unknown) => {
        // Another process may have let go of it by the next time.
        log = undefined;
        throw error;
      },
    );
    return log;
  }

  /** Closing waits for it. */
  function track<T>(work: Promise<T>): Promise<T> {
    pending.add(work);
    const settle = () => void pending.delete(work);
    work.then(settle, settle);
    return work;
  }

  const checked = checkPayloads(
    {
      async append(event) {
        return (await open()).append(event);
      },
      appendLater(event, lost) {
        if (opened !== undefined) opened.appendLater(event, lost);
        else void track(open().then((later) => later.appendLater(event, lost), lost));
      },
      recurring: (...args) => opened?.recurring(...args),
    },
    auditCatalogue,
  );
  const writer: AuditWriter = {
    append: (event) => track(checked.append(event)),
    appendLater(event, lost) {
      const waiting = checked.appendLater(event, lost);
      if (waiting !== undefined) void track(waiting);
    },
    recurring: checked.recurring,
  };

  return {
    open,
    async isReady() {
      return opened?.status().state === 'open';
    },
    ...writer,
    events: createHouseEvents(writer),
    isEvent: (action) => Object.hasOwn(auditCatalogue, action),
    async close() {
      while (pending.size > 0) await Promise.allSettled(pending);
      await (await log)?.close();
    },
  };
}

/** Where the log lies, and what it is called when it is created. */
export function auditSettings(config: Config) {
  const { dataDir, baseUrl } = config;
  const { origin, key, previousKey } = config.surfaces.audit;
  const host = baseUrl === undefined ? 'localhost' : new URL(baseUrl).host;
  return {
    directory: dataDir,
    origin: origin ?? `${host}/audit`,
    key,
    previousKey,
  };
}
