/** A line of a log as it is kept. */
export interface KeptLine {
  /** Nanoseconds since the epoch. */
  readonly time: bigint;
  readonly level: string;
  readonly service: string;
  /** Who has written it: this process, or a page in a browser. */
  readonly source: 'server' | 'browser';
  readonly body: string;
  readonly traceId?: string;
  readonly spanId?: string;
  readonly attributes: Readonly<Record<string, string>>;
}

/** A span as it is kept. */
export interface KeptSpan {
  readonly traceId: string;
  readonly spanId: string;
  readonly parentId?: string;
  readonly name: string;
  readonly kind: string;
  /** Who has sent it. */
  readonly source: KeptLine['source'];
  readonly service: string;
  /** Nanoseconds since the epoch. */
  readonly start: bigint;
  readonly durationNs: bigint;
  readonly isError: boolean;
  readonly attributes: Readonly<Record<string, string>>;
}

/** About how many characters it takes. */
export function sizeOfLine({ body, attributes }: KeptLine): number {
  return 120 + body.length + sizeOfAttributes(attributes);
}

export function sizeOfSpan({ name, attributes }: KeptSpan): number {
  return 200 + name.length + sizeOfAttributes(attributes);
}

function sizeOfAttributes(attributes: Readonly<Record<string, string>>): number {
  let size = 0;
  for (const name in attributes) size += name.length + (attributes[name]?.length ?? 0) + 16;
  return size;
}

/** Labels of a line: those of its stream, and all else that is known of it. */
export function labelsOf(line: KeptLine): Record<string, string> {
  const { level, service, source, traceId, spanId, attributes } = line;
  const labels: Record<string, string> = Object.create(null);
  for (const [name, value] of Object.entries(attributes)) {
    labels[name.replace(/\W/g, '_').replace(/^(?=\d)/, '_')] = value;
  }
  if (traceId !== undefined) labels['trace_id'] = traceId;
  if (spanId !== undefined) labels['span_id'] = spanId;
  return Object.assign(labels, {
    ...{ service_name: service, level, detected_level: level, source },
  });
}
