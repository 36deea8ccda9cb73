import assert from 'node:assert/strict';
import test from 'node:test';
import {
  barriersOf,
  picture,
  screens,
  sidewaysPixels,
  startBrowser,
  unreachableTexts,
} from '../browser/browser.ts';
import { walkApprovals } from '../surfaces/approvals/walk.ts';
import { walkConnections } from '../surfaces/connections/walk.ts';
import { walkClaims, walkConsent, walkSignIns } from '../surfaces/identity/pages/walks.ts';
import { describedPages } from './described-pages.ts';
import { PageWalk } from './page-walk.ts';

// Every page that the description of a surface has, also those that say what cannot be done, as it
// looks on a phone and on a desktop, by day and by night.

test('every page can be read and used by everybody, on a phone and on a desktop, light and dark', async (t) => {
  const described = describedPages();
  const walk = new PageWalk(described);
  // The first has the clock of the machine; for the others it stands still.
  for (const go of [walkApprovals, walkClaims, walkConsent, walkSignIns, walkConnections]) {
    await go(t, walk);
  }
  assert.deepEqual([...walk.pages.keys()].toSorted(), described.toSorted());

  const browser = await startBrowser(t);
  let looked = 0;
  for (const [screen, options] of Object.entries(screens)) {
    const context = await browser.newContext(options);
    t.after(() => context.close());
    const page = await context.newPage();
    page.setDefaultTimeout(0);
    const seen = new Set<string>();
    for (const [name, answers] of walk.pages) {
      for (const { url, text, headers } of answers) {
        const [, title = ''] = /<title>([^<]*)/.exec(text) ?? [];
        if (seen.has(`${title} ${text.length}`)) continue;
        seen.add(`${title} ${text.length}`);
        const sent = { 'content-security-policy': String(headers['content-security-policy']) };
        await page.unrouteAll();
        await page.route('**', (route) =>
          route.fulfill({ body: text, contentType: 'text/html; charset=utf-8', headers: sent }),
        );
        await page.goto(url);
        for (const colorScheme of ['light', 'dark'] as const) {
          await page.emulateMedia({ colorScheme });
          const look = `${name} "${title}" ${screen} ${colorScheme}`;
          await picture(page, look.replaceAll(/[^\w]+/g, '-'));
          assert.deepEqual(await barriersOf(page), [], look);
          assert.deepEqual(await unreachableTexts(page), [], look);
          assert.ok((await sidewaysPixels(page)) <= 0, `${look}: nothing lies beside the screen`);
          looked += 1;
        }
      }
    }
  }
  t.diagnostic(`${walk.pages.size} kinds of pages, ${looked} looks`);
});
