import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import test from 'node:test';
import type { Caller } from '#contract/caller';
import { createAdmission } from '../../../runtime/admission/admission.ts';
import { Call } from '../../../runtime/admission/call.ts';
import { Approvals } from '../../../runtime/admission/confirm/approvals.ts';
import { clientAt, withApproval } from '../../../runtime/commands/terminal-approval.ts';
import { createJobs } from '../../../runtime/jobs/index.ts';
import { createStore } from '../../../runtime/store/index.ts';
import { deleting } from '../admission/confirm/confirm-server.ts';

const caller: Caller = {
  ...{ tenant: 't', subject: 's', client: 'c', scopes: 'all', transport: 'cli' },
};

/** Run the tool as the command does, with a store that is never opened. */
async function run(typed: string | undefined) {
  const deleted: unknown[] = [];
  const tool = deleting(deleted);
  const store = createStore({ dataDir: '/nowhere' });
  const jobs = createJobs(store, { log: { warn: () => {} } });
  const noted: unknown[] = [];
  const events = { approvalDecided: (async (facts: unknown) => noted.push(facts)) as never };
  const approvals = new Approvals({ store, jobs, events });
  const tokens = { seal: () => '', open: () => undefined };
  const people = { nobodyDecides: () => undefined };
  const confirm = { approvals, tokens, people, pageOf: () => undefined, patienceMs: 0 };
  const admitted = createAdmission({ callRate: 0, confirm }).admit(tool.definition, tool.call);
  const input = new PassThrough();
  const output = new PassThrough();
  const terminal = typed === undefined ? undefined : { input, output };
  if (typed !== undefined) input.end(`${typed}\n`);
  const call = new Call(caller, undefined, { client: clientAt(terminal) });
  const result = withApproval(call, terminal, () => admitted({ path: '/a' }, call));
  await result.catch(() => {});
  return { result, deleted, noted, shown: String(output.read() ?? '') };
}

test('a call on the command line runs once its user types yes', async () => {
  const { result, deleted, noted, shown } = await run('yes');
  await result;
  assert.deepEqual(deleted, ['/a']);
  assert.equal(noted.length, 1);
  assert.match(shown, /Run "Delete a file" \(delete_file\)\?[\s\S]*- path: "\/a"/);
});

for (const typed of ['', 'no', 'y']) {
  test(`nothing is done where the user types ${JSON.stringify(typed)}`, async () => {
    const { result, deleted } = await run(typed);
    await assert.rejects(result, /declined, and nothing was done/);
    assert.deepEqual(deleted, []);
  });
}

test('nothing is done where nobody sits at a terminal', async () => {
  const { result, deleted } = await run(undefined);
  await assert.rejects(result, /needs the approval of a person/);
  assert.deepEqual(deleted, []);
});
