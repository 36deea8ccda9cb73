import type { TestContext } from 'node:test';
import type { Store } from '#contract/house/store';
import type { Tool } from '#contract/tool';
import type { Tables } from '../../../../generated/tables.ts';
import { toolOf } from '../../in-memory-tools.ts';
import { openStore } from '../../store/replicas.ts';
import { temporaryDirectory } from '../../store/temporary-directory.ts';

/** What a client of the extension declares. */
export const extension = { 'io.modelcontextprotocol/tasks': {} };

export const said = (text: string) => ({ content: [{ type: 'text', text }] as const });

/** A tool that always becomes a task. */
export const required = (name: string, call: Tool['call']) =>
  toolOf({ name, task: 'required' }, call);

export const done = required('done', async () => said('done'));
export const endless = required('endless', () => new Promise(() => {}));

export function freshStore(t: TestContext): Promise<Store<Tables>> {
  return openStore(t, { dataDir: temporaryDirectory(t) });
}
