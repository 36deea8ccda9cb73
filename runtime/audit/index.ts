export { type AuditLogOptions, openAuditLog } from './audit-log.ts';
export { Cosigner } from './cosignature.ts';
export { exportLog } from './export.ts';
export { createFileAnchor } from './file-anchor.ts';
export { createS3Anchor, type S3AnchorOptions } from './s3-anchor.ts';
export { openSuccessorLog } from './successor.ts';
export { tilePath, verifyPath } from './verify-files.ts';
export { createWitness } from './witness.ts';
export { createWitnessAnchor } from './witness-anchor.ts';
