import assert from 'node:assert/strict';
import test from 'node:test';
import type { Page } from 'playwright-core';
import {
  barriersOf,
  openIn,
  picture,
  screens,
  sidewaysPixels,
  startBrowser,
  unreachableTexts,
} from '../../browser/browser.ts';
import { can } from '../../runtime/admission/confirm/confirm-server.ts';
import { Agent } from '../identity/claiming-agent.ts';
import { type MailServer, startMailServer } from '../identity/outbox/mail-server.ts';
import { callAs, claimedAgent, pageIn, startGuarded } from './signed-in.ts';

// A person decides about an act of their agent, in a real browser, from the address to the result.

async function requireGood(page: Page, name: string): Promise<void> {
  await picture(page, name);
  assert.deepEqual(await barriersOf(page), [], name);
  assert.deepEqual(await unreachableTexts(page), [], name);
  assert.ok((await sidewaysPixels(page)) <= 0, `${name}: nothing lies beside the screen`);
}

async function signIn(page: Page, email: string): Promise<void> {
  await page.getByLabel('E-mail address').fill(email);
  await page.getByRole('button', { name: /Sign in|Send me the link/ }).click();
}

for (const [screen, options] of Object.entries(screens)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const look = `${screen}-${colorScheme}`;
    test(`${look}: a person follows the address, signs in, reads and approves; the call completes`, async (t) => {
      const { base, deleted } = await startGuarded(t);
      const { token, id } = await claimedAgent(base, 'ada@example.com');
      const args = { path: '/srv/a' };
      const { inputRequests, requestState } = await callAs(base, token, args, { able: can.pages });
      const url = String(inputRequests?.['page']?.params['url']);
      const browser = await startBrowser(t);

      const eve = await openIn(t, browser, url, { ...options, colorScheme });
      await signIn(eve, 'eve@example.com');
      await eve.getByRole('heading', { name: 'Not found' }).waitFor();
      await requireGood(eve, `approval-foreign-${look}`);
      assert.doesNotMatch(await eve.content(), /srv|delete_file|ada@/);

      const ada = await openIn(t, browser, url, { ...options, colorScheme });
      await signIn(ada, 'ada@example.com');
      await ada.getByRole('heading', { name: 'Approve this call?' }).waitFor();
      assert.match(await ada.getByRole('region', { name: /^path/ }).innerText(), /\/srv\/a/);
      await requireGood(ada, `approval-own-${look}`);
      const more = { inputResponses: { page: { action: 'accept' } }, requestState };
      const answer = callAs(base, token, args, { able: can.pages, more });
      await ada.getByRole('button', { name: 'Approve once' }).click();
      await ada.getByRole('heading', { name: 'Approved' }).waitFor();
      assert.equal((await answer).content?.[0]?.text, 'deleted /srv/a');
      assert.deepEqual(deleted, ['/srv/a']);

      const late = pageIn(await callAs(base, token, { path: '/srv/b' }));
      await ada.goto(`${base}/agents`);
      await ada.locator(`form:has(input[value="${id}"])`).getByRole('button').click();
      await ada.getByText('It was revoked').waitFor();
      assert.equal((await ada.goto(late))?.status(), 404);
    });
  }
}

const email = 'ada@example.com';

/** Ask for a link, and use it in the same browser. */
async function signInByMail(page: Page, mail: MailServer, known: number): Promise<void> {
  await signIn(page, email);
  await page.getByRole('heading', { name: 'Look into your mail' }).waitFor();
  const { text } = await mail.next(email, known);
  const [link = ''] = /http\S+\/sign-in\/link\?link=sgn_[\w-]+/.exec(text) ?? [];
  await page.goto(link);
  await page.getByRole('button', { name: 'Sign in' }).click();
}

test('with a link in an e-mail, a person is led back to the approval', async (t) => {
  const mail = await startMailServer(t);
  const { base, deleted } = await startGuarded(t, {
    ...{ SERVICE_CLAIM_AUTH: 'email', SERVICE_SMTP_URL: mail.smtpUrl },
    SERVICE_MAIL_FROM: 'Tools <tools@example.com>',
  });
  const agent = new Agent(base);
  const { claimToken } = await agent.register({ type: 'anonymous' });
  const { body } = await agent.claim({ claim_token: claimToken, login_hint: email });
  const { verification_uri: link = '' } = body['attempt'] as Record<string, string>;
  const page = await openIn(t, await startBrowser(t), link);
  await signInByMail(page, mail, 0);
  await page.getByRole('button', { name: 'Agree and show me a code' }).click();
  const code = await page.locator('.code').innerText();
  const done = await agent.complete(claimToken, code);
  const { body: issued } = await agent.exchange(done.body['identity_assertion']);
  const token = String(issued['access_token']);
  const known = (await mail.received(email)).length;

  await page.context().clearCookies();
  await page.goto(pageIn(await callAs(base, token, { path: '/mailed' })));
  await signInByMail(page, mail, Math.max(known, 2));
  await page.getByRole('heading', { name: 'Approve this call?' }).waitFor();
  await page.getByRole('button', { name: 'Approve once' }).click();
  await page.getByRole('heading', { name: 'Approved' }).waitFor();
  assert.ok(!(await callAs(base, token, { path: '/mailed' })).isError);
  assert.deepEqual(deleted, ['/mailed']);
});
