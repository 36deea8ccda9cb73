import { resourceOf } from './operation-names.ts';
import type { OperationNature } from './operation-nature.ts';

/** Operations that a scaffold switches on. */
export const mostSwitchedOn = 20;

const perRound = 2;

interface Resource {
  operations: number;
  readonly reads: OperationNature[];
}

/**
 * Order the operations that only read by how likely an agent needs them: the resources of which
 * most can be done come first, with two operations each, then with two more.
 */
export function rankReads(natures: readonly OperationNature[]): OperationNature[] {
  const resources = new Map<string, Resource>();
  for (const nature of natures) {
    const name = resourceOf(nature.operation);
    const resource = resources.get(name) ?? { operations: 0, reads: [] };
    resources.set(name, resource);
    resource.operations++;
    if (isCandidate(nature)) resource.reads.push(nature);
  }
  const ordered = [...resources.values()]
    .toSorted((a, b) => b.operations - a.operations)
    .map(({ reads }) => easiestFirst(reads));
  const rounds = Math.ceil(Math.max(0, ...ordered.map(({ length }) => length)) / perRound);
  return Array.from({ length: rounds }, (_, round) =>
    ordered.flatMap((reads) => reads.slice(round * perRound, (round + 1) * perRound)),
  ).flat();
}

/** A GET with a body is read differently by every server on the way (RFC 9110 section 9.3.1). */
function isCandidate({ reads, deprecated, content, operation }: OperationNature): boolean {
  const { method, node } = operation;
  return (
    reads && !deprecated && content !== undefined && (method !== 'GET' || !node['requestBody'])
  );
}

/** By how much a caller must know beforehand; the first list is followed by the read of its items. */
function easiestFirst(reads: readonly OperationNature[]): OperationNature[] {
  const sorted = reads.toSorted((a, b) => effort(a) - effort(b));
  const [first] = sorted;
  if (!first) return [];
  const prefix = `${first.operation.path.replace(/\/$/, '')}/{`;
  const item = sorted.find(
    ({ operation: { path } }) =>
      path.startsWith(prefix) && !path.slice(prefix.length).replace(/\/$/, '').includes('/'),
  );
  if (!item) return sorted;
  return [first, item, ...sorted.filter((nature) => nature !== first && nature !== item)];
}

function effort({ pathParameters, operation }: OperationNature): number {
  return pathParameters * 10 + operation.path.split('/').length;
}
