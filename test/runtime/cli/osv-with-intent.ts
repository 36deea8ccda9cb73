import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before the server: `osv_get` is an act that cannot be undone, so its calls are written to
 * the audit log before and after. No vendor tool that needs no credential is one.
 */
if (isMainThread) {
  const { osvGet } = await import('../../../generated/providers/osv/vulnerabilities.ts');
  Object.assign(osvGet, { audit: 'intent' });
}
