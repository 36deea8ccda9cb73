import { globSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parse } from 'yaml';

/** An answer that is a page, by the method, the path as its description writes it, and the status. */
export type DescribedPage = `${string} ${string} ${string}`;

interface Description {
  readonly paths?: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components?: { readonly responses?: Readonly<Record<string, Response>> };
}

interface Operation {
  readonly responses?: Readonly<Record<string, Response>>;
}

interface Response {
  readonly $ref?: string;
  readonly content?: object;
}

/** All pages that the descriptions of all surfaces have. */
export function describedPages(): readonly DescribedPage[] {
  const specs = fileURLToPath(new URL('../../specs/surfaces/', import.meta.url));
  const files = globSync('*/openapi.yaml', { cwd: specs });
  return files.flatMap((file) => pagesIn(parse(readFileSync(specs + file, 'utf8'))));
}

function pagesIn({ paths = {}, components: { responses: named = {} } = {} }: Description) {
  const isPage = ({ $ref = '', content }: Response) => {
    const types = content ?? named[$ref.split('/').at(-1) ?? '']?.content ?? {};
    return Object.keys(types).some((type) => type.startsWith('text/html'));
  };
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { responses = {} }]) =>
      Object.entries(responses)
        .filter(([, response]) => isPage(response))
        .map(([status]): DescribedPage => `${method} ${path} ${status}`),
    ),
  );
}

/** Make what names the answer of a path as its description does. */
export function pageNames(described: readonly DescribedPage[]) {
  const paths = [...new Set(described.map((page) => page.split(' ')[1] ?? ''))];
  const patterns = paths.map((path) => {
    // What is written out comes before what stands for anything.
    const pattern = new RegExp(`^${path.replaceAll(/\{\w+\}/g, '[^/]+')}$`);
    return { path, pattern, gaps: path.split('{').length };
  });
  patterns.sort((one, other) => one.gaps - other.gaps);
  return (method: string, pathname: string, status: number): DescribedPage => {
    const path = patterns.find(({ pattern }) => pattern.test(pathname))?.path ?? pathname;
    return `${method} ${path} ${status}`;
  };
}
