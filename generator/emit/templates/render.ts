import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import Handlebars, { type TemplateDelegate } from 'handlebars';
import { Printed } from '../print/printed.ts';

/** What a template can show or ask for. */
export type TemplateValue = Printed | boolean | undefined | TemplateData | readonly TemplateValue[];

/** Every name that a template mentions must be there, if only as `undefined`. */
export interface TemplateData {
  readonly [name: string]: TemplateValue;
}

/** Templates of this folder are text and code, so nothing is escaped: printers have done that. */
const options = {
  strict: true,
  noEscape: true,
  knownHelpersOnly: true,
  explicitPartialContext: false,
};

const templates = new Map<string, TemplateDelegate>();
let partials: Record<string, TemplateDelegate> | undefined;

/** Fill in the template `<name>.hbs` of this folder. */
export function render(name: string, data: TemplateData): Printed {
  check(data, name);
  partials ??= Object.fromEntries(
    globSync('partials/*.hbs', { cwd: import.meta.dirname }).map((file) => [
      basename(file, '.hbs'),
      compile(file),
    ]),
  );
  const template = templates.get(name) ?? compile(`${name}.hbs`);
  templates.set(name, template);
  return new Printed(template(data, { partials }));
}

function compile(file: string): TemplateDelegate {
  return Handlebars.compile(readFileSync(join(import.meta.dirname, file), 'utf8'), options);
}

/** Refuse what no printer has made, whatever its type was made to be. */
function check(value: TemplateValue, at: string): void {
  if (value === undefined || typeof value === 'boolean' || value instanceof Printed) return;
  if (typeof value !== 'object' || value === null) {
    throw new Error(`${at}: a template takes printed values, not ${JSON.stringify(value)}`);
  }
  for (const [key, member] of Object.entries(value)) check(member, `${at}.${key}`);
}
