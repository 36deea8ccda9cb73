import { configuredKey } from '#contract/config/secret-key';
import type { Config } from '../../../generated/config.ts';
import { fileAnchor, s3Anchor } from './audit-anchors.ts';
import { createWitnessAnchors, requireLogKeys, requireWitnessKey } from './audit-witnesses.ts';

/** What has to hold of the settings of the log, besides the form of each. Nothing is opened. */
export const auditRules: readonly ((config: Config) => unknown)[] = [
  ({ surfaces: { audit } }) => configuredKey('SERVICE_AUDIT_KEY', audit.key),
  ({ surfaces: { audit } }) => configuredKey('SERVICE_AUDIT_PREVIOUS_KEY', audit.previousKey),
  fileAnchor,
  s3Anchor,
  createWitnessAnchors,
  requireLogKeys,
  requireWitnessKey,
];
