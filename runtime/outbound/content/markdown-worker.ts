import { parentPort } from 'node:worker_threads';
import TurndownService from 'turndown';
import { withoutTags } from './plain-text.ts';

const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced' });
service.remove(['script', 'style', 'noscript', 'template', 'title']);

parentPort?.on('message', (texts: readonly string[]) => {
  parentPort?.postMessage(texts.map(convert));
});

function convert(html: string): string {
  try {
    return service.turndown(html);
  } catch {
    // Elements that are nested deeper than the stack reaches.
    return withoutTags(html);
  }
}
