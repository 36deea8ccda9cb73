import type { TestContext } from 'node:test';
import type { PageWalk } from '../../pages/page-walk.ts';
import { Browser } from '../identity/browser.ts';
import { personAt } from '../identity/claiming-agent.ts';
import { callAs, claimedAgent, pageIn, startGuarded } from './signed-in.ts';

const email = 'ada@example.com';

/** The page on which a person agrees to what an agent wants to do, and what it says when that is over. */
export async function walkApprovals(t: TestContext, walk: PageWalk): Promise<void> {
  const { base } = await startGuarded(t);
  const { token, id, person } = await claimedAgent(base, email);
  let asked = 0;
  const ask = async () => pageIn(await callAs(base, token, { path: `/srv/${++asked}` }));
  const decide = (decision: string) => ({ decision });
  const action = (url: string) => new URL(url).pathname;

  const approved = await ask();
  await walk.open(person, approved, 200);
  await walk.forge(person, action(approved), decide('approved'));
  await walk.open(await personAt(base, '/agents', 'eve@example.com'), approved, 404);
  await walk.open(person, approved, 200);
  await walk.send(person, action(approved), 200, decide('approved'));
  await walk.open(person, approved, 200);
  await callAs(base, token, { path: `/srv/${asked}` });
  await walk.open(person, approved, 200);

  const declined = await ask();
  await walk.open(person, declined, 200);
  const twin = await personAt(base, declined, email);
  await walk.send(twin, action(declined), 200, decide('declined'));
  await walk.send(person, action(declined), 409, decide('approved'));
  await walk.open(person, declined, 200);

  const revoked = await ask();
  await walk.open(person, revoked, 200);
  await twin.open('/agents');
  await twin.send('/agents/revoke', { id });
  await walk.send(person, action(revoked), 404, decide('approved'));

  const { base: none } = await startGuarded(t, { SERVICE_CLAIM_AUTH: 'none' });
  await walk.open(new Browser(none), `/approvals/${'a'.repeat(32)}`, 403);
}
