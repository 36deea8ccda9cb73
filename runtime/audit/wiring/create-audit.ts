import type { Logger } from 'pino';
import type { Store } from '#contract/house/store';
import type { Witness } from '#contract/house/witness';
import type { Config } from '../../../generated/config.ts';
import type { Tables } from '../../../generated/tables.ts';
import type { AuditTrail } from '../../admission/steps/audit.ts';
import type { Part } from '../../process/life.ts';
import { type AuditLogOptions, openAuditLog } from '../engine/audit-log.ts';
import { type AuditAccess, auditSettings, createAuditAccess } from './audit-access.ts';
import { createAuditAnchors } from './audit-anchors.ts';
import { createLogWitness } from './audit-witnesses.ts';

/** The audit log of this process, and what belongs to it. */
export interface Audit extends AuditAccess, Pick<AuditTrail, 'onLoss'>, Part {
  /** With which the log is opened. */
  readonly options: AuditLogOptions;
  /** Absent where no logs of others are watched. */
  readonly witness: Witness | undefined;
}

export interface AuditParts {
  readonly store: Store<Tables>;
  readonly log: Logger;
  readonly databaseUrl: string | undefined;
}

/**
 * Make what the operator has chosen of the log; nothing is open yet.
 *
 * @throws ConfigError
 */
export function createAudit(config: Config, { store, log, databaseUrl }: AuditParts): Audit {
  const options: AuditLogOptions = {
    ...auditSettings(config),
    databaseUrl,
    anchors: createAuditAnchors(config),
    report: (message, error) => log.error({ err: error }, message),
  };
  const access = createAuditAccess(() => openAuditLog(options));
  let opening: Promise<unknown> | undefined;
  return {
    ...access,
    options,
    witness: createLogWitness(config, store, log),
    onLoss: (error, operation) =>
      log.error({ err: error, operation }, 'a call is missing from the audit log'),
    // Threads, files and anchors take a while; who writes waits for the log, nobody else has to.
    async start() {
      opening = access.open();
      opening.catch(() => {});
    },
    ready: async () => opening,
    async stop() {
      await opening?.catch(() => {});
      await access.close();
    },
  };
}
