/** Which kinds of answer a client takes. */
export interface Accepted {
  readonly json: boolean;
  readonly stream: boolean;
}

const anything: Accepted = { json: true, stream: true };

/** What was read last: a client sends the same header with each request, and most clients the same one. */
let last: { readonly accept: string; readonly accepted: Accepted } | undefined;

/** Read an Accept header; an absent one takes everything (RFC 9110, section 12.5.1). */
export function acceptedBy(accept: string | undefined): Accepted {
  if (accept === undefined || accept === '*/*') return anything;
  if (last?.accept !== accept) last = { accept, accepted: readAccept(accept) };
  return last.accepted;
}

function readAccept(accept: string): Accepted {
  const ranges = new Map(accept.split(',').map(readRange));
  return {
    json: accepts(ranges, 'application/json', 'application/*'),
    stream: accepts(ranges, 'text/event-stream', 'text/*'),
  };
}

/** A media range, and whether it is wanted: with the weight 0 it is not. */
function readRange(member: string): readonly [range: string, wanted: boolean] {
  const [range = '', ...parameters] = member.toLowerCase().split(';');
  const isRefused = parameters.some((parameter) => /^\s*q=0(\.0*)?\s*$/.test(parameter));
  return [range.trim(), !isRefused];
}

/** The most specific range decides. */
function accepts(ranges: ReadonlyMap<string, boolean>, type: string, group: string): boolean {
  return ranges.get(type) ?? ranges.get(group) ?? ranges.get('*/*') ?? false;
}
