/** One link of a Link header (RFC 8288 section 3). */
export interface WebLink {
  readonly target: string;
  /** Relation types, in lower case. */
  readonly relations: readonly string[];
  /** What the link starts from, where that is not the document itself. */
  readonly anchor?: string;
}

const linkValue = /\s*<([^>]*)>/y;
// A token, then a token or a quoted string as its value; both may be missing their value.
const parameter =
  /\s*;\s*([!#$%&'*+.^_`|~0-9A-Za-z-]+)(?:\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^",;\s]*)))?/y;
const emptyParameter = /\s*;/y;
const separator = /\s*(?:,\s*)+|\s*$/y;

/** Parse a Link header. What follows an error is ignored (appendix B.2 leaves that to the reader). */
export function parseLinkHeader(header: string): readonly WebLink[] {
  const links: WebLink[] = [];
  let position = skip(/[\s,]*/y, header, 0);
  while (position < header.length) {
    linkValue.lastIndex = position;
    const target = linkValue.exec(header);
    if (target === null) break;
    const { parameters, end } = parseParameters(header, linkValue.lastIndex);
    links.push({
      target: (target[1] ?? '').trim(),
      relations: (parameters.get('rel') ?? '').toLowerCase().split(/\s+/).filter(Boolean),
      ...(parameters.has('anchor') ? { anchor: parameters.get('anchor') ?? '' } : {}),
    });
    position = skip(separator, header, end);
    if (position === end) break;
  }
  return links;
}

/** The parameters of one link. Only the first of a name counts (section 3.3). */
function parseParameters(
  header: string,
  start: number,
): { parameters: ReadonlyMap<string, string>; end: number } {
  const parameters = new Map<string, string>();
  let position = start;
  for (;;) {
    parameter.lastIndex = position;
    const match = parameter.exec(header);
    if (match === null) {
      const end = skip(emptyParameter, header, position);
      if (end === position) return { parameters, end };
      position = end;
      continue;
    }
    position = parameter.lastIndex;
    const name = (match[1] ?? '').toLowerCase();
    const value = match[2]?.replace(/\\(.)/g, '$1') ?? match[3] ?? '';
    if (!parameters.has(name)) parameters.set(name, value);
  }
}

/** The position behind what `pattern` matches at `position`. */
function skip(pattern: RegExp, text: string, position: number): number {
  pattern.lastIndex = position;
  return pattern.test(text) ? pattern.lastIndex : position;
}
