import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
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
import { ask, can, deleting, startConfirmServer } from '../../runtime/admission/confirm-server.ts';
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
