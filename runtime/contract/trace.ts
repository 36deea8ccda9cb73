/** Where a request stands in a trace of many systems (W3C Trace Context). */
export interface TraceContext {
  /** `00-<trace id>-<id of the caller's span>-<flags>`. */
  readonly traceparent: string;
  /** What other systems keep of their own. */
  readonly tracestate?: string;
}

/** Version 00, and no identifier of zeros alone (W3C Trace Context, 3.2.2). */
const parent = /^00-(?!0{32})[0-9a-f]{32}-(?!0{16})[0-9a-f]{16}-[0-9a-f]{2}$/;
/** Members `key=value`, at most 32 and 512 characters together (3.3.1). */
const state = /^[a-z0-9][\w*/@-]{0,255}=[\x20-\x2b\x2d-\x3c\x3e-\x7e]{1,256}$/;
const mostMembers = 32;
const mostCharacters = 512;

/** Read a trace context; one that is malformed counts as none (3.3.1.5 and 4.3). */
export function parseTrace(traceparent: unknown, tracestate: unknown): TraceContext | undefined {
  if (typeof traceparent !== 'string' || !parent.test(traceparent)) return undefined;
  return typeof tracestate === 'string' && isState(tracestate)
    ? { traceparent, tracestate }
    : { traceparent };
}

/** The same trace, with the span `spanId` (16 hexadecimal digits) as the next one's parent. */
export function childOf({ traceparent, ...rest }: TraceContext, spanId: string): TraceContext {
  const [version, traceId, , flags] = traceparent.split('-');
  return { traceparent: `${version}-${traceId}-${spanId}-${flags}`, ...rest };
}

/** The identifier of the whole trace, for logs. */
export function traceIdOf({ traceparent }: TraceContext): string {
  return traceparent.slice(3, 35);
}

/** The identifier of the span that is handed on as the parent of others. */
export function spanIdOf({ traceparent }: TraceContext): string {
  return traceparent.slice(36, 52);
}

function isState(text: string): boolean {
  if (text.length > mostCharacters) return false;
  const members = text.split(',').map((member) => member.trim());
  return (
    members.length <= mostMembers && members.every((member) => member === '' || state.test(member))
  );
}
