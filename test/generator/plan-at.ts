import assert from 'node:assert/strict';
import type { Kind, Planned } from '../../generator/kinds/kind/kind.ts';
import { findPlaces } from '../../generator/kinds/kind/places.ts';

/** Plan the place of a kind that has this id, or its first one. */
export async function planAt<Model>(
  kind: Kind<Model>,
  base: string,
  id?: string,
): Promise<Planned<Model>> {
  const place = findPlaces(base, kind.where).find((one) => id === undefined || one.id === id);
  assert.ok(place, `there is no place for ${kind.name} in ${base}`);
  return kind.plan(place);
}
