/** The steps of a JSON pointer that is no part of a URI (RFC 6901, 4). */
export function decodedSteps(pointer: string): string[] {
  if (pointer === '') return [];
  return pointer
    .slice(1)
    .split('/')
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
}

/** A step as it stands in a JSON pointer (RFC 6901, 3). */
export function encodedStep(step: string): string {
  return step.replaceAll('~', '~0').replaceAll('/', '~1');
}

/** The steps of one that is the fragment of a URI: its escapes come off first (RFC 6901, 6). */
export function fragmentSteps(pointer: string): string[] {
  return decodedSteps(percentDecoded(pointer));
}

function percentDecoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
