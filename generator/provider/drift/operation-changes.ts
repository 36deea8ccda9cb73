import type { Curation } from '../../model/shape/curation.ts';
import { credentialTest } from '../guess/credential-names.ts';
import { answerChanges } from './answer-changes.ts';
import { AnswerUse } from './answer-use.ts';
import { bodyChanges } from './body-changes.ts';
import { CuratedUse } from './curated-use.ts';
import type { Described } from './described.ts';
import type { Told } from './drift-change.ts';
import type { Pair } from './pair-operations.ts';
import {
  type Comparing,
  isSameName,
  movedParameter,
  parameterChanges,
  type Unpaired,
} from './parameter-changes.ts';
import { SchemaComparison } from './schema/schema-changes.ts';
import { securityChanges } from './security-changes.ts';
import { addressChanges } from './server-changes.ts';

/** Compares the operations of a provider, schemas that they share once. */
export class OperationComparison {
  readonly #curation: Curation;
  readonly #sides: readonly [Described, Described];
  readonly #written: SchemaComparison;
  readonly #read: SchemaComparison;

  constructor(curation: Curation, kept: Described, later: Described) {
    this.#curation = curation;
    this.#sides = [kept, later];
    const documents = [kept.document, later.document] as const;
    this.#written = new SchemaComparison(...documents, 'written');
    this.#read = new SchemaComparison(...documents, 'read');
  }

  /** Whether some of it was too large to be looked at. */
  get isCut(): boolean {
    return this.#written.isCut || this.#read.isCut;
  }

  /** All that a later description says otherwise of an operation that it still has. */
  changes(pair: Pair & Required<Pick<Pair, 'now'>>): readonly Told[] {
    const { curated, tool, was, now } = pair;
    const [before, after] = [this.#sides[0].document, this.#sides[1].document];
    const curation = this.#curation;
    const sides = [
      [before, was],
      [after, now],
    ] as const;
    return [
      ...addressChanges(pair, curation, this.#sides),
      ...securityChanges(curation, curated, sides),
      ...this.#requestChanges(pair),
      ...answerChanges(...sides, { read: this.#read, use: new AnswerUse(tool, curated) }),
      ...this.#deprecation(pair),
    ];
  }

  #requestChanges({ curated, tool, was, now }: Pair & Required<Pick<Pair, 'now'>>): Told[] {
    // What GraphQL takes stands in its own schema, which no description of HTTP has.
    if (curated.from.graphql) return [];
    const use = new CuratedUse(this.#curation, curated, tool);
    const comparing: Comparing = {
      before: this.#sides[0].document,
      after: this.#sides[1].document,
      written: this.#written,
      use,
      isCredential: credentialTest(this.#curation.auth),
    };
    const parameters = parameterChanges(was, now, comparing);
    const body = bodyChanges(was, now, comparing, curated.body);
    return [...parameters.told, ...comingAndGoing(parameters, body, use)];
  }

  #deprecation({ curated, was, now }: Pair & Required<Pick<Pair, 'now'>>): Told[] {
    const isNews = now.node['deprecated'] === true && was.node['deprecated'] !== true;
    if (!isNews || curated.deprecated) return [];
    const text = 'the description calls the operation deprecated now';
    return [{ kind: 'deprecated', text, pointer: `${now.pointer}/deprecated`, breaks: false }];
  }
}

/** Parameters that only one side has: moved, gone or new; those that became members of the body too. */
function comingAndGoing(
  { gone, added }: Unpaired,
  body: readonly Told[],
  use: CuratedUse,
): readonly Told[] {
  const moved = gone.flatMap((was) => {
    const now = added.find(({ name }) => isSameName(name, was.name));
    return now ? [{ was, now }] : [];
  });
  const toBody = gone.flatMap((was) => {
    const told = body.find(({ text }) => text.startsWith(`${was.name} is new`));
    return told ? [{ was, told }] : [];
  });
  const fromBody = added.flatMap((now) => {
    const told = body.find(({ text }) => text === `${now.name} is gone`);
    return told ? [{ now, told }] : [];
  });
  const paired = new Set([
    ...moved.flatMap(({ was, now }) => [was, now]),
    ...toBody.map(({ was }) => was),
    ...fromBody.map(({ now }) => now),
  ]);
  const explained = new Set([...toBody, ...fromBody].map(({ told }) => told));
  const altered = (text: string, pointer: string): Told => ({
    ...{ kind: 'altered', text, pointer, breaks: true },
  });
  return [
    ...moved.map(({ was, now }) => movedParameter(was, now)),
    ...toBody.map(({ was: { name, in: place }, told: { pointer } }) =>
      altered(`${name} is sent in the body, not as ${place} ${name}`, pointer),
    ),
    ...fromBody.map(({ now: { name, in: place, pointer } }) =>
      altered(`${name} is sent as ${place} ${name}, not in the body`, pointer),
    ),
    ...body.filter((told) => !explained.has(told)),
    ...gone.filter((one) => !paired.has(one)).flatMap((one) => goneText(one, use)),
    ...added.filter((one) => !paired.has(one)).flatMap((one) => newText(one)),
  ];
}

function goneText({ name, in: place, pointer }: Unpaired['gone'][number], use: CuratedUse): Told[] {
  const { is, pages } = use.of(place, name);
  if (is === 'nothing') return [];
  const reader = pages ? '; lists continue by it (pagination in curation.yaml)' : '';
  // What is gone stands nowhere: its operation does.
  const home = pointer.replace(/\/parameters\/\d+$/, '');
  const beside = { pointer: home, breaks: true, ...(pages && { curated: true }) };
  return [{ ...beside, kind: 'narrowed', text: `${name} is gone${reader}` }];
}

function newText({ name, in: place, required, pointer }: Unpaired['added'][number]): Told[] {
  const isHidden = place === 'header' || place === 'cookie';
  const shown = isHidden ? `${place} ${name}` : name;
  if (required) {
    return [{ kind: 'narrowed', text: `${shown} is new and required`, pointer, breaks: true }];
  }
  // A tool takes no optional header unless its curation includes it.
  if (isHidden) return [];
  return [{ kind: 'widened', text: `${shown} is new`, pointer, breaks: false }];
}
