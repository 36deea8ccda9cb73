import { appendFileSync } from 'node:fs';
import type { Caller } from '#contract/caller';
import { createAdmission } from '../../../../runtime/admission/admission.ts';
import { Call } from '../../../../runtime/admission/call.ts';
import { createStore } from '../../../../runtime/store/index.ts';
import { keyParts } from './keyed-server.ts';

const caller: Caller = {
  ...{ tenant: 't', subject: 's', client: 'c', scopes: 'all', transport: 'mcp' },
};

/** What does the calls of a test: each writes its number to a file, which nothing takes back. */
export async function openWork(
  dataDir: string,
  file: string,
  { now, acted = () => {} }: { now?: () => number; acted?: (number: unknown) => void } = {},
) {
  const store = createStore({ dataDir });
  await store.open();
  const idempotency = keyParts({ store, ...(now && { now }) });
  const admission = createAdmission({ callRate: 0, idempotency });
  const operation = { name: 'act', access: 'public', idempotency: 'required' } as const;
  const run = admission.admit(operation, async ({ number }) => {
    appendFileSync(file, `${number}\n`);
    acted(number);
    return { number };
  });
  return {
    store,
    call: (number: number) => {
      const idempotencyKey = `key ${number}`;
      return run({ number }, new Call(caller, undefined, { idempotencyKey }));
    },
  };
}
