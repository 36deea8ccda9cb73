import { compareSignatures, type SignatureChange } from './signature-change.ts';
import type { LockedTool, ToolLock } from './tool-lock.ts';

/** How a published tool has changed. */
export interface ToolChange {
  readonly kind: 'added' | 'removed' | 'renamed' | 'altered' | 'narrowed' | 'widened' | 'reworded';
  /** Its name now, or its last one where it is gone. */
  readonly tool: string;
  /** What has changed, in words; for a renamed tool its old name. */
  readonly details: readonly string[];
}

/** Compare the published tools with those that are there now. */
export function compareLocks(before: ToolLock, after: ToolLock): ToolChange[] {
  const changes: ToolChange[] = [];
  const added = new Set(Object.keys(after).filter((name) => !Object.hasOwn(before, name)));
  for (const [name, old] of Object.entries(before)) {
    const now = Object.hasOwn(after, name) ? after[name] : undefined;
    if (now !== undefined) {
      changes.push(...changesOf(name, old, now));
      continue;
    }
    const successor = [...added].find((other) => after[other]?.request === old.request);
    if (successor === undefined) changes.push({ kind: 'removed', tool: name, details: [] });
    else {
      added.delete(successor);
      changes.push({ kind: 'renamed', tool: successor, details: [name] });
    }
  }
  return [...changes, ...[...added].map((tool) => ({ kind: 'added' as const, tool, details: [] }))];
}

function changesOf(tool: string, old: LockedTool, now: LockedTool): ToolChange[] {
  const altered = alterations(old, now);
  const changes: ToolChange[] =
    altered.length > 0 ? [{ kind: 'altered', tool, details: altered }] : [];
  const { narrowed, widened } = argumentChanges(old, now);
  // What is not published can only be told by its hash; locks of earlier versions have none.
  const isOther = old.whole !== undefined && now.whole !== undefined && old.whole !== now.whole;
  if (isOther && narrowed.length + widened.length === 0) {
    narrowed.push('what calls are held to beyond the published schema is another');
  }
  if (narrowed.length > 0) {
    return [...changes, { kind: 'narrowed', tool, details: [...narrowed, ...widened] }];
  }
  if (widened.length > 0) return [...changes, { kind: 'widened', tool, details: widened }];
  const isReworded = old.description !== now.description || old.schema !== now.schema;
  return isReworded ? [...changes, { kind: 'reworded', tool, details: [] }] : changes;
}

/** What a call does and who may make it: nobody can see from the arguments that it is another. */
function alterations(old: LockedTool, now: LockedTool): string[] {
  const hints = new Set([...Object.keys(old.annotations), ...Object.keys(now.annotations)]);
  const facts: [name: string, before: unknown, after: unknown][] = [
    ['request', old.request, now.request],
    ['access', old.access, now.access],
    ...[...hints].map((hint): [string, unknown, unknown] => [
      hint,
      old.annotations[hint],
      now.annotations[hint],
    ]),
  ];
  return facts
    .map(([name, ...values]) => [name, ...values.map(shown)] as const)
    .filter(([, before, after]) => before !== after)
    .map(([name, before, after]) => `${name} is ${after}, not ${before}`);
}

function shown(value: unknown): string {
  if (value === undefined) return 'unset';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** What the arguments of a tool no longer allow, and what they allow more, in words. */
function argumentChanges(old: LockedTool, now: LockedTool): SignatureChange {
  const narrowed: string[] = [];
  const widened: string[] = [];
  for (const [name, signature] of Object.entries(old.arguments)) {
    const current = Object.hasOwn(now.arguments, name) ? now.arguments[name] : undefined;
    if (current === undefined) {
      if (hasParent(name, now)) narrowed.push(`${name} is gone`);
    } else if (current !== signature) {
      const change = compareSignatures(signature, current);
      const whole = name === '' ? 'the whole' : name;
      narrowed.push(...change.narrowed.map((text) => `${whole} ${text}`));
      widened.push(...change.widened.map((text) => `${whole} ${text}`));
    }
  }
  for (const [name, signature] of Object.entries(now.arguments)) {
    if (Object.hasOwn(old.arguments, name) || !hasParent(name, old)) continue;
    const isNeeded = /^\S+!/.test(signature);
    (isNeeded ? narrowed : widened).push(`${name} is new${isNeeded ? ' and required' : ''}`);
  }
  return { narrowed, widened };
}

/** Members go and come with what holds them: it is enough to speak of that. */
function hasParent(name: string, { arguments: known }: LockedTool): boolean {
  const parent = name.replace(/(?:\/[^/]*|\[\]|\{\})$/, '');
  return parent === name || Object.hasOwn(known, parent);
}
