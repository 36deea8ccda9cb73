import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Anchor } from '../../../runtime/audit/anchors/anchor.ts';
import { Cosigner, createWitness, createWitnessAnchor } from '../../../runtime/audit/index.ts';
import { createStore } from '../../../runtime/store/index.ts';
import { startInMemoryServer } from '../../runtime/in-memory-server.ts';
import { auditRoutes } from './audit-routes.ts';

/** The witness of the tests. */
export const cosigner = new Cosigner('w.example.com/witness', Buffer.alloc(32, 3));

/** A folder that is gone when the test is over. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'witness-'));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Serve a witness of these logs for the time of one test; gives its address and what asks it. */
export async function startWitness(
  t: TestContext,
  logs: readonly string[],
): Promise<{ base: string; anchor: Anchor }> {
  const store = createStore({ dataDir: temporaryFolder(t) });
  await store.open();
  const witness = createWitness({ store, logs, cosigner: () => cosigner });
  const routes = await auditRoutes({ witness });
  const base = new URL('/audit/witness', await startInMemoryServer(t, { routes })).href;
  t.after(() => store.close());
  return { base, anchor: createWitnessAnchor({ url: base, vkey: cosigner.vkey }) };
}
