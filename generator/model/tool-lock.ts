import { hash } from 'node:crypto';
import { isObject } from '#contract/json';
import type { ToolDefinition } from '#contract/tool';
import { argumentSignatures, compareSignatures } from './argument-signature.ts';

/** What `tools.lock.json` keeps of a published tool. */
export interface LockedTool {
  /** What it does on the wire: a renamed tool is known by it. */
  readonly request: string;
  /** SHA-256 of its title and description. */
  readonly description: string;
  /** SHA-256 of the schema of its arguments. */
  readonly schema: string;
  /** What each argument allows. */
  readonly arguments: Readonly<Record<string, string>>;
}

export type ToolLock = Readonly<Record<string, LockedTool>>;

/** The part of a definition that callers hold on to. */
export type LockedDefinition = Pick<ToolDefinition, 'name' | 'title' | 'description' | 'input'>;

/** The lock of the tools as they are now. */
export function lockTools(
  tools: readonly { readonly definition: LockedDefinition; readonly request: string }[],
): ToolLock {
  return Object.fromEntries(
    tools.map(({ definition, request }) => [
      definition.name,
      {
        request,
        description: hash(
          'sha256',
          JSON.stringify([definition.title ?? null, definition.description]),
        ),
        schema: hash('sha256', JSON.stringify(definition.input)),
        arguments: argumentSignatures(definition.input),
      },
    ]),
  );
}

/** The text of a lock file. */
export function printLock(lock: ToolLock): string {
  return `${JSON.stringify({ tools: lock }, null, 2)}\n`;
}

/** Take a lock file for what it says; `undefined` when it is none. */
export function readLock(value: unknown): ToolLock | undefined {
  if (!isObject(value) || !isObject(value['tools'])) return undefined;
  const isLocked = (tool: unknown) =>
    isObject(tool) &&
    [tool['request'], tool['description'], tool['schema']].every(
      (text) => typeof text === 'string',
    ) &&
    isObject(tool['arguments']) &&
    Object.values(tool['arguments']).every((text) => typeof text === 'string');
  return Object.values(value['tools']).every(isLocked) ? (value['tools'] as ToolLock) : undefined;
}

/** How a published tool has changed. */
export interface ToolChange {
  readonly kind: 'added' | 'removed' | 'renamed' | 'narrowed' | 'widened' | 'reworded';
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
  const narrowed: string[] = [];
  const widened: string[] = [];
  for (const [name, signature] of Object.entries(old.arguments)) {
    const current = Object.hasOwn(now.arguments, name) ? now.arguments[name] : undefined;
    if (current === undefined) {
      if (hasParent(name, now)) narrowed.push(`${name} is gone`);
    } else if (current !== signature) {
      const change = compareSignatures(signature, current);
      narrowed.push(...change.narrowed.map((text) => `${name} ${text}`));
      widened.push(...change.widened.map((text) => `${name} ${text}`));
    }
  }
  for (const [name, signature] of Object.entries(now.arguments)) {
    if (Object.hasOwn(old.arguments, name)) continue;
    if (!hasParent(name, old)) continue;
    const isNeeded = /^\S+!/.test(signature);
    (isNeeded ? narrowed : widened).push(`${name} is new${isNeeded ? ' and required' : ''}`);
  }
  if (narrowed.length > 0) return [{ kind: 'narrowed', tool, details: [...narrowed, ...widened] }];
  if (widened.length > 0) return [{ kind: 'widened', tool, details: widened }];
  const isReworded = old.description !== now.description || old.schema !== now.schema;
  return isReworded ? [{ kind: 'reworded', tool, details: [] }] : [];
}

/** Members go and come with what holds them: it is enough to speak of that. */
function hasParent(name: string, { arguments: known }: LockedTool): boolean {
  const parent = name.replace(/(?:\.[^.]*|\[\]|\{\})$/, '');
  return parent === name || Object.hasOwn(known, parent);
}
