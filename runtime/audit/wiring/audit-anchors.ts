import { isAbsolute, relative, sep } from 'node:path';
import { ConfigError } from '#contract/config/config';
import type { Config } from '../../../generated/config.ts';
import type { Anchor } from '../anchors/anchor.ts';
import { createFileAnchor } from '../anchors/file-anchor.ts';
import { createS3Anchor } from '../anchors/s3-anchor.ts';
import { createWitnessAnchors } from './audit-witnesses.ts';

/**
 * The places outside of the data directory that keep the checkpoints of the audit log.
 *
 * @throws ConfigError
 */
export function createAuditAnchors(config: Config): readonly Anchor[] {
  return [fileAnchor(config), ...s3Anchor(config), ...createWitnessAnchors(config)];
}

export function fileAnchor({ dataDir, surfaces }: Config): Anchor {
  const { anchorDir } = surfaces.audit;
  if (anchorDir !== undefined) refuseInside(dataDir, anchorDir);
  return createFileAnchor(anchorDir ?? `${dataDir.replace(/[/\\]+$/, '')}-anchors`);
}

/** Whoever puts back an older copy of the data would put back what the anchor knows of it. */
function refuseInside(dataDir: string, anchorDir: string): void {
  const way = relative(dataDir, anchorDir);
  if (way === '..' || way.startsWith(`..${sep}`) || isAbsolute(way)) return;
  const expected = 'a folder outside of SERVICE_DATA_DIR, so that it is not restored along with it';
  const received = JSON.stringify(anchorDir.slice(0, 200));
  throw new ConfigError([{ variable: 'SERVICE_AUDIT_ANCHOR_DIR', expected, received }]);
}

export function s3Anchor({ surfaces: { audit } }: Config): readonly Anchor[] {
  const { s3Endpoint: endpoint, s3Bucket: bucket } = audit;
  const { s3AccessKeyId: accessKeyId, s3SecretAccessKey: secretAccessKey } = audit;
  const { s3Region: region, s3RetainDays: retainDays } = audit;
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
