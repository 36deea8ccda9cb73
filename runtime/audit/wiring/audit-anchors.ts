import { isAbsolute, relative, sep } from 'node:path';
import { ConfigError } from '#contract/config/config';
import type { Config } from '../../../generated/config.ts';
import type { Anchor } from '../anchors/anchor.ts';
import { createFileAnchor, createS3Anchor } from '../index.ts';
import { createWitnessAnchors } from './audit-witnesses.ts';

/**
 * The places outside of the data directory that keep the checkpoints of the audit log.
 *
 * @throws ConfigError
 */
export function createAuditAnchors(config: Config): readonly Anchor[] {
  return [fileAnchor(config), ...s3Anchor(config), ...createWitnessAnchors(config)];
}

function fileAnchor({ auditAnchorDir, dataDir }: Config): Anchor {
  if (auditAnchorDir !== undefined) refuseInside(dataDir, auditAnchorDir);
  return createFileAnchor(auditAnchorDir ?? `${dataDir.replace(/[/\\]+$/, '')}-anchors`);
}

/** Whoever puts back an older copy of the data would put back what the anchor knows of it. */
function refuseInside(dataDir: string, anchorDir: string): void {
  const way = relative(dataDir, anchorDir);
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return;
  const expected = 'a folder outside of SERVICE_DATA_DIR, so that it is not restored along with it';
  const received = JSON.stringify(anchorDir.slice(0, 200));
  throw new ConfigError([{ variable: 'SERVICE_AUDIT_ANCHOR_DIR', expected, received }]);
}

function s3Anchor(config: Config): readonly Anchor[] {
  const { auditS3Endpoint: endpoint, auditS3Bucket: bucket } = config;
  const { auditS3AccessKeyId: accessKeyId, auditS3SecretAccessKey: secretAccessKey } = config;
  const { auditS3Region: region, auditS3RetainDays: retainDays } = config;
  if (endpoint && bucket && accessKeyId && secretAccessKey) {
    const options = { endpoint, bucket, region, accessKeyId, secretAccessKey, retainDays };
    return [createS3Anchor(options)];
  }
  refuseSome({
    SERVICE_AUDIT_S3_ENDPOINT: endpoint,
    SERVICE_AUDIT_S3_BUCKET: bucket,
    SERVICE_AUDIT_S3_ACCESS_KEY_ID: accessKeyId,
    SERVICE_AUDIT_S3_SECRET_ACCESS_KEY: secretAccessKey,
  });
  return [];
}

/** A bucket that is half configured would be a copy that somebody counts on and nobody writes. */
function refuseSome(required: Readonly<Record<string, string | undefined>>): void {
  const set = Object.keys(required).filter((name) => required[name]);
  const missing = Object.keys(required).filter((name) => !required[name]);
  if (set.length === 0) return;
  const expected = `a value, because ${set[0]} is set (they belong together)`;
  throw new ConfigError(missing.map((variable) => ({ variable, expected })));
}
