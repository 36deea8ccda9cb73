import { Layouts } from './literal.ts';
import { quoted } from './quoted.ts';

/** A function that loads a module on first use and gives one of its exports. */
export function lazyImport(path: string, name: string): Layouts {
  const load = `import(${quoted(path)}).then`;
  const take = `({ ${name} }) => ${name}`;
  return new Layouts(
    `() => ${load}(${take})`,
    `() =>\n  ${load}(${take})`,
    `() =>\n  ${load}(\n    ${take},\n  )`,
    `() =>\n  ${load}(\n    ({ ${name} }) =>\n      ${name},\n  )`,
  );
}
