import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { storeWith } from '#contract/house/store';
import type {
  ConnectionRow,
  ConnectionsTables,
} from '../../../../generated/surfaces/connections/tables.ts';
import { Call } from '../../../../runtime/admission/call.ts';
import type { Service } from '../../../../runtime/main.ts';
import { Deferred } from '../../../../runtime/mcp/tasks/tasks.ts';
import { modern } from '../../../runtime/mcp/rpc.ts';
import { ask, bearer, post, postForm, tokenPath } from '../agent.ts';
import { browser, formOf, leadsTo } from '../consent-browser.ts';
import type { Things } from '../things-of-tenant.ts';

/** Two tenants of a server, with what each has, and with a token of the second. */
export interface TwoTenants {
  readonly service: Service;
  readonly acme: string;
  readonly globex: string;
  readonly theirs: Things;
  readonly own: Things;
  readonly token: string;
}

const back = 'http://127.0.0.1/back';
const verifier = 'v'.repeat(43);

/** A code of a tenant, whose person has just given it to a client. */
async function codeAt(base: string, { client_id = '', session = '' }: Things): Promise<string> {
  const person = browser(new Map([['session', session]]));
  const url = new URL(`${base}/oauth2/authorize`);
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  for (const [name, value] of Object.entries({
    ...{ client_id, response_type: 'code', scope: 'mcp.tools', state: 's' },
    ...{ redirect_uri: back, resource: `${base}/mcp` },
    ...{ code_challenge: challenge, code_challenge_method: 'S256' },
  })) {
    url.searchParams.set(name, value);
  }
  const page = leadsTo(await person.open(url.href), url.href);
  const form = formOf(await (await person.open(page.href)).text());
  form.set('decision', 'allow');
  const target = page.href.replace(/\?.*$/, '');
  const code = leadsTo(await person.send(target, form), target).searchParams.get('code');
  return code ?? assert.fail(`no code came from ${page.href}`);
}

/** A code is worth nothing at another tenant, and is not used up there. */
export async function codesAreApart({ acme, globex, theirs, own }: TwoTenants): Promise<void> {
  const code = await codeAt(acme, theirs);
  const trade = (base: string, client: string | undefined, given: string) =>
    postForm(base + tokenPath, {
      ...{ grant_type: 'authorization_code', code: given, redirect_uri: back },
      ...{ code_verifier: verifier, client_id: client ?? '' },
    });
  const unknown = `${code.slice(0, 4)}${randomBytes(32).toString('base64url')}`;
  const [foreign, made] = [
    await trade(globex, own['client_id'], code),
    await trade(globex, own['client_id'], unknown.slice(0, code.length)),
  ];
  assert.equal(foreign.json.error, 'invalid_grant');
  assert.deepEqual([foreign.status, foreign.text], [made.status, made.text]);
  assert.equal((await trade(acme, theirs['client_id'], code)).status, 200);
}

/** A task is there for its own tenant alone. */
export async function tasksAreApart({ service, globex, token }: TwoTenants): Promise<void> {
  const caller = {
    tenant: 'acme',
    subject: 's',
    client: 'c',
    scopes: 'all',
    transport: 'mcp',
  } as const;
  const made = service.mcp.tasks.defer({ name: 'audit' }, { operation: 'list' }, new Call(caller));
  const task = await made.catch((error: unknown) => {
    assert.ok(error instanceof Deferred, String(error));
    return error.task;
  });
  const extensions = { 'io.modelcontextprotocol/tasks': {} };
  const _meta = { 'io.modelcontextprotocol/clientCapabilities': { extensions } };
  for (const method of ['tasks/get', 'tasks/cancel']) {
    const [foreign, unknown] = await Promise.all(
      [task.id, 'x'.repeat(task.id.length)].map((taskId) =>
        modern(new URL(`${globex}/mcp`), { method, params: { taskId }, _meta }, bearer(token)),
      ),
    );
    assert.ok(foreign?.body.error && unknown, JSON.stringify(foreign));
    const told = foreign.text.replaceAll(task.id, 'x'.repeat(task.id.length));
    assert.deepEqual([foreign.status, told], [unknown.status, unknown.text], method);
  }
}

/** The key with which one tenant does something once stands for nothing at another. */
export async function keysAreApart({ acme, globex }: TwoTenants): Promise<void> {
  const headers = { 'idempotency-key': `"${randomBytes(8).toString('hex')}"` };
  const made = async (base: string) =>
    (await post(`${base}/agent/identity`, { type: 'anonymous' }, headers)).json.registration_id;
  const first = await made(acme);
  assert.ok(first);
  assert.notEqual(await made(globex), first);
  assert.equal(await made(acme), first);
}

/** Accounts at vendors serve, and are seen and ended, in their own tenant alone. */
export async function connectionsAreApart({ service, globex, own }: TwoTenants): Promise<void> {
  const { db } = storeWith<ConnectionsTables>(service.engines.store);
  const subject = 'usr_0000';
  const row: ConnectionRow = {
    ...{ tenant: 'acme', subject, provider: 'github', id: 'con', scheme: 'oauth' },
    ...({ state: 'connected', way: 'key' } as const),
    ...{ sealed: 'x', key_id: 'k', account: 'octo-of-acme', scopes: '' },
    ...{ version: 1, expires_at: null, lease_until: null, made_at: 0, changed_at: 0 },
  };
  await db.insertInto('connection').values(row).execute();
  const { credentials } = service.vendors;
  const callerAt = (tenant: string) =>
    ({ tenant, subject, client: 'c', scopes: new Set<string>(), transport: 'mcp' }) as const;
  assert.ok(await credentials.find(callerAt('acme'), 'github'));
  assert.equal(await credentials.find(callerAt('globex'), 'github'), undefined);
  const command = service.commands['connections'] ?? assert.fail();
  assert.match(await command(['list'], { tenant: 'globex' }), /nobody has connected/);
  await assert.rejects(
    command(['disconnect', subject, 'github'], { tenant: 'globex' }),
    /no account/,
  );
  assert.match(await command(['list'], { tenant: 'acme' }), /usr_0000/);
  const headers = { cookie: `session=${own['session']}` };
  const { text, status } = await ask(`${globex}/connect/github`, { headers });
  assert.equal(status, 200, text);
  assert.doesNotMatch(text, /octo-of-acme/);
  await db.deleteFrom('connection').where('tenant', '=', 'acme').execute();
}

/** The page of agents shows those of its own tenant, also to a person with the same address at both. */
export async function agentsAreApart({ acme, globex, theirs, own }: TwoTenants): Promise<void> {
  const shown = async (base: string, things: Things) =>
    (await ask(`${base}/agents`, { headers: { cookie: `session=${things['session']}` } })).text;
  const [there, here] = [await shown(acme, theirs), await shown(globex, own)];
  assert.ok(there.includes(String(theirs['id'])), there);
  assert.ok(here.includes(String(own['id'])), here);
  assert.ok(!here.includes(String(theirs['id'])));
  assert.ok(!(await shown(globex, theirs)).includes(String(theirs['id'])));
}
