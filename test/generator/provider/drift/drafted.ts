import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { after, type TestContext } from 'node:test';
import { acme } from '../acme.ts';
import { createWorkplace } from '../workplace.ts';

/** It is drafted once, and copied for each test. */
const first = createWorkplace({ after });
first.write('acme.yaml', acme);
await first.run('add', 'acme', '--openapi', 'acme.yaml');
const folder = 'specs/providers/acme';

/** A drafted provider, and what a later description does to it. */
export function drafted(t: TestContext) {
  const place = createWorkplace(t);
  cpSync(join(first.base, folder), join(place.base, folder), { recursive: true });
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
