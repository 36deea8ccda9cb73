import type { ServerEvent } from '#contract/surface/route-reply';

/** One event as it is sent (WHATWG HTML, event stream format). */
export function eventText({ data, event, id, retryMs }: ServerEvent): string {
  const text = typeof data === 'string' ? data : (JSON.stringify(data) ?? '');
  return [
    ...(event === undefined ? [] : [`event: ${oneLine(event)}\n`]),
    ...(id === undefined ? [] : [`id: ${oneLine(id)}\n`]),
    ...(retryMs === undefined ? [] : [`retry: ${Math.round(retryMs)}\n`]),
    ...text.split(/\r\n|\r|\n/).map((line) => `data: ${line}\n`),
    '\n',
  ].join('');
}

/** A line break would begin a field of its own; an id with a null is not taken. */
function oneLine(text: string): string {
  return text.replaceAll(/[\r\n\0]/g, ' ');
}

/** What keeps a connection open on which there is nothing to say. */
export const silence = ':\n\n';
