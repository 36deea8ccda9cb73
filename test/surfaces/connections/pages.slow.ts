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
import { freePort } from '../identity/outbox/mail-server.ts';
import { serveIdentity } from '../identity/served-identity.ts';
import { type Dialect, dialects } from './dialects.ts';
import { agentOf, call, connectUrlIn } from './people.ts';
import { settingsOf, startVendor } from './vendor.ts';

// The pages on which people connect accounts, as they meet them: in a browser, without scripts.

const dialect = dialects.find(({ id }) => id === 'slack') as Dialect;

async function requireGood(page: Page, name: string): Promise<void> {
  await picture(page, name);
  assert.deepEqual(await barriersOf(page), [], name);
  assert.deepEqual(await unreachableTexts(page), [], name);
  assert.ok((await sidewaysPixels(page)) <= 0, `${name}: nothing lies beside the screen`);
  assert.ok(Buffer.byteLength(await page.content()) < 30_000, `${name}: 30 kB at most`);
}

for (const [screen, options] of Object.entries(screens)) {
  for (const colorScheme of ['light', 'dark'] as const) {
    const look = `${screen}-${colorScheme}`;
    test(`${look}: a person connects an account at the vendor, and disconnects it`, async (t) => {
      const port = await freePort();
      const base = `http://127.0.0.1:${port}`;
      const vendor = await startVendor(t, dialect, base);
      await serveIdentity(t, {
        ...settingsOf(dialect, vendor),
        ...{ PORT: String(port), SERVICE_AUTH: 'required', SERVICE_PROVIDER: 'slack,github' },
        ...{ SERVICE_OUTBOUND_ALLOW: '127.0.0.0/8', SERVICE_ALLOW_INSECURE_FETCH: '1' },
      });
      const { token } = await agentOf(base, 'ada@example.com', ['slack']);
      const url = connectUrlIn(await call(base, token, dialect.tool));
      const browser = await startBrowser(t);
      const page = await openIn(t, browser, url, { ...options, colorScheme });
      await page.getByLabel('E-mail address').fill('ada@example.com');
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByRole('heading', { name: 'Your account at Slack' }).waitFor();
      await requireGood(page, `connect-${look}`);
      vendor.account = 'refuses';
      await page.getByRole('button', { name: 'Continue to Slack' }).click();
      await page.getByRole('heading', { name: 'Not connected' }).waitFor();
      await requireGood(page, `declined-${look}`);

      vendor.account = 'ada';
      await page.goto(url);
      await page.getByRole('button', { name: 'Continue to Slack' }).click();
      await page.getByRole('heading', { name: 'Connected' }).waitFor();
      await requireGood(page, `connected-${look}`);
      assert.ok(!(await call(base, token, dialect.tool)).isError);

      await page.goto(`${base}/connect`);
      await requireGood(page, `connections-${look}`);
      await page.getByRole('link', { name: 'GitHub' }).click();
      await page.getByLabel('Your personal access token').fill('nothing like one');
      await page.getByRole('button', { name: 'Connect with this key' }).click();
      await page.getByRole('alert').waitFor();
      await requireGood(page, `connect-wrong-key-${look}`);

      await page.goto(url);
      await page.getByText('is connected since').waitFor();
      await requireGood(page, `connect-again-${look}`);
      await page.getByRole('button', { name: 'Disconnect' }).click();
      await page.getByRole('heading', { name: 'Disconnected' }).waitFor();
      await requireGood(page, `disconnected-${look}`);
      connectUrlIn(await call(base, token, dialect.tool));
    });
  }
}
