export { type AuditLogOptions, openAuditLog } from './audit-log.ts';
export { exportLog } from './export.ts';
export { createFileAnchor } from './file-anchor.ts';
export { openSuccessorLog } from './successor.ts';
export { tilePath, verifyPath } from './verify-files.ts';
