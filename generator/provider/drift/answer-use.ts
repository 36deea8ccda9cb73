import type { JsonPath } from '#contract/json';
import type { CuratedOperation } from '../../model/shape/curation.ts';
import type { ToolModel } from '../../model/shape/provider-model.ts';
import { anyItem, type Finding, type Step } from './schema/finding.ts';

/** Where the curation of a tool, or the server, reads something of an answer. */
interface Reader {
  readonly key: string;
  readonly path: JsonPath;
}

/** Tells what of an answer reaches callers, and what the server itself looks for in it. */
export class AnswerUse {
  readonly #tool: ToolModel;
  readonly #readers: readonly Reader[];
  readonly #words: ReadonlySet<string> | undefined;

  constructor(tool: ToolModel, { from }: CuratedOperation) {
    this.#tool = tool;
    this.#readers = readersOf(tool);
    // Of GraphQL comes what the document names.
    this.#words = from.graphql && new Set([...(from.graphql.document.match(/\w+/g) ?? []), 'data']);
  }

  /** The keys of the curation that lead to or through a place. */
  readersOf({ steps }: Finding): readonly string[] {
    return this.#readers.filter(({ path }) => leads(path, steps)).map(({ key }) => key);
  }

  /** Whether callers see what stands at a place. */
  isDelivered({ steps }: Finding): boolean {
    const words = this.#words;
    if (words && !steps.every((step) => typeof step !== 'string' || words.has(step))) return false;
    const { items, pick, drop, map, follow } = this.#tool.behaviour.response ?? {};
    if (items === undefined) return isShown(steps, { pick, drop, map });
    if (steps.length <= items.length) return leads(items, steps);
    if (!leads(items, steps.slice(0, items.length))) return false;
    const rest = steps.slice(items.length);
    const inner = typeof rest[0] === 'string' ? rest : rest.slice(1);
    return inner.length === 0 || (follow === undefined && isShown(inner, { pick, drop, map }));
  }
}

interface Shape {
  readonly pick?: readonly string[] | undefined;
  readonly drop?: readonly string[] | undefined;
  readonly map?: Readonly<Record<string, JsonPath>> | undefined;
}

/** What `map`, `pick` and `drop` leave (runtime/outbound/content/item-shape.ts). */
function isShown(steps: readonly Step[], { pick, drop, map }: Shape): boolean {
  const [first] = steps;
  if (first === undefined) return true;
  const isMapped = Object.values(map ?? {}).some((path) => {
    const length = Math.min(path.length, steps.length);
    return leads(path.slice(0, length), steps.slice(0, length));
  });
  if (isMapped) return true;
  if (pick === undefined && drop === undefined) return map === undefined;
  if (typeof first !== 'string') return true;
  return (pick?.includes(first) ?? true) && !drop?.includes(first);
}

function readersOf({ behaviour: { response = {}, paging } }: ToolModel): Reader[] {
  const found: readonly [string, JsonPath | undefined][] = [
    ['items', response.items],
    ['slice', response.slice?.path],
    ...(response.rows ?? []).map((path) => ['rows', path] as const),
    ...(response.base64 ?? []).map((path) => ['base64', path] as const),
    ['pagination next', paging?.next],
    ['pagination has_more', paging?.hasMore],
    ['pagination total', paging?.total],
    ['pagination pages', paging?.pages],
    ['pagination counted', paging?.counted],
  ] as [string, JsonPath | undefined][];
  return found.flatMap(([key, path]) => (path && path.length > 0 ? [{ key, path }] : []));
}

/** Whether a path begins with, or ends at, the place. */
function leads(path: JsonPath, steps: readonly Step[]): boolean {
  return steps.length <= path.length && steps.every((step, index) => isStep(path[index], step));
}

function isStep(wanted: string | number | undefined, step: Step): boolean {
  if (step === anyItem) return wanted === '*' || typeof wanted === 'number';
  return wanted === step || (typeof step === 'number' && wanted === '*');
}
