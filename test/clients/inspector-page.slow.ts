import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import test from 'node:test';
import type { Page } from 'playwright-core';
import { openIn, picture, startBrowser } from '../browser/browser.ts';
import { freePort } from '../surfaces/identity/outbox/mail-server.ts';
import { startWholeServer } from '../surfaces/identity/whole-server.ts';
import { launcher } from './inspector.ts';

// The page of the MCP Inspector in a real browser: whoever uses it gives an address and nothing
// else, no client id, no token. It finds out the rest (MCP, authorization), and a person agrees.

interface Inspector {
  /** What it prints for its user. */
  readonly address: string;
  /** It keeps streams open: whoever waits for the server to close stops it first. */
  stop(): Promise<void>;
}

/** Start the page for one server. */
async function startInspector(url: string, era: string): Promise<Inspector> {
  const folder = mkdtempSync(join(tmpdir(), 'inspector-'));
  const [port, sandbox] = [await freePort(), await freePort()];
  const about = ['--transport', 'http', '--server-url', url, '--protocol-era', era];
  const inspector = spawn(process.execPath, [launcher, '--web', ...about], {
    env: {
      ...{ PATH: process.env['PATH'] ?? '', HOME: folder, MCP_STORAGE_DIR: folder },
      ...{ CLIENT_PORT: String(port), MCP_SANDBOX_PORT: String(sandbox) },
      ...{ MCP_AUTO_OPEN_ENABLED: 'false', MCP_INSPECTOR_SECRET_STORE: 'memory' },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = new Promise((resolve) => inspector.once('exit', resolve));
  const stop = async () => {
    inspector.kill('SIGKILL');
    await ended;
    rmSync(folder, { recursive: true, force: true });
  };
  const address = Promise.withResolvers<string>();
  let spoken = '';
  for (const stream of [inspector.stdout, inspector.stderr]) {
    stream.on('data', (chunk) => {
      spoken += chunk;
      const [, printed] = /up and running at:\s+(http:\S+)\s/.exec(spoken) ?? [];
      if (printed !== undefined) address.resolve(printed);
    });
  }
  void ended.then(() => address.reject(new Error(spoken)));
  return { address: await address.promise, stop };
}

/** Choose something that is drawn over the control which it is. */
function choose(page: Page, role: 'radio' | 'switch', name: string | RegExp): Promise<void> {
  return page.getByRole(role, { name }).dispatchEvent('click');
}

for (const era of ['legacy', 'auto']) {
  test(`a person lets the page of the Inspector in, and later lets it do more (${era})`, async (t) => {
    const { base } = await startWholeServer(t, { NODE_ENV: 'development' });
    const inspector = await startInspector(`${base}/mcp`, era);
    const browser = await startBrowser(t);
    try {
      const page = await openIn(t, browser, inspector.address);
      await use(page, base, era);
      assert.equal(new URL(page.url()).origin, new URL(inspector.address).origin);
    } finally {
      await inspector.stop();
    }
  });
}

async function use(page: Page, base: string, era: string): Promise<void> {
  const asked: URL[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === '/oauth2/authorize') asked.push(url);
  });
  await choose(page, 'switch', /^Connect/);
  await page.getByLabel('E-mail address').fill('ada@example.com');
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('“MCP Inspector” asks for access').waitFor();
  assert.deepEqual(await scopesOf(page), ['mcp.tools']);
  await picture(page, `inspector-${era}-consent`);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('Connected', { exact: true }).waitFor();

  await choose(page, 'radio', 'Tools');
  await page.getByRole('button', { name: /service_status/ }).click();
  await page.getByRole('button', { name: 'Execute Tool' }).click();
  await page.getByText('"uptime_seconds"').first().waitFor();

  // What it lacks it asks for by itself (RFC 6750 section 3.1), together with what it has.
  await listEntries(page);
  await page.getByText('Additional permissions required').waitFor();
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.getByText('“MCP Inspector” asks for access').waitFor();
  assert.deepEqual(await scopesOf(page), ['audit:append', 'mcp.tools']);
  await page.getByRole('button', { name: 'Allow' }).click();
  await page.getByText('Connected', { exact: true }).waitFor();
  await choose(page, 'radio', 'Tools');
  await listEntries(page);
  await page.getByText('"entries"').first().waitFor();
  await picture(page, `inspector-${era}-more`);

  assert.equal(asked.length, 2);
  for (const { searchParams } of asked) {
    assert.equal(searchParams.get('resource'), `${base}/mcp`);
    assert.match(searchParams.get('client_id') ?? '', /^odc_/);
    assert.equal(searchParams.get('code_challenge_method'), 'S256');
  }
}

/** Call the tool that lists the audit log, for which every agent needs more than at first. */
async function listEntries(page: Page): Promise<void> {
  await page.getByRole('button', { name: /Audit log/ }).click();
  await page.locator('textarea[aria-label^="operation"]').focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.insertText('"list"');
  await page.getByRole('button', { name: 'Execute Tool' }).click();
}

/** The scopes that the page for consent names, sorted. */
async function scopesOf(page: Page): Promise<readonly string[]> {
  const boxes = await page.locator('input[name="scope"]').all();
  const scopes = await Promise.all(boxes.map((box) => box.getAttribute('value')));
  return scopes.map(String).toSorted();
}
