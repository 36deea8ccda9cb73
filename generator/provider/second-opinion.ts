import { fileURLToPath } from 'node:url';
import type SwaggerParser from '@apidevtools/swagger-parser';
import { visible } from '../emit/print/quoted.ts';
import { readSourceText } from '../read/text/source-text.ts';
import { openSpecFiles } from '../read/text/spec-files.ts';

const longest = 200;

/**
 * Ask another reader whether it accepts a description, files under `root` included; gives what it
 * objects to, on one line, and nothing where it accepts.
 */
export async function secondOpinion(file: string, root: string): Promise<string | undefined> {
  // Loaded here: other commands do not ask it.
  const { default: parser } = await import('@apidevtools/swagger-parser');
  try {
    await parser.validate(file, rootedOptions(root));
    return undefined;
  } catch (error) {
    const text = error instanceof Error ? error.message : String(error);
    // What is wrong as a whole, and the first detail.
    const [whole = '', detail = ''] = text.replaceAll(`${root}/`, '').split('\n');
    return visible(`${whole} ${detail.trim()}`.trim()).slice(0, longest).toWellFormed();
  }
}

/** Its own readers would follow a reference to any file of this machine, and to any server. */
export function rootedOptions(root: string): SwaggerParser.Options {
  const files = openSpecFiles(root, root);
  const read = ({ url }: { readonly url: string }): string => {
    const path = url.startsWith('file:') ? fileURLToPath(url) : decodeURIComponent(url);
    const source = files.isInside(path) ? readSourceText(path, { isForeign: true }) : undefined;
    if (source?.text === undefined) throw new Error(`${path} is not a file under the root`);
    return source.text;
  };
  // What it makes of references in circles, for those who want them written out, nobody looks at.
  const dereference = { circular: 'ignore' } as const;
  return { dereference, resolve: { http: false, file: { order: 1, canRead: true, read } } };
}
