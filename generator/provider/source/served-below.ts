import { randomUUID } from 'node:crypto';
import { posix } from 'node:path';
import type { Dispatcher } from 'undici';

/** Milliseconds for one answer: whoever waits for a draft waits for all of them. */
const answerMs = 5000;
/** Operations that are tried, and characters of an answer's type that are looked at. */
const mostTried = 3;

/** Below what applications are put besides the folder of their description. */
const usualPlaces = ['/api', '/api/v1', '/v1'];

/** Characters of a text in which addresses are looked for. */
const shownText = 10_000;

/** The path of an address that a text shows, whoever its host is: `https://MY-HOST/apis/v3`. */
const shownPath = /\bhttps?:\/\/[^\s/"'`<>)\]]+((?:\/[\w.-]*[\w-])+)/gi;

/** An answer, as far as it tells whether something is there. */
interface Answer {
  readonly status: number;
  readonly isPage: boolean;
}

/**
 * Find below which path a host offers what a description that names no server tells: an application that
 * is put below one, by a framework or a proxy, seldom knows. It is asked for operations that only read and
 * take nothing, without any credential; its answers are looked at no further than for their status and type.
 *
 * @param origin address of the description
 * @param paths paths of operations that answer a GET without arguments
 * @param text what the description says of itself: an address in it may show the path
 * @returns such as `/api`; undefined where the root has them, or nothing tells
 */
export async function servedBelow(
  origin: string,
  paths: readonly string[],
  text = '',
): Promise<string | undefined> {
  const tried = paths.slice(0, mostTried);
  if (tried.length === 0) return undefined;
  const { Agent, request } = await import('undici');
  const agent = new Agent();
  const ask = (path: string) => answerTo(new URL(origin), path, agent, request);
  try {
    for (const path of tried) {
      const answer = await ask(path);
      // A host that does not answer is asked nothing more.
      if (answer === undefined || isThere(answer)) return undefined;
    }
    for (const place of placesBelow(origin, text)) {
      for (const path of tried) {
        const answer = await ask(`${place}${path}`);
        if (answer === undefined) return undefined;
        if (!isThere(answer)) continue;
        // Some answer alike to whatever is below a path.
        const other = await ask(`${place}/${randomUUID()}`);
        if (other !== undefined && !isThere(other)) return place;
      }
    }
    return undefined;
  } finally {
    await agent.destroy();
  }
}

/** The folder of the description and those above it, what its text shows, then the usual ones. */
function placesBelow(origin: string, text: string): readonly string[] {
  const folders: string[] = [];
  let folder = posix.dirname(new URL(origin).pathname);
  while (folder !== '/' && folders.length < mostTried) {
    folders.push(folder);
    folder = posix.dirname(folder);
  }
  const shown = [...text.slice(0, shownText).matchAll(shownPath)].flatMap(([, path]) => path ?? []);
  const first = [...new Set(shown)].slice(0, mostTried);
  return [...new Set([...folders, ...first, ...usualPlaces])];
}

/** What is refused for want of a credential is there; a page where data is described is that of a site. */
function isThere({ status, isPage }: Answer): boolean {
  return status !== 404 && status < 500 && !isPage;
}

async function answerTo(
  origin: URL,
  path: string,
  dispatcher: Dispatcher,
  request: typeof import('undici').request,
): Promise<Answer | undefined> {
  // Resolved as a reference, `//elsewhere.example/a` would be another host (RFC 3986 section 5.2.2).
  const url = new URL(origin.origin);
  url.pathname = path;
  try {
    const { statusCode, headers, body } = await request(url, {
      dispatcher,
      headers: { accept: 'application/json, */*;q=0.1' },
      signal: AbortSignal.timeout(answerMs),
    });
    // What comes is left unread: closing the connection is cheaper than to receive it.
    body.on('error', () => {}).destroy();
    const type = String(headers['content-type'] ?? '');
    return { status: statusCode, isPage: /^text\/html\b/i.test(type) };
  } catch {
    return undefined;
  }
}
