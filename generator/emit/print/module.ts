import { render, type TemplateData } from '../templates/render.ts';
import { identifier, text } from './code.ts';
import type { EmittedFile } from './emitted-file.ts';
import { joined, plain, printed } from './printed.ts';
import type { Imports } from './source-file.ts';

/** One TypeScript module that a template makes. */
export interface Module {
  /** Path relative to the folder that holds `specs/`. */
  readonly path: string;
  /** The part of `specs/` that it comes from, for its first line. */
  readonly source: string;
  readonly imports?: readonly Imports[];
  /** The template of everything behind the imports. */
  readonly template: string;
  readonly data: TemplateData;
}

/** Print a module: header, imports, and what the template makes. */
export function printModule({ path, source, imports = [], template, data }: Module): EmittedFile {
  const module = render('module', {
    source: plain(source),
    imports: imports.map(({ from, names = [], types = [] }) => ({
      from: text(from),
      onlyTypes: names.length === 0,
      names: joined(
        [
          ...names.map(identifier),
          ...types.map((name) =>
            names.length === 0 ? identifier(name) : printed`type ${identifier(name)}`,
          ),
        ],
        ', ',
      ),
    })),
    body: render(template, data),
  });
  return { path, text: String(module), isRaw: true };
}
