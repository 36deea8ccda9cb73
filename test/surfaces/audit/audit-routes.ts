import assert from 'node:assert/strict';
import type { AuditReader } from '#contract/house/audit-events';
import type { Witness } from '#contract/house/witness';
import type { BoundRoute } from '#contract/surface/surface';
import { surface } from '../../../runtime/surfaces/audit/index.ts';

/** The routes of the surface over a log that is only read, or without one. */
export async function auditRoutes(parts: {
  readonly log?: AuditReader;
  readonly witness?: Witness;
}): Promise<readonly BoundRoute[]> {
  const { log, witness } = parts;
  const unused = () => assert.fail('nothing is written to the log');
  const open = async () => log ?? assert.fail('the log is not needed');
  const audit = { open, append: unused, appendLater: unused, isEvent: unused };
  return (await surface.create({ audit, witness }, {})).routes ?? [];
}
