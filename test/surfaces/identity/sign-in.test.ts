import assert from 'node:assert/strict';
import test from 'node:test';
import { emailAddress } from '../../../runtime/surfaces/identity/people/email-address.ts';
import { returnPath } from '../../../runtime/surfaces/identity/people/return-path.ts';
import { runCli } from '../../runtime/cli/run-cli.ts';
import { serve } from '../../runtime/cli/served.ts';
import { shared } from '../common-server.ts';
import { Browser } from './browser.ts';
import { serveIdentity } from './served-identity.ts';

const together = shared(serveIdentity);

test('in development a person is whoever they say they are, for an hour', async () => {
  const { base, advance } = await together();
  const browser = new Browser(base);
  await browser.open('/sign-in?return_to=/sign-in');
  assert.match(browser.page.text, /believes whatever address you enter/);
  await browser.send('/sign-in', { email: 'not an address' });
  assert.equal(browser.page.status, 400);
  assert.match(browser.page.text, /role="alert"/);
  assert.match(browser.page.text, /value="not an address"/);
  await browser.send('/sign-in', { email: ' Ada@Example.com', return_to: '/healthz?a=1' });
  assert.equal(browser.page.url, `${base}/healthz?a=1`);
  assert.match(browser.cookie('session') ?? '', /^ses_[\w-]{43}$/);
  await browser.open('/sign-in?return_to=/healthz');
  assert.equal(browser.page.url, `${base}/healthz`, 'who has signed in goes on');
  advance(3_600_001);
  await browser.open('/sign-in?return_to=/healthz');
  assert.match(browser.page.text, /E-mail address/, 'the session is over');
});

test('forms of other sites sign nobody in', async () => {
  const { base } = await together();
  const browser = new Browser(base);
  await browser.open('/sign-in');
  const { fields } = browser.formOf('/sign-in');
  const body = new URLSearchParams({ ...fields, email: 'a@example.com' }).toString();
  const foreign = { 'sec-fetch-site': 'cross-site' };
  assert.equal((await browser.post('/sign-in', body, foreign)).status, 403);
  assert.equal((await new Browser(base).post('/sign-in', body)).status, 403, 'no cookie');
  const none = new URLSearchParams({ email: 'a@example.com', token: '' }).toString();
  assert.equal((await browser.post('/sign-in', none)).status, 403);
  assert.equal(browser.cookie('session'), undefined);
});

test('a link by e-mail signs in once, in the browser that asked for it, and is in the log alone', async (t) => {
  const { url, log } = await serve(t, { SERVICE_CLAIM_AUTH: 'email', SERVICE_LOG_LEVEL: 'info' });
  const base = url.origin;
  const browser = new Browser(base);
  const linkFor = async () => {
    await browser.open('/sign-in?return_to=/healthz');
    const before = log().length;
    await browser.send('/sign-in', { email: 'ada@example.com' });
    assert.match(browser.page.text, /Look into your mail/);
    for (;;) {
      const found = /http\S+\/sign-in\/link\?link=sgn_[\w-]+/.exec(log().slice(before));
      if (found) return found[0];
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  };
  const link = await linkFor();
  const other = new Browser(base);
  assert.equal((await other.open(link)).status, 403);
  assert.match(other.page.text, /other browser/);
  assert.doesNotMatch(other.page.text, /ada@/, 'nobody else learns whose it is');
  await browser.open(link);
  assert.match(browser.page.text, /<b>ada@example\.com<\/b>/);
  assert.equal(browser.cookie('session'), undefined, 'opening it is not signing in');
  const { url: action, fields } = browser.formOf('/sign-in/link');
  const body = new URLSearchParams(fields).toString();
  await browser.send('/sign-in/link');
  assert.equal(browser.page.url, `${base}/healthz`);
  assert.ok(browser.cookie('session'));
  assert.equal((await browser.post(action.pathname, body)).status, 410, 'it is used up');
});

test('too many links to one address are not sent', async () => {
  const { base, advance } = await together({ SERVICE_CLAIM_AUTH: 'email' });
  const ask = async (email: string) => {
    const browser = new Browser(base);
    await browser.open('/sign-in');
    return (await browser.send('/sign-in', { email })).status;
  };
  const answers = await Promise.all(Array.from({ length: 7 }, () => ask('ada@example.com')));
  assert.deepEqual(answers.toSorted(), [200, 200, 200, 200, 200, 429, 429]);
  assert.equal(await ask('bob@example.com'), 200);
  advance(900_001);
  assert.equal(await ask('ada@example.com'), 200);
});

test('a link that nobody has sent signs nobody in', async () => {
  const { base } = await together({ SERVICE_CLAIM_AUTH: 'email' });
  const browser = new Browser(base);
  assert.equal((await browser.open(`/sign-in/link?link=sgn_${'a'.repeat(32)}`)).status, 410);
});

test('nobody signs in where the operator has not chosen how', async (t) => {
  const { base } = await serveIdentity(t, { SERVICE_CLAIM_AUTH: 'none' });
  const browser = new Browser(base);
  assert.equal((await browser.open('/sign-in')).status, 403);
  assert.equal((await browser.open('/sign-in/callback?state=x')).status, 403);
  const { base: open } = await serveIdentity(t, { NODE_ENV: 'production' });
  assert.equal((await new Browser(open).open('/sign-in')).status, 403, 'production has no default');
  const { base: far } = await serveIdentity(t, { SERVICE_BASE_URL: 'https://tools.example.com' });
  assert.equal((await new Browser(far).open('/sign-in')).status, 403, 'nor has a public address');
});

test('settings that do not fit together stop the start', async () => {
  const start = async (env: Record<string, string>) => {
    const { code, stderr } = await runCli(['serve'], { PORT: '0', ...env });
    assert.equal(code, 78, stderr);
    return stderr;
  };
  const production = { NODE_ENV: 'production' };
  assert.match(await start({ ...production, SERVICE_CLAIM_AUTH: 'dev' }), /SERVICE_CLAIM_AUTH/);
  assert.match(await start({ ...production, SERVICE_CLAIM_AUTH: 'email' }), /SERVICE_SMTP_URL/);
  assert.match(await start({ SERVICE_CLAIM_AUTH: 'oidc' }), /SERVICE_OIDC_ISSUER/);
});

test('an address is kept in one form, and what is none is refused', () => {
  assert.equal(
    emailAddress(' Ada.Lovelace+x@Mail.Example.COM '),
    'ada.lovelace+x@mail.example.com',
  );
  for (const wrong of [
    '',
    'a',
    'a@b',
    'a@@b.cc',
    'a b@c.de',
    'a@b.c\nbcc: d@e.fg',
    'a@-b.cc',
    `${'a'.repeat(250)}@b.cc`,
    'a@b.cc,d@e.ff',
    '<a@b.cc>',
    '"a"@b.cc',
  ]) {
    assert.equal(emailAddress(wrong), undefined, wrong);
  }
});

test('nobody is led to another server after signing in', () => {
  assert.equal(
    returnPath('/agent/claim?claim_attempt_token=cvt_x'),
    '/agent/claim?claim_attempt_token=cvt_x',
  );
  for (const wrong of [
    undefined,
    '',
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '/\t/evil.example',
    '\\\\evil.example',
    'javascript:alert(1)',
    `/${'a'.repeat(3000)}`,
  ]) {
    assert.equal(returnPath(wrong), '/agents', String(wrong));
  }
});
