import { argumentSignatures } from '../../model/lock/argument-signature.ts';
import { argumentChanges, compareLocks } from '../../model/lock/lock-changes.ts';
import { type LockedTool, lockTools } from '../../model/lock/tool-lock.ts';
import type { ToolModel } from '../../model/shape/provider-model.ts';
import type { DriftChange } from './drift-change.ts';
import { requestChanges } from './request-form.ts';

/**
 * What has become of the requests, the arguments and the answers of tools that both sides have.
 *
 * @param everywhere what has become of all their requests alike, in words
 */
export function toolChanges(
  before: readonly ToolModel[],
  after: readonly ToolModel[],
  everywhere: readonly string[],
): readonly DriftChange[] {
  const pairs = before.flatMap((was) => {
    const now = after.find(({ definition }) => definition.name === was.definition.name);
    return now ? [{ was, now }] : [];
  });
  return pairs.flatMap(({ was, now }) => {
    const tool = was.definition.name;
    const [before, after] = [lockTools([locked(was)]), lockTools([locked(now)])];
    // A lock calls a tool narrowed, whatever else it allows now; here each goes to its own kind.
    const given = inBoth(before[tool], after[tool]);
    const answer = answerChanges(was, now);
    const narrowed = [...given.narrowed, ...answer.narrowed];
    const widened = [...given.widened, ...answer.widened];
    const altered = [
      ...compareLocks(before, after)
        .filter(({ kind }) => kind === 'altered')
        .flatMap(({ details }) => details),
      ...requestChanges(was.request, now.request),
    ];
    const found: DriftChange[] = [
      { kind: 'altered', tool, details: everywhere, curated: true, breaks: true },
      { kind: 'altered', tool, details: altered, breaks: true },
      { kind: 'narrowed', tool, details: narrowed, breaks: true },
      { kind: 'widened', tool, details: widened, breaks: false },
    ];
    return found.filter((change) => change.details.length > 0);
  });
}

function inBoth(was: LockedTool | undefined, now: LockedTool | undefined) {
  return was && now ? argumentChanges(was, now) : { narrowed: [], widened: [] };
}

function locked({ definition, origin }: ToolModel) {
  return { definition, request: `${origin.method} ${origin.path}` };
}

/** A reader of answers misses what is gone, and does not expect what is of another type. */
function answerChanges({ definition: was }: ToolModel, { definition: now }: ToolModel) {
  const narrowed: string[] = [];
  const widened: string[] = [];
  const before = argumentSignatures(was.output ?? {});
  const after = argumentSignatures(now.output ?? {});
  for (const [path, signature] of Object.entries(before)) {
    const current = after[path];
    if (path === '' || current === signature || !hasParent(path, after)) continue;
    narrowed.push(
      current === undefined
        ? `${path} is gone from the answer`
        : `${path} of the answer is ${typeOf(current)}, not ${typeOf(signature)}`,
    );
  }
  for (const path of Object.keys(after)) {
    if (before[path] === undefined && hasParent(path, before)) {
      widened.push(`${path} is new in the answer`);
    }
  }
  return { narrowed, widened };
}

/** Members go and come with what holds them: it is enough to speak of that. */
function hasParent(path: string, known: Readonly<Record<string, string>>): boolean {
  const parent = path.replace(/(?:\/[^/]*|\[\]|\{\})$/, '');
  return parent === path || known[parent] !== undefined;
}

/** Every member of an answer may be null. */
function typeOf(signature: string): string {
  return signature.replace(/\|null\b/, '');
}
