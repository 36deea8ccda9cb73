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
} from '../../../browser/browser.ts';
import { Agent } from '../claiming-agent.ts';
import { serveIdentity } from '../served-identity.ts';

// The pages of the ceremony as a person meets them: in a browser, without scripts of ours.

const email = 'ada@example.com';

async function requireGood(page: Page, name: string): Promise<void> {
  await picture(page, name);
  assert.deepEqual(await barriersOf(page), [], name);
  assert.deepEqual(await unreachableTexts(page), [], name);
  assert.ok((await sidewaysPixels(page)) <= 0, `${name}: nothing lies beside the screen`);
  assert.ok(Buffer.byteLength(await page.content()) < 30_000, `${name}: 30 kB at most`);
}

async function begun(agent: Agent) {
  const registered = await agent.register({
    type: 'anonymous',
    client_name: `A helper with a long name ${'and more '.repeat(8)}`,
    software_id: 'https://agents.example.com/helper/with/a/long/path/to/it',
  });
  const { body } = await agent.claim({ claim_token: registered.claimToken, login_hint: email });
  const attempt = body['claim_attempt'] as Readonly<Record<string, string>>;
  const { verification_uri: link = '', user_code: userCode = '' } = attempt;
  return { ...registered, link, userCode };
}

for (const [screen, options] of Object.entries(screens)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const look = `${screen}-${colorScheme}`;
    test(`${look}: a person claims an agent with either code, and revokes it`, async (t) => {
      const { base } = await serveIdentity(t, { SERVICE_REGISTRATIONS_PER_NETWORK: '1000' });
      const browser = await startBrowser(t);
      const agent = new Agent(base);
      const first = await begun(agent);
      const page = await openIn(t, browser, first.link, { ...options, colorScheme });
      await requireGood(page, `sign-in-${look}`);
      await page.getByLabel('E-mail address').fill(email);
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'May this agent act for you?' }).waitFor();
      await requireGood(page, `claim-${look}`);
      await page.getByLabel(/given you a code/).fill('BBBB-BBBB');
      await page.getByRole('button', { name: 'Agree with this code' }).click();
      await page.getByRole('alert').waitFor();
      await requireGood(page, `claim-wrong-code-${look}`);
      await page.getByRole('button', { name: 'Agree and show me a code' }).click();
      await page.getByRole('heading', { name: 'Read this code to your agent' }).waitFor();
      await requireGood(page, `claim-code-${look}`);
      const code = await page.locator('.code').innerText();
      assert.equal((await agent.complete(first.claimToken, code)).status, 200);
      const second = await begun(agent);
      await page.goto(second.link);
      await page.getByLabel(/given you a code/).fill(second.userCode);
      await page.keyboard.press('Enter');
      await page.getByRole('heading', { name: 'This agent acts for you' }).waitFor();
      await requireGood(page, `claimed-${look}`);
      await page.getByRole('link', { name: 'what acts for you' }).click();
      await page.getByRole('heading', { name: 'What acts for you' }).waitFor();
      await requireGood(page, `agents-${look}`);
      await page.getByRole('button', { name: 'Revoke' }).first().click();
      await page.getByText('It was revoked').waitFor();
      assert.equal(await page.getByRole('button', { name: 'Revoke' }).count(), 1);
    });
  }
}
