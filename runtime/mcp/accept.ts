/** Which kinds of answer a client takes. */
export interface Accepted {
  readonly json: boolean;
  readonly stream: boolean;
}

const anything: Accepted = { json: true, stream: true };

/** Read an Accept header; an absent one takes everything (RFC 9110, section 12.5.1). */
export function acceptedBy(accept: string | undefined): Accepted {
  if (accept === undefined || accept === '*/*') return anything;
  const any = /\*\/\*/.test(accept);
  return {
    json: any || /application\/(?:json|\*)/i.test(accept),
    stream: any || /text\/(?:event-stream|\*)/i.test(accept),
  };
}
