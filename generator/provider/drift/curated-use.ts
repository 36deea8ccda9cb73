import type { CuratedOperation, Curation } from '../../model/shape/curation.ts';
import type { ToolModel } from '../../model/shape/provider-model.ts';
import { paginationOf } from '../../model/vendor/inputs/paging.ts';
import { keyHeaders, vendorKeyOf } from '../../model/vendor/vendor-key.ts';
import type { Finding } from './schema/finding.ts';

/** What the curation makes of something that a request carries. */
export interface InputUse {
  readonly is: 'argument' | 'constant' | 'nothing';
  /** What is always sent. */
  readonly value?: unknown;
  /** Lists continue by it. */
  readonly pages?: boolean;
}

/** Headers that are no parameters (OpenAPI 3.1, parameter object). */
const ignored = ['accept', 'content-type', 'authorization'];

/** Tells what the curation of a tool does with parameters and members of the body. */
export class CuratedUse {
  readonly #curated: CuratedOperation;
  readonly #pages: ReadonlySet<string>;
  readonly #headers: ReadonlySet<string>;
  readonly #credentials: ReadonlySet<string>;

  constructor({ pagination, headers, auth }: Curation, curated: CuratedOperation, tool: ToolModel) {
    this.#curated = curated;
    const request = paginationOf(pagination, curated.pagination)?.request ?? {};
    this.#pages = new Set(tool.behaviour.paging ? Object.values(request) : []);
    const names = [
      ...ignored,
      ...Object.keys({ ...headers, ...curated.headers }),
      ...keyHeaders(vendorKeyOf(curated)),
    ];
    this.#headers = new Set(names.map((name) => name.toLowerCase()));
    this.#credentials = new Set(
      auth.flatMap(({ in: place = 'header', name }) =>
        name ? [`${place} ${name.toLowerCase()}`] : [],
      ),
    );
  }

  /** Whether it goes out with a request whatever its caller says. */
  isSentAnyway(place: string, name: string): boolean {
    const isHeader = place === 'header' && this.#headers.has(name.toLowerCase());
    return isHeader || this.#credentials.has(`${place} ${name.toLowerCase()}`);
  }

  /** What becomes of an input with one of these names (generator/model/vendor/inputs). */
  of(place: string, ...names: readonly string[]): InputUse {
    const { params = {} } = this.#curated;
    const fixed = names.find((name) => Object.hasOwn(params.fixed ?? {}, name));
    if (fixed !== undefined) return { is: 'constant', value: params.fixed?.[fixed] };
    if (names.some((name) => this.#pages.has(name))) return { is: 'argument', pages: true };
    const isIncluded = names.some((name) => params.include?.includes(name));
    const isHidden =
      names.some((name) => params.hide?.includes(name)) ||
      (['header', 'cookie'].includes(place) && !isIncluded);
    if (!isHidden) return { is: 'argument' };
    const usual = names.find((name) => Object.hasOwn(params.defaults ?? {}, name));
    if (usual !== undefined) return { is: 'constant', value: params.defaults?.[usual] };
    return { is: 'nothing' };
  }
}

/** Whether callers notice a change of an input that the curation uses so. */
export function isNoticed(
  { is, value }: InputUse,
  { effect, steps, lost, text }: Finding,
): boolean {
  if (effect === 'noted') return is !== 'constant';
  if (is === 'argument') return true;
  const isDemand = text === 'is required now' || text === 'is new and required';
  if (is === 'nothing') return isDemand && steps.length === 0;
  if (effect !== 'narrowed' || (isDemand && steps.length === 0)) return false;
  return lost === undefined || lost.some((one) => JSON.stringify(one) === JSON.stringify(value));
}
