import { registerHooks } from 'node:module';

// Loaded before a test file: takes one control out of the product while it is read, in this process.

const {
  file = '',
  from = '',
  to = '',
} = JSON.parse(process.env['WITHOUT_CONTROL'] ?? '{}') as Record<string, string>;
const target = new URL(`../../../../${file}`, import.meta.url).href;

registerHooks({
  load(url, context, next) {
    const loaded = next(url, context);
    if (url !== target) return loaded;
    const text = String(loaded.source);
    const pieces = text.split(from);
    if (pieces.length !== 2) throw new Error(`${file} has ${pieces.length - 1} of: ${from}`);
    return { ...loaded, source: pieces.join(to) };
  },
});
