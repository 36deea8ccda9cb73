import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Curation } from '../../model/shape/curation.ts';
import { headersReadOf } from '../../model/vendor/headers-read.ts';
import { credentialTest, usedBy } from '../guess/credential-names.ts';
import { constantOf } from '../guess/guess-headers.ts';
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
import { type Unread, unreadTold } from './unread.ts';

/** Compares the operations of a provider, schemas that they share once. */
export class OperationComparison {
  readonly #curation: Curation;
  readonly #sides: readonly [Described, Described];
  readonly #unread: Unread;
  readonly #written: SchemaComparison;
  readonly #read: SchemaComparison;

  constructor(curation: Curation, kept: Described, later: Described, unread: Unread) {
    this.#curation = curation;
    this.#sides = [kept, later];
    this.#unread = unread;
    const documents = [kept.document, later.document] as const;
    this.#written = new SchemaComparison(...documents, 'written', unread);
    this.#read = new SchemaComparison(...documents, 'read', unread);
  }

  /** Whether some of it was too large to be looked at. */
  get isCut(): boolean {
    return this.#written.isCut || this.#read.isCut;
  }

  /** All that a later description says otherwise of an operation that it still has. */
  changes(pair: Pair & Required<Pick<Pair, 'now'>>): readonly Told[] {
    const { curated, was, now } = pair;
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
      ...this.#answerChanges(pair),
      ...this.#deprecation(pair),
    ];
  }

  #answerChanges({ curated, tool, was, now }: Pair & Required<Pick<Pair, 'now'>>) {
    const missing = this.#unread.part(now, 'responses');
    if (missing) return [unreadTold('the answer', missing)];
    const [before, after] = [this.#sides[0].document, this.#sides[1].document];
    const use = new AnswerUse(tool, curated);
    const headers = headersReadOf(this.#curation, curated);
    return answerChanges([before, was], [after, now], { read: this.#read, use, headers });
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
      isCredential: credentialTest(this.#curation.auth, usedBy(this.#curation.auth, curated.auth)),
    };
    const found = parameterChanges(was, now, comparing);
    const missing = this.#unread.part(now, 'parameters');
    const parameters = missing && found.gone.length > 0 ? withoutGone(found, missing) : found;
    const noBody = was.node['requestBody'] ? this.#unread.part(now, 'requestBody') : undefined;
    const body = noBody
      ? [unreadTold('the body', noBody)]
      : bodyChanges(was, now, comparing, curated.body);
    return [...parameters.told, ...comingAndGoing(parameters, body, comparing)];
  }

  #deprecation({ curated, was, now }: Pair & Required<Pick<Pair, 'now'>>): Told[] {
    const isNews = now.node['deprecated'] === true && was.node['deprecated'] !== true;
    if (!isNews || curated.deprecated) return [];
    const text = 'the description calls the operation deprecated now';
    return [{ kind: 'deprecated', text, pointer: `${now.pointer}/deprecated`, breaks: false }];
  }
}

/** Of parameters that seem to be gone, one may be what is missing. */
function withoutGone({ gone, added, told }: Unpaired, missing: Diagnostic): Unpaired {
  const names = gone.map(({ name }) => name).join(' or ');
  return { gone: [], added, told: [...told, unreadTold(names, missing)] };
}

/** Parameters that only one side has: moved, gone or new; those that became members of the body too. */
function comingAndGoing(
  { gone, added }: Unpaired,
  body: readonly Told[],
  comparing: Comparing,
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
    ...moved.flatMap(({ was, now }) => movedParameter(was, now, comparing)),
    ...toBody.map(({ was: { name, in: place }, told: { pointer } }) =>
      altered(`${name} is sent in the body, not as ${place} ${name}`, pointer),
    ),
    ...fromBody.map(({ now: { name, in: place, pointer } }) =>
      altered(`${name} is sent as ${place} ${name}, not in the body`, pointer),
    ),
    ...body.filter((told) => !explained.has(told)),
    ...gone.filter((one) => !paired.has(one)).flatMap((one) => goneText(one, comparing.use)),
    ...added.filter((one) => !paired.has(one)).flatMap((one) => newText(one, comparing)),
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

function newText(added: Unpaired['added'][number], { after }: Comparing): Told[] {
  const { name, in: place, required, pointer } = added;
  const isHidden = place === 'header' || place === 'cookie';
  const shown = isHidden ? `${place} ${name}` : name;
  const constant = required && place === 'header' ? constantOf(after, added) : undefined;
  if (constant !== undefined) {
    const text = `${shown} is new and has to be ${JSON.stringify(constant)} (headers in curation.yaml)`;
    return [{ kind: 'altered', text, pointer, breaks: true, curated: true }];
  }
  if (required) {
    return [{ kind: 'narrowed', text: `${shown} is new and required`, pointer, breaks: true }];
  }
  // A tool takes no optional header unless its curation includes it.
  if (isHidden) return [];
  return [{ kind: 'widened', text: `${shown} is new`, pointer, breaks: false }];
}
