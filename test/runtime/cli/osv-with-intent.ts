import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isMainThread } from 'node:worker_threads';

/**
 * Loaded before the server: `osv_get` is an act that cannot be undone, so its calls are written to
 * the audit log before and after. No vendor tool that needs no credential is one.
 */
if (isMainThread) {
  const { providers } = await import('../../../generated/providers.ts');
  const osv = providers['osv'];
  if (osv === undefined) throw new Error('there is no provider osv');
  const tools: { name: string }[] = JSON.parse(readFileSync(osv.definitions, 'utf8'));
  const folder = mkdtempSync(join(tmpdir(), 'osv-with-intent-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  const path = join(folder, 'definitions.json');
  const changed = tools.map((tool) =>
    tool.name === 'osv_get' ? { ...tool, audit: 'intent' } : tool,
  );
  writeFileSync(path, JSON.stringify(changed));
  Object.assign(osv, { definitions: pathToFileURL(path) });
}
