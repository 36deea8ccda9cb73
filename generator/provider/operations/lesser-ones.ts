import { requestPath } from '../../model/schema/api-operations.ts';
import type { OperationNature } from './operation-nature.ts';
import { nounOf, type Subject } from './operation-role.ts';

interface Known {
  readonly nature: OperationNature;
  readonly subject: Subject;
}

/**
 * Give what tells whether an operation does less than another one does. It reads one member of a thing
 * (`/boards/{id}/{field}`, where `/boards/{id}` is read and has other things below it), or the one thing to
 * which it belongs (`/cards/{id}/list`, where there are `/lists`), or it adds to one thing what is made
 * elsewhere (`POST /apps/{id}/users`, where there is `POST /users`).
 */
export function lesserOnes(known: readonly Known[]): (nature: OperationNature) => boolean {
  const paths = new Map(known.map(({ nature }) => [nature, partsOf(nature)]));
  const read = new Set<string>();
  const holding = new Set<string>();
  for (const [{ operation }, parts] of paths) {
    if (operation.method === 'GET') read.add(parts.join('/'));
    for (const [at, part] of parts.entries()) {
      if (part !== '{}') holding.add(parts.slice(0, at).join('/'));
    }
  }
  const own = known.filter(({ subject }) => subject.parents === 0 && /s$/.test(subject.key));
  const nounsOf = (method: string) =>
    new Set(
      own.flatMap(({ nature, subject }) =>
        nature.operation.method === method ? [subject.noun] : [],
      ),
    );
  const [several, made] = [nounsOf('GET'), nounsOf('POST')];
  return (nature) => {
    const { method } = nature.operation;
    const parts = paths.get(nature) ?? [];
    const [last = '', before] = parts.toReversed();
    if (nature.reads && (counting.test(last) || /^debug$/i.test(last))) return true;
    const isBelow = before === '{}' && last !== '{}';
    if (method === 'POST') return !nature.reads && isBelow && made.has(nounOf(last));
    if (method !== 'GET') return false;
    const above = parts.slice(0, -1).join('/');
    if (last === '{}') return before === '{}' && read.has(above) && holding.has(above);
    return isBelow && !/s$/i.test(last) && several.has(nounOf(last));
  };
}

/** How many there are: whoever lists them sees that, too. */
const counting = /^(?:\w+[-_])?counts?$/i;

function partsOf({ operation }: OperationNature): readonly string[] {
  return requestPath(operation)
    .split('/')
    .filter((part) => part !== '')
    .map((part) => (part.startsWith('{') ? '{}' : part));
}
