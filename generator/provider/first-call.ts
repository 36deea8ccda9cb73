import type { CuratedRequests } from './draft/draft-files.ts';
import type { ProviderFile } from './draft/write-provider.ts';

/** A call to try a provider with. */
export interface FirstCall {
  readonly tool: string;
  /** JSON, which stands between single quotes as it is. */
  readonly arguments: string;
}

/** Whoever reads a longer command does not type it. */
const longestArguments = 200;

/** The values are the vendor's: a shell takes none of these signs for its own between quotes. */
const harmless = /^[\w "{}[\]:,.@/+-]*$/;

/** A call that is tried first: it changes nothing, and of those it is the one that asks for the least. */
export function firstCall(
  { operations }: CuratedRequests,
  fixtures: readonly ProviderFile[],
): FirstCall | undefined {
  const calls = operations.flatMap(({ name, annotations }) => {
    const fixture = fixtures.find((each) => each.name === `fixtures/${name}.json`);
    if (annotations?.readOnly !== true || !fixture) return [];
    const given = JSON.stringify(JSON.parse(fixture.text).arguments);
    const isShown = given.length <= longestArguments && harmless.test(given);
    return isShown ? [{ tool: name, arguments: given }] : [];
  });
  return calls.toSorted((one, other) => one.arguments.length - other.arguments.length)[0];
}
