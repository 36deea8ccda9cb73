import { after } from 'node:test';

/** What calls when it ends, as a test does. */
export interface Ending {
  after(end: () => unknown): void;
}

/**
 * Have the tests of a file share what they start, one for each set of settings: it begins with the
 * first that asks for it, and ends with the file. Whoever shares brings people and agents of their
 * own, and looks at nobody else's.
 */
export function shared<Thing, Settings extends object = object>(
  start: (t: Ending, settings?: Settings) => Promise<Thing>,
): (settings?: Settings) => Promise<Thing> {
  const started = new Map<string, Promise<Thing>>();
  const ends: (() => unknown)[] = [];
  after(async () => {
    for (const end of ends.reverse()) await end();
  });
  return (settings) => {
    const key = JSON.stringify(settings) ?? '';
    const thing = started.get(key) ?? start({ after: (end) => ends.push(end) }, settings);
    started.set(key, thing);
    return thing;
  };
}
