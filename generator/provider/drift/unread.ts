import type { Diagnostic, Location } from '../../diagnostics/diagnostic.ts';
import type { ApiOperation } from '../../model/schema/api-operations.ts';
import type { ApiDocument, Loss } from '../../read/document/api-document.ts';
import { escapeStep } from '../../read/text/json-pointer.ts';
import { unnamed } from './described.ts';
import type { Told } from './drift-change.ts';

/** Parts of an operation that may be missing as a whole; schemas are known by where they stand. */
const parts = {
  parameters: /^\/parameters(?:\/\d+)?(?:\/\$ref)?$/,
  requestBody: /^\/requestBody(?:\/content\/[^/]+)?(?:\/\$ref)?$/,
  responses: /^\/responses(?:\/(?:2[^/]*|default)(?:\/(?:content\/[^/]+|schema))?)?(?:\/\$ref)?$/,
};

/** What of a later description could not be read, so that nobody knows whether it has changed. */
export class Unread {
  readonly #document: ApiDocument;
  readonly #losses: readonly Loss[];
  readonly #byPlace: ReadonlyMap<string, Diagnostic>;

  constructor(document: ApiDocument, losses: readonly Loss[] = []) {
    this.#document = document;
    this.#losses = losses;
    this.#byPlace = new Map(losses.map(({ diagnostic }) => [keyOf(diagnostic), diagnostic]));
  }

  /** Why a schema is not known; what was moved to another place of the document is found there. */
  schemaAt(pointer: string): Diagnostic | undefined {
    if (this.#losses.length === 0) return undefined;
    const places = [`${pointer}/$ref`, pointer].map((at) => keyOf(this.#document.locate(at)));
    return places.map((place) => this.#byPlace.get(place)).find((found) => found !== undefined);
  }

  /** Why a part of an operation is not all there. */
  part({ pointer, pathItem }: ApiOperation, part: keyof typeof parts): Diagnostic | undefined {
    // A body of Swagger 2.0 stands among the parameters.
    const isOld = part === 'requestBody' && this.#document.version === '2.0';
    const forms = isOld ? [parts.requestBody, parts.parameters] : [parts[part]];
    return this.#losses.find(({ pointer: at }) =>
      [pointer, pathItem.pointer].some(
        (home) => at.startsWith(home) && forms.some((form) => form.test(at.slice(home.length))),
      ),
    )?.diagnostic;
  }

  /** Why a path is not there at all. */
  path(path: string): Diagnostic | undefined {
    return this.#losses.find(({ pointer }) => {
      const [, paths, step, ...rest] = pointer.split('/');
      if (paths !== 'paths') return false;
      if (step === '$ref' || step === undefined) return true;
      const isWhole = rest.length <= 1;
      return isWhole && escapeStep(unnamed(path)) === unnamed(step);
    })?.diagnostic;
  }
}

/** The finding that something cannot be compared. */
export function unreadTold(what: string, diagnostic: Diagnostic): Told {
  return {
    ...{ kind: 'unread', text: unreadText(what, diagnostic), breaks: false },
    ...{ pointer: '', at: placeOf(diagnostic) },
  };
}

export function unreadText(what: string, { message }: Diagnostic): string {
  return `${what} cannot be compared: ${message}`;
}

/** Where something is missing, without what else a report says of it. */
export function placeOf({ file, line, column }: Diagnostic): Location {
  return { file, line, column };
}

function keyOf({ file, line, column }: Location): string {
  return `${file}:${line}:${column}`;
}
