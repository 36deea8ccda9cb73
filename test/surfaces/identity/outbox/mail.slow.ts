import assert from 'node:assert/strict';
import test from 'node:test';
import { serve } from '../../../runtime/cli/served.ts';
import { Browser } from '../browser.ts';
import { serveIdentity } from '../served-identity.ts';
import { freePort, startMailServer } from './mail-server.ts';

const linkForm = /http\S+\/sign-in\/link\?link=sgn_[\w-]+/;

async function askForLink(base: string, email: string): Promise<Browser> {
  const browser = new Browser(base);
  await browser.open('/sign-in?return_to=/healthz');
  await browser.send('/sign-in', { email });
  assert.equal(browser.page.status, 200, browser.page.text);
  return browser;
}

test('a real mail server gets one plain message to one address, and its link signs in', async (t) => {
  const mail = await startMailServer(t);
  const { base } = await serveIdentity(t, {
    SERVICE_CLAIM_AUTH: 'email',
    SERVICE_SMTP_URL: mail.smtpUrl,
    SERVICE_MAIL_FROM: 'Tools <tools@example.com>',
  });
  const browser = await askForLink(base, 'ada@example.com');
  const { subject, text, to, from, headers } = await mail.next('ada@example.com');
  assert.equal(subject, 'Your sign-in link');
  assert.deepEqual(to, [{ address: 'ada@example.com', name: '' }]);
  assert.deepEqual(from, [{ address: 'tools@example.com', name: 'Tools' }]);
  assert.equal(headers['auto-submitted'], 'auto-generated');
  await browser.open(linkForm.exec(text)?.[0] ?? '');
  await browser.send('/sign-in/link');
  assert.equal(browser.page.url, `${base}/healthz`);
});

test('a link is worth nothing after a quarter of an hour', async (t) => {
  const mail = await startMailServer(t);
  const { base, advance } = await serveIdentity(t, {
    SERVICE_CLAIM_AUTH: 'email',
    SERVICE_SMTP_URL: mail.smtpUrl,
  });
  const browser = await askForLink(base, 'ada@example.com');
  const { text } = await mail.next('ada@example.com');
  advance(900_001);
  assert.equal((await browser.open(linkForm.exec(text)?.[0] ?? '')).status, 410);
});

test('mail waits for a mail server that is away', async (t) => {
  const smtp = await freePort();
  const { url } = await serve(t, {
    SERVICE_CLAIM_AUTH: 'email',
    SERVICE_SMTP_URL: `smtp://127.0.0.1:${smtp}`,
  });
  await askForLink(url.origin, 'ada@example.com');
  const mail = await startMailServer(t, { smtp });
  assert.match((await mail.next('ada@example.com')).text, linkForm);
});
