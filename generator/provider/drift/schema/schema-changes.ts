import type { Diagnostic } from '../../../diagnostics/diagnostic.ts';
import type { ApiDocument } from '../../../read/document/api-document.ts';
import { escapeStep } from '../../../read/text/json-pointer.ts';
import { placeOf, Unread, unreadText } from '../unread.ts';
import { demanded, demandedNew, isDemand, needsOfOne } from './demands.ts';
import { type FacetChange, facetChanges } from './facet-changes.ts';
import { anyItem, anyMember, type Finding, type Step } from './finding.ts';
import { KnownFindings } from './known-findings.ts';
import { partnersOf } from './partners.ts';
import { type Schema, type View, viewOf } from './schema-view.ts';

/** Whether callers write values of a schema, or read them. */
type Use = 'written' | 'read';

/** So many findings are told of a pair of schemas. */
const mostFindings = 200;

/** What is said of an object that has closed itself. */
export const closedText = 'takes no other members now';

/** Compares schemas of an earlier document with those of a later one. */
export class SchemaComparison {
  readonly #before: ApiDocument;
  readonly #after: ApiDocument;
  readonly #use: Use;
  readonly #unread: Unread;
  readonly #ids = new WeakMap<object, number>();
  readonly #known = new KnownFindings();
  #count = 0;

  constructor(before: ApiDocument, after: ApiDocument, use: Use, unread?: Unread) {
    this.#before = before;
    this.#after = after;
    this.#use = use;
    this.#unread = unread ?? new Unread(after);
  }

  /** Whether there was so much that some of it was not looked at. */
  get isCut(): boolean {
    return this.#known.isCut;
  }

  /** What has become of a schema; what refers to itself is compared once. */
  changes(was: Schema, now: Schema): readonly Finding[] {
    const views = [viewOf(this.#before, was), viewOf(this.#after, now)] as const;
    // What references lead to is known by itself, so that what leads back to it ends there.
    const key = views.map(({ parts }) => this.#keyOf(parts)).join(' ');
    return this.#known.find(key, () => {
      const missing = this.#missing(now, views[1]);
      if (missing) return saysNothing(views[0]) ? [] : [unreadFinding(missing, now)];
      const hasChoices = views.some(({ choices }) => choices.length > 0);
      const found = hasChoices
        ? this.#chosen([was, views[0]], [now, views[1]])
        : this.#plain(...views, now);
      const distinct = new Map(
        found.map((one) => [`${one.text} ${one.pointer} ${one.effect} ${one.gone ?? ''}`, one]),
      );
      return [...distinct.values()].slice(0, mostFindings);
    });
  }

  /** What is missing of a later schema, or of what it is composed of. */
  #missing(now: Schema, { parts, choices }: View): Diagnostic | undefined {
    const places = [...now, ...parts, ...choices.flat()].map(({ pointer }) => pointer);
    for (const pointer of new Set(places)) {
      const found = this.#unread.schemaAt(pointer);
      if (found) return found;
    }
    return undefined;
  }

  #keyOf(schema: Schema): string {
    return schema.map(({ node }) => this.#idOf(node)).join('+');
  }

  #idOf(node: object): number {
    const known = this.#ids.get(node);
    if (known !== undefined) return known;
    this.#count += 1;
    this.#ids.set(node, this.#count);
    return this.#count;
  }

  #plain(was: View, now: View, at: Schema): Finding[] {
    const facets = facetChanges([this.#before, was], [this.#after, now]).filter(
      (facet) => !this.#isUnsayable(facet),
    );
    const found = facets.flatMap((facet) => this.#facet(facet, now, at));
    const isOther = facets.some(({ allows, keyword }) => allows === 'other' && keyword === 'type');
    if (isOther) return found;
    return [
      ...found,
      ...this.#members(was, now, at),
      ...this.#others(was, now, at),
      ...this.#items(was, now),
      ...noted(was, now, at, this.#use),
    ];
  }

  /** Swagger 2.0 has no word for null: what does not say it takes none may take it. */
  #isUnsayable({ keyword, allows }: FacetChange): boolean {
    return keyword === 'null' && allows === 'less' && this.#after.version === '2.0';
  }

  #facet({ allows, keyword, text, lost }: FacetChange, now: View, at: Schema): Finding[] {
    const place = now.parts.find(({ node }) => node[keyword] !== undefined);
    const pointer = place ? `${place.pointer}/${keyword}` : pointerOf(at);
    const beside = { steps: [], pointer, ...(lost && { lost }) };
    if (this.#use === 'written') {
      return [{ ...beside, effect: allows === 'more' ? 'widened' : 'narrowed', text }];
    }
    const told = ofAnswers(keyword, allows);
    const worded = text
      .replace(/^takes only/, 'is only')
      .replace(/^no longer takes/, 'is no longer')
      .replace(/^takes (.*) too$/, 'may be $1 too')
      .replace(/^takes any/, 'may be any');
    return told === undefined ? [] : [{ ...beside, effect: told, text: worded }];
  }

  #members(was: View, now: View, at: Schema): Finding[] {
    const found: Finding[] = [];
    const holder = now.parts.filter(({ node }) => node['properties'] !== undefined);
    const home = holder.length > 0 ? holder : at;
    for (const [name, schema] of was.properties) {
      const current = now.properties.get(name);
      if (this.#isUnused(this.#before, schema)) continue;
      if (current === undefined || this.#isUnused(this.#after, current)) {
        const missing = current ? undefined : this.#missingMember(home, name);
        found.push(
          missing
            ? { ...unreadFinding(missing, home), steps: [name] }
            : this.#gone(name, current ?? home),
        );
        continue;
      }
      found.push(...below(name, this.changes(schema, current)));
      found.push(...this.#demand(name, current, [was.required.has(name), now.required.has(name)]));
    }
    for (const [name, schema] of now.properties) {
      const before = was.properties.get(name);
      const isKnown = before !== undefined && !this.#isUnused(this.#before, before);
      if (isKnown || this.#isUnused(this.#after, schema)) continue;
      found.push(this.#new(name, schema, now.required.has(name)));
    }
    return found;
  }

  #missingMember(home: Schema, name: string): Diagnostic | undefined {
    const places = home.map(({ pointer }) => `${pointer}/properties/${escapeStep(name)}`);
    return places.map((at) => this.#unread.schemaAt(at)).find((found) => found !== undefined);
  }

  /** Whether requests never carry a member, or answers never do (OpenAPI 3.1, readOnly, writeOnly). */
  #isUnused(document: ApiDocument, schema: Schema | undefined): boolean {
    const keyword = this.#use === 'written' ? 'readOnly' : 'writeOnly';
    return viewOf(document, schema ?? []).parts.some(({ node }) => node[keyword] === true);
  }

  #gone(name: string, at: Schema): Finding {
    const text = this.#use === 'written' ? 'is gone' : 'is gone from the answer';
    return { effect: 'narrowed', steps: [name], text, pointer: pointerOf(at), gone: name };
  }

  #new(name: string, schema: Schema, isRequired: boolean): Finding {
    const place = { steps: [name], pointer: pointerOf(schema) };
    if (this.#use === 'read') return { ...place, effect: 'widened', text: 'is new in the answer' };
    if (isRequired) return { ...place, effect: 'narrowed', text: demandedNew };
    return { ...place, effect: 'widened', text: 'is new' };
  }

  #demand(name: string, schema: Schema, [was, now]: readonly [boolean, boolean]): Finding[] {
    if (was === now) return [];
    const place = { steps: [name], pointer: pointerOf(schema) };
    if (this.#use === 'read') {
      return was ? [{ ...place, effect: 'widened', text: 'may be missing now' }] : [];
    }
    if (now) return [{ ...place, effect: 'narrowed', text: demanded }];
    return [{ ...place, effect: 'widened', text: 'may be left out now' }];
  }

  #others({ others: was }: View, { others: now, parts }: View, at: Schema): Finding[] {
    if (was === now) return [];
    if (was !== false && now !== false) {
      return below(anyMember, this.changes(was ?? anything(at), now ?? anything(at)));
    }
    if (this.#use === 'read') return [];
    const place = parts.find(({ node }) => node['additionalProperties'] !== undefined);
    const pointer = place ? `${place.pointer}/additionalProperties` : pointerOf(at);
    const beside = { steps: [], pointer };
    if (was === false) return [{ ...beside, effect: 'widened', text: 'takes other members too' }];
    return [{ ...beside, effect: 'narrowed', text: closedText }];
  }

  #items(was: View, now: View): Finding[] {
    const whole = was.items && now.items ? below(anyItem, this.changes(was.items, now.items)) : [];
    const single = was.tuple.flatMap((schema, index) => {
      const current = now.tuple[index] ?? now.items;
      return current ? below(index, this.changes(schema, current)) : [];
    });
    return [...whole, ...single];
  }

  /**
   * Hold choices against each other. Of what is written, each that was there has to be there still;
   * of what is read, each that is there has to be known.
   */
  #chosen([was, old]: readonly [Schema, View], [now, own]: readonly [Schema, View]): Finding[] {
    const before = spread(was, old, this.#before);
    const after = spread(now, own, this.#after);
    const isWritten = this.#use === 'written';
    const [needed, offered] = isWritten ? [before, after] : [after, before];
    const compare = (one: Schema, other: Schema) =>
      isWritten ? this.changes(one, other) : this.changes(other, one);
    const partners = partnersOf([this.#before, before], [this.#after, after]);
    const pairs = needed.map((one) => {
      const partner = partners.get(one);
      const near = partner ? [partner] : offered;
      const costs = near.map((other) => ({ other, found: compare(one, other) }));
      const sorted = costs.toSorted((a, b) => costOf(a.found) - costOf(b.found));
      // What is plainly another one's partner is none of this one, unless that takes all of it.
      const isFree = ({ other, found }: (typeof sorted)[number]) =>
        !narrows(found) || !partners.has(other) || partners.get(other) === one;
      const best = sorted.find(isFree) ?? sorted[0];
      const isElse = best !== undefined && !isFree(best);
      return { one, other: best?.other, found: best?.found ?? [], isElse };
    });
    const perfect = new Set(pairs.filter(({ found }) => costOf(found) === 0).map(partnerOf));
    const nearest = nearestOf(pairs);
    const found = pairs.flatMap((pair) => {
      const { one, other, found: own, isElse } = pair;
      // One form has become of one form: of several that it is near to, it is the nearest.
      const isUnlike = offered.length > 1 || own.some(({ gone }) => gone !== undefined);
      const isCrowded = isUnlike && narrows(own) && nearest.get(other) !== pair;
      const isTaken = isElse || isCrowded || (costOf(own) > 0 && perfect.has(other));
      if (!isTaken || needed.length === 1) {
        if (!isWritten || needed.length > 1 || !own.some(isDemand)) return own;
        const forms = offered.map((each) => compare(one, each));
        return needsOfOne(own, forms);
      }
      const pointer = isWritten ? pointerOf(now) : pointerOf(one.slice(-1));
      const text = isWritten ? 'no longer takes one of its forms' : 'may have another form now';
      return [{ effect: 'narrowed', steps: [], text, pointer } satisfies Finding];
    });
    const used = new Set(pairs.map(partnerOf));
    // One that says the same as another is nobody's partner, and is there all the same.
    const isTakenOver = (other: Schema) =>
      needed.some((one) => compare(one, other).every(isNothingMore));
    const isMore = offered.length > 1 && offered.some((one) => !used.has(one) && !isTakenOver(one));
    const all = [...found, ...this.#nullChange([old, own], now)];
    if (!isMore) return all;
    const text = isWritten ? 'takes another form too' : 'has one form less';
    return [...all, { effect: 'widened', steps: [], text, pointer: pointerOf(now) }];
  }

  /** Choices are compared without null, which is said beside them, or of each of them. */
  #nullChange([was, now]: readonly [View, View], at: Schema): Finding[] {
    const isSaid = was.mayBeNull !== undefined && now.mayBeNull !== undefined;
    if (!isSaid || was.mayBeNull === now.mayBeNull) return [];
    const [allows, text] = now.mayBeNull
      ? (['more', 'may be null now'] as const)
      : (['less', 'may not be null now'] as const);
    return this.#facet({ allows, keyword: 'null', text }, now, at);
  }
}

function unreadFinding(missing: Diagnostic, now: Schema): Finding {
  const text = unreadText('', missing).trim();
  return { effect: 'unread', steps: [], text, pointer: pointerOf(now), at: placeOf(missing) };
}

/** Whether nothing can have changed, since nothing was said. */
function saysNothing({ parts, choices }: View): boolean {
  const keys = parts.flatMap(({ node }) => Object.keys(node)).filter((key) => !isWord(key));
  return keys.length === 0 && choices.length === 0;
}

function isWord(key: string): boolean {
  return ['description', 'title', '$ref'].includes(key);
}

function isNothingMore(finding: Finding): boolean {
  return finding.effect === 'unread' || isDemand(finding);
}

function partnerOf({ other }: { readonly other: Schema | undefined }) {
  return other;
}

interface Near {
  readonly other: Schema | undefined;
  readonly found: readonly Finding[];
}

/** For each form the one that differs least from it. */
function nearestOf<T extends Near>(pairs: readonly T[]): ReadonlyMap<Schema | undefined, T> {
  const nearest = new Map<Schema | undefined, T>();
  for (const pair of pairs) {
    const known = nearest.get(pair.other);
    if (!known || costOf(pair.found) < costOf(known.found)) nearest.set(pair.other, pair);
  }
  return nearest;
}

function narrows(found: readonly Finding[]): boolean {
  return found.some(({ effect }) => effect === 'narrowed');
}

function costOf(found: readonly Finding[]): number {
  const narrowed = found.filter(({ effect }) => effect === 'narrowed').length;
  return narrowed * mostFindings + Math.min(found.length, mostFindings - 1);
}

/** Each choice with what is said beside them; the schema itself where it has none. */
function spread(
  schema: Schema,
  { choices, rest, types }: View,
  document: ApiDocument,
): readonly Schema[] {
  if (choices.length > 0) {
    const all = choices.map((choice) => [...rest, ...choice]);
    // Of some, what is said beside the choices leaves no value.
    const possible = all.filter((one) => viewOf(document, one).values?.length !== 0);
    return possible.length > 0 ? possible : all;
  }
  // Several types are a choice too, which 3.0 can say in no other way than by schemas.
  const some = [...(types ?? [])].filter((type) => type !== 'null');
  return some.length === 0 || types?.size === 1
    ? [schema]
    : some.map((type) => [...schema, ofType(type, schema)]);
}

const typeNodes = new Map<string, Schema[number]['node']>();

/** The same node for the same type, so that what is compared is known again. */
function ofType(type: string, at: Schema): Schema[number] {
  const node = typeNodes.get(type) ?? { type };
  typeNodes.set(type, node);
  return { node, pointer: pointerOf(at) };
}

function below(step: Step, found: readonly Finding[]): Finding[] {
  return found.map((one) => ({ ...one, steps: [step, ...one.steps] }));
}

function pointerOf(schema: Schema): string {
  return schema[0]?.pointer ?? '';
}

/** Nothing is said of it. */
function anything(at: Schema): Schema {
  return [{ node: unsaid, pointer: pointerOf(at) }];
}

const unsaid = {};

/** What a change of a keyword is to those who read values, where it is anything to them. */
function ofAnswers(keyword: string, allows: FacetChange['allows']): Finding['effect'] | undefined {
  if (keyword === 'null') return allows === 'more' ? 'widened' : undefined;
  if (keyword === 'format') return allows === 'other' ? 'narrowed' : undefined;
  if (keyword !== 'type' && keyword !== 'enum') return undefined;
  return allows === 'less' ? 'widened' : 'narrowed';
}

/** What a value means when nobody gives one, and what is on its way out. */
function noted(was: View, now: View, at: Schema, use: Use): Finding[] {
  const [old, own] = [was, now].map(({ parts }) => JSON.stringify(defaultOf(parts)));
  const beside = { steps: [], pointer: pointerOf(at) };
  const isNewly = isDeprecated(now) && !isDeprecated(was);
  return [
    ...(old !== own && use === 'written'
      ? [{ ...beside, effect: 'noted', text: defaultText(old, own) } as const]
      : []),
    ...(isNewly ? [{ ...beside, effect: 'deprecated', text: 'is deprecated now' } as const] : []),
  ];
}

function defaultText(old: string | undefined, own: string | undefined): string {
  if (own === undefined) return `has no default now; it was ${cut(old)}`;
  return old === undefined
    ? `has the default ${cut(own)} now`
    : `has the default ${cut(own)}, not ${cut(old)}`;
}

const mostShown = 80;

function cut(text = ''): string {
  return text.length > mostShown ? `${text.slice(0, mostShown)}...` : text;
}

function defaultOf(parts: Schema): unknown {
  return parts.find(({ node }) => node['default'] !== undefined)?.node['default'];
}

function isDeprecated({ parts }: View): boolean {
  return parts.some(({ node }) => node['deprecated'] === true);
}
