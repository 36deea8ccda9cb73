/** Text that is HTML already; everything else is escaped. */
export class Html {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Write HTML; what is put into it is escaped, unless `html` has written it. */
export function html(parts: TemplateStringsArray, ...values: readonly (string | Html)[]): Html {
  const texts = values.map((value) => (value instanceof Html ? value.text : escaped(value)));
  return new Html(parts.map((part, index) => part + (texts[index] ?? '')).join(''));
}

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}

/** Write one piece of HTML after the other. */
export function joined(pieces: readonly Html[]): Html {
  return new Html(pieces.map(({ text }) => text).join(''));
}
