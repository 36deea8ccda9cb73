import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import test, { type TestContext } from 'node:test';
import type { Page } from 'playwright-core';
import { ToolError } from '#contract/errors';
import {
  barriersOf,
  openIn,
  picture,
  screens,
  sidewaysPixels,
  startBrowser,
  unreachableTexts,
} from '../../browser/browser.ts';
import {
  ask,
  can,
  deleting,
  press,
  startConfirmServer,
} from '../../runtime/admission/confirm/confirm-server.ts';
import { toolOf } from '../../runtime/in-memory-tools.ts';
import { sqliteDatabase } from '../../runtime/store/replicas.ts';

// The page as a person meets it: in a browser, on a phone and on a desktop, with a keyboard.

async function start(t: TestContext) {
  const [store] = await (await sqliteDatabase(t)).replicas(1);
  assert.ok(store);
  const deleted: unknown[] = [];
  const server = await startConfirmServer(t, { store, tools: [deleting(deleted)] });
  const call = async (args: object) => {
    const client = { name: 'Some client', version: '1.2' };
    const params = { name: 'delete_file', arguments: args };
    const result = await ask(server.url, can.nothing, params, 'tools/call', client);
    return result.structuredContent?.error?.approval_url ?? '';
  };
  return { ...server, call, deleted, browser: await startBrowser(t) };
}

async function requireGood(page: Page, name: string): Promise<void> {
  await picture(page, name);
  assert.deepEqual(await barriersOf(page), []);
  assert.deepEqual(await unreachableTexts(page), []);
  assert.ok((await sidewaysPixels(page)) <= 0, 'nothing lies beside the screen');
}

const long = {
  path: `/srv/${'very-long-name-without-a-break/'.repeat(40)}`,
  note: {
    message: `First line\n${'a line of the message\n'.repeat(200)}and the last words`,
    list: Array.from({ length: 60 }, (_, n) => ({ id: n, label: `entry ${n} \u202e\u3164` })),
    right_to_left: 'سلام 100 عليكم 200',
    stacked: `a${'\u0301'.repeat(400)}`,
  },
  password: 'hunter2',
};

for (const [screen, options] of Object.entries(screens)) {
  test(`${screen}: a person reads all of a long call with the keyboard, and approves it`, async (t) => {
    const { browser, call, url, deleted } = await start(t);
    const page = await openIn(t, browser, await call(long), options);
    await requireGood(page, `approval-${screen}`);
    const box = page.getByRole('region', { name: /^note/ });
    assert.match(await box.innerText(), /and the last words/);
    const height = await box.evaluate((element) => element.clientHeight);
    assert.ok(height < (page.viewportSize()?.height ?? 0), 'a long argument scrolls in its box');
    await box.focus();
    await page.keyboard.press('End');
    await page.waitForFunction(
      (element) =>
        element !== null && element.scrollTop + element.clientHeight > element.scrollHeight - 2,
      await box.elementHandle(),
    );
    await page.getByRole('button', { name: 'Approve once' }).click();
    await page.getByRole('heading', { name: 'Approved' }).waitFor();
    await requireGood(page, `approved-${screen}`);
    assert.deepEqual(deleted, []);
    await ask(url, can.nothing, { name: 'delete_file', arguments: long });
    assert.deepEqual(deleted, [long.path]);
  });

  test(`${screen}: a person declines`, async (t) => {
    const { browser, call, url, deleted } = await start(t);
    const args = { path: '/a' };
    const page = await openIn(t, browser, await call(args), { ...options, colorScheme: 'dark' });
    await requireGood(page, `approval-dark-${screen}`);
    await page.getByRole('button', { name: 'Decline' }).click();
    await page.getByRole('heading', { name: 'Declined' }).waitFor();
    await requireGood(page, `declined-${screen}`);
    const { isError } = await ask(url, can.nothing, { name: 'delete_file', arguments: args });
    assert.equal(isError, true);
    assert.deepEqual(deleted, []);
  });
}

test('phone: a person sees that the same call failed before, with what was answered', async (t) => {
  const [store] = await (await sqliteDatabase(t)).replicas(1);
  assert.ok(store);
  const failing = toolOf({ name: 'refund', confirm: 'elicitation' }, async () => {
    const said = `No money: ${'because-'.repeat(40)} \u202e </pre><script>alert(1)</script>`;
    throw new ToolError('upstream_error', said);
  });
  const { url } = await startConfirmServer(t, { store, tools: [failing] });
  const address = async () =>
    (await ask(url, can.nothing, { name: 'refund' })).structuredContent?.error?.approval_url ?? '';
  await press(await address(), 'approved');
  assert.equal((await ask(url, can.nothing, { name: 'refund' })).isError, true);
  const page = await openIn(t, await startBrowser(t), await address(), screens.phone);
  await requireGood(page, 'approval-again-phone');
  await page.getByText('The very same call was approved before.').waitFor();
  const answer = page.getByRole('region', { name: 'The answer to the earlier call' });
  assert.match(await answer.innerText(), /No money: .*‹U\+202E› <\/pre><script>/s);
});

/** A page that tries whatever a page of another site can do with an address that it knows. */
async function startHostilePage(t: TestContext, address: string): Promise<number> {
  const body = `<!doctype html><title>hostile</title>
<iframe src="${address}"></iframe><iframe name="inner"></iframe><img src="${address}">
<form method="post" action="${address}" target="inner">
<input name="token" value="1.x"><input name="decision" value="approved"></form>
<script>
document.forms[0].submit();
const form = new URLSearchParams({ token: '1.x', decision: 'approved' });
const tries = Array.from({ length: 150 }, () =>
  fetch('${address}', { mode: 'no-cors', credentials: 'include' }).catch(() => {}));
tries.push(fetch('${address}', { method: 'POST', body: form, mode: 'no-cors', credentials: 'include' }).catch(() => {}));
Promise.all(tries).then(() => { document.title = 'tried'; });
</script>`;
  const server = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end(body);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

// The first is the same site to a browser, which knows no ports there; the second is another one.
for (const host of ['127.0.0.1', 'localhost']) {
  test(`a hostile page of ${host} that knows the address neither decides nor shows the page, nor locks it`, async (t) => {
    const { browser, call, url, deleted } = await start(t);
    const args = { path: '/a' };
    const address = await call(args);
    const port = await startHostilePage(t, address);
    // The person has the page open in the same browser, with its cookie.
    const page = await openIn(t, browser, address);
    const hostile = await page.context().newPage();
    await hostile.goto(`http://${host}:${port}/`);
    await hostile.waitForFunction("document.title === 'tried'");
    for (const frame of hostile.frames().slice(1)) {
      assert.doesNotMatch(await frame.content(), /Approve once|It may be done once/);
    }
    assert.equal(
      (await ask(url, can.nothing, { name: 'delete_file', arguments: args })).isError,
      true,
    );
    assert.deepEqual(deleted, []);
    await page.getByRole('button', { name: 'Approve once' }).click();
    await page.getByRole('heading', { name: 'Approved' }).waitFor();
    // A link leads there all the same.
    await hostile.setContent(`<a href="${address}">approve</a>`);
    await hostile.getByRole('link').click();
    await hostile.getByRole('heading', { name: 'Approved' }).waitFor();
  });
}
