import type { AuditLog } from '#contract/house/audit';
import {
  type AuditEvents,
  auditCatalogue,
  createAuditEvents,
} from '../../../generated/audit-events.ts';
import type { Config } from '../../../generated/config.ts';
import { configuredSeed } from '../keys/key-files.ts';
import { checkPayloads } from './audit-payloads.ts';

/** The audit log of this process: opened by whoever serves, else when it is first used. */
export interface AuditAccess {
  /** @throws StartError when the log cannot be used */
  open(): Promise<AuditLog>;
  /** Whether it is open and takes entries; asking does not open it. */
  isReady(): Promise<boolean>;
  /** What writes to it. */
  readonly events: AuditEvents;
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
  const events = createAuditEvents({
    append: (event) => track(checked.append(event)),
    appendLater(event, lost) {
      const waiting = checked.appendLater(event, lost);
      if (waiting !== undefined) void track(waiting);
    },
    recurring: checked.recurring,
  });

  return {
    open,
    async isReady() {
      return (await log)?.status().state === 'open';
    },
    events,
    async close() {
      while (pending.size > 0) await Promise.allSettled(pending);
      await (await log)?.close();
    },
  };
}

/**
 * Where the log lies, and what it is called when it is created.
 *
 * @throws ConfigError when a key that was given is none
 */
export function auditSettings(config: Config) {
  const { dataDir, auditOrigin, auditKey, auditPreviousKey, baseUrl } = config;
  configuredSeed('SERVICE_AUDIT_KEY', auditKey);
  configuredSeed('SERVICE_AUDIT_PREVIOUS_KEY', auditPreviousKey);
  const host = baseUrl === undefined ? 'localhost' : new URL(baseUrl).host;
  return {
    directory: dataDir,
    origin: auditOrigin ?? `${host}/audit`,
    key: auditKey,
    previousKey: auditPreviousKey,
  };
}
