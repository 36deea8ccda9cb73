import type { Location } from '../../../diagnostics/diagnostic.ts';

/** `[]` of any item, a number of one in a tuple, `{}` of any other member, else the name of a member. */
export type Step = string | number | typeof anyItem | typeof anyMember;

export const anyItem = Symbol('[]');
export const anyMember = Symbol('{}');

/** What a later schema says otherwise, seen by those who write values of it or read them. */
export interface Finding {
  /** `noted` changes what is meant, not what is allowed; what is `unread` could not be compared. */
  readonly effect: 'narrowed' | 'widened' | 'noted' | 'deprecated' | 'unread';
  readonly steps: readonly Step[];
  /** What has become of what stands at `steps`, in words. */
  readonly text: string;
  /** JSON pointer into the later document. */
  readonly pointer: string;
  /** The member that is gone from what stands at `pointer`. */
  readonly gone?: string;
  /** Where it stands, if `pointer` does not lead there. */
  readonly at?: Location;
  /** Values that were allowed and are no longer. */
  readonly lost?: readonly unknown[];
}

/** Where a value stands: `a/b[]`, with `` for the whole. */
export function pathOf(steps: readonly Step[]): string {
  return steps
    .map((step, index) => {
      if (typeof step === 'string') return index === 0 ? shownName(step) : `/${shownName(step)}`;
      if (typeof step === 'number') return `[${step}]`;
      return step === anyItem ? '[]' : '{}';
    })
    .join('');
}

/** A name without what would make a path of it, or move a cursor. */
function shownName(name: string): string {
  return /^[\p{L}\p{N}_.$@:+ -]+$/u.test(name) ? name : encodeURIComponent(name.toWellFormed());
}
