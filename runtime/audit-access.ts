import type { AuditEvent, AuditLog, AuditReceipt } from '#contract/audit';
import type { AuditWriter } from '#contract/audit-events';
import { type AuditEvents, auditCatalogue, createAuditEvents } from '../generated/audit-events.ts';
import type { Config } from '../generated/config.ts';
import { checkPayloads } from './admission/audit-payloads.ts';

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
  const pending = new Set<Promise<AuditReceipt>>();

  function open(): Promise<AuditLog> {
    log ??= openLog().catch((error: unknown) => {
      // Another process may have let go of it by the next time.
      log = undefined;
      throw error;
    });
    return log;
  }

  const writer: AuditWriter = {
    async append(event: AuditEvent) {
      return (await open()).append(event);
    },
  };
  const checked = checkPayloads(writer, auditCatalogue);
  const events = createAuditEvents({
    append(event) {
      const receipt = checked.append(event);
      pending.add(receipt);
      const settle = () => void pending.delete(receipt);
      receipt.then(settle, settle);
      return receipt;
    },
  });

  return {
    open,
    async isReady() {
      return (await log)?.status().state === 'open';
    },
    events,
    async close() {
      await Promise.allSettled(pending);
      await (await log)?.close();
    },
  };
}

/** Where the log lies, and what it is called when it is created. */
export function auditSettings({ dataDir, auditOrigin, auditKey, baseUrl }: Config) {
  const host = baseUrl === undefined ? 'localhost' : new URL(baseUrl).host;
  return {
    directory: dataDir,
    origin: auditOrigin ?? `${host}/audit`,
    key: auditKey,
  };
}
