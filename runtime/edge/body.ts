/** Read a body to a number of bytes, unpacked where it is packed; nothing where there are more. */
export async function readBody(request: Request, maxBytes: number): Promise<string | undefined> {
  const length = request.headers.get('content-length');
  if (length !== null && Number(length) > maxBytes) return undefined;
  const coding = request.headers.get('content-encoding') ?? 'identity';
  if (request.body === null || !/^(?:identity|gzip)$/.test(coding)) return undefined;
  if (coding === 'identity' && length !== null) {
    // What says how long it is, and is that long at most, is read at once.
    const text = await request.text();
    return text.length > maxBytes ? undefined : text;
  }
  const stream =
    coding === 'gzip'
      ? request.body.pipeThrough(new DecompressionStream('gzip') as ReadableWritablePair)
      : request.body;
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  const reader: ReadableStreamDefaultReader<Uint8Array> = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) return text + decoder.decode();
    bytes += value.byteLength;
    if (bytes > maxBytes) {
      await reader.cancel();
      return undefined;
    }
    text += decoder.decode(value, { stream: true });
  }
}
