import Negotiator from 'negotiator';
import { ServiceError } from '#contract/errors';
import type { Route } from '#contract/surface/route';

/** Gives the media types that a client takes, the best first. */
export type ChooseTypes = (types: readonly string[]) => readonly string[];

/**
 * Make what finds out, before anything is done, whether a client takes any of the answers among
 * which it may choose (RFC 9110 section 12.5.1); nothing where the route leaves no choice.
 */
export function typeChooser({ responses, name }: Route) {
  const choices = Object.values(responses).flatMap(({ contentType }) =>
    typeof contentType === 'object' ? [contentType] : [],
  );
  const all = [...new Set(choices.flat())];
  if (all.length === 0) return undefined;
  /** @throws ServiceError 406 */
  return (accept: string | undefined): ChooseTypes => {
    const negotiator = new Negotiator({ headers: { accept } });
    if (negotiator.mediaTypes(all).length > 0) return (types) => negotiator.mediaTypes([...types]);
    const message = `${name} answers with ${all.join(' or ')}, but Accept takes none of them`;
    throw new ServiceError('not_acceptable', 406, message, { detail: { supported: all } });
  };
}
