import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { acme } from '../acme.ts';
import { createWorkplace } from '../workplace.ts';

/** A drafted provider, and what a later description does to it. */
export async function drafted(t: TestContext) {
  const place = createWorkplace(t);
  place.write('acme.yaml', acme);
  await place.run('add', 'acme', '--openapi', 'acme.yaml');
  return {
    ...place,
    /** Compare with the description in which texts are replaced. */
    async drift(replaced: Readonly<Record<string, string>>, ...options: string[]) {
      let later = acme;
      for (const [text, other] of Object.entries(replaced)) {
        assert.ok(later.includes(text), `${text} is not in the description`);
        later = later.replaceAll(text, () => other);
      }
      place.write('later.yaml', later);
      return place.run('drift', 'acme', '--openapi', 'later.yaml', ...options);
    },
  };
}
