import { accessSync, constants, mkdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { TestContext } from 'node:test';
import axe from 'axe-core';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';

/** Screens on which every page for people has to work: the narrowest phone in use, and a desktop. */
export const screens = {
  phone: { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true },
  desktop: { viewport: { width: 1280, height: 800 } },
} as const satisfies Readonly<Record<string, BrowserContextOptions>>;

/** It loads nothing on its own account, and needs neither a display nor privileges. */
export const quiet: string[] = [
  ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-dev-shm-usage'],
];

/** Start the Chromium of this machine (Debian: `chromium`), for the time of one test. */
export async function startBrowser(t: Pick<TestContext, 'after'>): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: chromiumPath(),
    args: quiet,
    // A busy machine takes its time.
    timeout: 0,
  });
  t.after(() => browser.close());
  return browser;
}

/** Open a page in a fresh profile, which ends with the test; nothing in it has a time limit. */
export async function openIn(
  t: Pick<TestContext, 'after'>,
  browser: Browser,
  url: string,
  options: BrowserContextOptions = screens.desktop,
): Promise<Page> {
  const context = await browser.newContext(options);
  t.after(() => context.close());
  context.setDefaultTimeout(0);
  const page = await context.newPage();
  await page.goto(url);
  return page;
}

/** What axe finds wrong with the page (WCAG 2.2 A and AA, and best practice), one line for each. */
export async function barriersOf(page: Page): Promise<readonly string[]> {
  // What the page forbids its own scripts does not bind the browser that looks at it.
  await page.evaluate(axe.source);
  const { violations } = (await page.evaluate('axe.run()')) as { violations: Violation[] };
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/**
 * The texts of the page that its user cannot bring into view: cut off, without size, or beyond the
 * edge of the page. What scrolls can be reached.
 */
export async function unreachableTexts(page: Page): Promise<readonly string[]> {
  return (await page.evaluate(`(${findUnreachable})()`)) as string[];
}

/** As text: it runs in the browser, whose globals this project has no types of. */
const findUnreachable = `() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const text = node.textContent.trim();
    if (text === '') continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { width, height, left, right } = range.getBoundingClientRect();
    const isShown = node.parentElement.checkVisibility({ opacityProperty: true, visibilityProperty: true });
    const isWithin = left >= 0 && right <= document.documentElement.scrollWidth;
    let isCut = false;
    for (let box = node.parentElement; box; box = box.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(box);
      const cuts = [overflowX, overflowY].some((each) => each === 'hidden' || each === 'clip');
      const isFull = box.scrollHeight > box.clientHeight || box.scrollWidth > box.clientWidth;
      isCut ||= cuts && isFull;
    }
    if (width * height === 0 || !isShown || !isWithin || isCut) found.push(text.slice(0, 80));
  }
  return found;
}`;

/** How many pixels of the page lie beside the screen; a page for people has none. */
export async function sidewaysPixels(page: Page): Promise<number> {
  const beside = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
  return Number(await page.evaluate(beside));
}

/** Keep a picture for those who want to look, in the folder that `SCREENSHOTS` names. */
export async function picture(page: Page, name: string): Promise<void> {
  const folder = process.env['SCREENSHOTS'];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

interface Violation {
  readonly id: string;
  readonly nodes: readonly { readonly html: string }[];
}

/** Where the Chromium of this machine is. */
export function chromiumPath(): string {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  for (const name of ['chromium', 'chromium-browser', 'google-chrome']) {
    const path = folders.map((folder) => join(folder, name)).find(isExecutable);
    if (path !== undefined) return path;
  }
  throw new Error('there is no Chromium: apt-get install chromium fonts-dejavu-core');
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
