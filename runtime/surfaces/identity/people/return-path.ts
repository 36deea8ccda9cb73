const longest = 2048;
/** No page of this server, so that what is left of a path is one. */
const nowhere = 'http://nowhere.invalid';

/** The page of this server to which a person comes back; `/agents` where none is named. */
export function returnPath(text: string | undefined): string {
  const start = '/agents';
  if (text === undefined || text.length > longest || !text.startsWith('/')) return start;
  // What a browser would take for another host ("//host", "/\host") is another origin here too.
  const url = URL.parse(text, nowhere);
  return url?.origin === nowhere ? url.pathname + url.search : start;
}
