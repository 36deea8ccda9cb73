import { cpSync, globSync, readFileSync, writeFileSync } from 'node:fs';

// The emitted JavaScript is a package scope of its own: the paths of the outer one lead to TypeScript.
const outer = JSON.parse(readFileSync('package.json', 'utf8'));
const { name, version, type } = outer;
const imports = Object.fromEntries(
  Object.entries<string>(outer.imports).map(([from, to]) => [from, to.replace(/\.ts$/, '.js')]),
);
writeFileSync(
  'dist/package.json',
  `${JSON.stringify({ name, version, type, imports }, null, 2)}\n`,
);

// What the emitted JavaScript reads besides itself.
const read = [
  'generated/**/skill/**/*.md',
  'generated/providers/*/definitions.json',
  'generated/providers/*/whole-inputs.json',
  'generated/docs/asyncapi.json',
  'alerts/*.yaml',
];
for (const file of globSync(read)) cpSync(file, `dist/${file}`);
