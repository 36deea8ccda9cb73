import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { type Answer, shapeDifference } from './answers.ts';

interface Difference {
  readonly ours: string;
  readonly theirs: string;
  readonly requests: readonly string[];
  readonly decision: string;
}

interface ShapeDifference {
  readonly path: string;
  readonly decision: string;
}

interface Listed {
  readonly verdicts: readonly Difference[];
  readonly ways: readonly Difference[];
  readonly shapes: readonly ShapeDifference[];
}

/** Differences that a specification decides, and which of them have been seen. */
export class ListedDifferences {
  readonly #listed: Listed;
  readonly #unseen: Set<string>;

  constructor() {
    this.#listed = parse(readFileSync(new URL('differences.yaml', import.meta.url), 'utf8'));
    const { verdicts, ways, shapes } = this.#listed;
    const patterns = [...verdicts, ...ways].flatMap((difference) =>
      difference.requests.map((pattern) => keyOf(difference, pattern)),
    );
    this.#unseen = new Set([...patterns, ...shapes.map(({ path }) => path)]);
  }

  /** What nobody has seen so far: it is not true any more. */
  get unseen(): readonly string[] {
    return [...this.#unseen];
  }

  get undecided(): readonly (Difference | ShapeDifference)[] {
    const { verdicts, ways, shapes } = this.#listed;
    return [...verdicts, ...ways, ...shapes].filter(({ decision }) => decision.trim().length < 10);
  }

  /** The differences of two answers that are not listed. */
  unlisted(request: string, ours: Answer, theirs: Answer): readonly string[] {
    const { verdicts, ways, shapes } = this.#listed;
    const found: string[] = [];
    if (ours.verdict !== theirs.verdict) {
      if (!this.#see(verdicts, request, ours.verdict, theirs.verdict)) {
        found.push(`ours: ${ours.verdict}, theirs: ${theirs.verdict}`);
      }
      return found;
    }
    if (ours.way !== theirs.way && !this.#see(ways, request, ours.way, theirs.way)) {
      found.push(`ours: ${ours.way}, theirs: ${theirs.way}`);
    }
    for (const path of shapeDifference(ours, theirs)) {
      if (shapes.some((listed) => listed.path === path)) this.#unseen.delete(path);
      else found.push(path);
    }
    return found;
  }

  #see(list: readonly Difference[], request: string, ours: string, theirs: string): boolean {
    let isListed = false;
    for (const difference of list) {
      if (difference.ours !== ours || difference.theirs !== theirs) continue;
      for (const pattern of difference.requests) {
        if (!matches(request, pattern)) continue;
        this.#unseen.delete(keyOf(difference, pattern));
        isListed = true;
      }
    }
    return isListed;
  }
}

function keyOf({ ours, theirs }: Difference, pattern: string): string {
  return `${ours} | ${theirs} | ${pattern}`;
}

/** `*` stands for anything, `\*` for itself. */
function matches(text: string, pattern: string): boolean {
  const parts = pattern.split(/(\\\*|\*)/).map((part) => {
    if (part === '*') return '.*';
    return (part === '\\*' ? '*' : part).replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`, 's').test(text);
}
