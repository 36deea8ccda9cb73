/** What a condition may begin to name, of a span and of what it is part of. */
const names = new Set([
  ...['attributes', 'cache', 'dropped_attributes_count', 'dropped_events_count'],
  ...['dropped_links_count', 'end_time', 'end_time_unix_nano', 'events', 'flags'],
  ...['instrumentation_scope', 'kind', 'links', 'name', 'parent_span_id', 'resource', 'scope'],
  ...['span', 'span_id', 'start_time', 'start_time_unix_nano', 'status', 'trace_id', 'trace_state'],
]);

/** Parts of the language (OTTL), as the collector takes them: the longest first. */
const token =
  /\s*(?:(?<literal>0x(?:[\da-fA-F]{2})+\b|\d*\.\d+(?:[eE][-+]?\d+)?|\d+\b|"(?:\\(?:[abfnrtv\\"]|x[\da-fA-F]{2}|u[\da-fA-F]{4}|U[\da-fA-F]{8}|[0-7]{3})|[^\\"])*"|nil\b)|(?<truth>(?:true|false)\b)|(?<word>(?:not|or|and)\b)|(?<compare>[=!<>]=|[<>])|(?<count>[-+*/])|(?<mark>[,.[\]{}:=()])|(?<upper>[A-Z]\w*)|(?<lower>[a-z][a-z\d_]*))/y;

type Form = 'literal' | 'truth' | 'word' | 'compare' | 'count' | 'mark' | 'upper' | 'lower';

interface Token {
  readonly form: Form | 'end';
  readonly text: string;
  /** The character of the condition at which it begins, from 1. */
  readonly at: number;
}

/** Whether something is true or false, is anything else, or may be both. */
type Sort = 'condition' | 'value' | 'either';

const mostDeep = 30;

class Unreadable extends Error {}

/**
 * Say what keeps the collector from reading a filter of spans, which has a name or is a condition: one that it cannot read ends it,
 * and with it what it does for all other back ends. Names of functions are left to the collector.
 */
export function filterFault(text: string): string | undefined {
  if (text === 'none' || text === 'gen_ai_or_service') return undefined;
  if (/\p{Cc}/u.test(text)) return 'holds a control character';
  try {
    const reader = new Reader(tokensOf(text));
    reader.condition();
    reader.end();
    return undefined;
  } catch (error) {
    if (error instanceof Unreadable) return `is no condition of OTTL: ${error.message}`;
    throw error;
  }
}

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const whole = text.trimEnd();
  token.lastIndex = 0;
  while (token.lastIndex < whole.length) {
    const from = token.lastIndex;
    const found = token.exec(whole);
    if (found === null) throw expected('a part of the language', whole.slice(from), from + 1);
    const [form, part = ''] = Object.entries(found.groups ?? {}).find(([, each]) => each) ?? [];
    tokens.push({ form: form as Form, text: part, at: token.lastIndex - part.length + 1 });
  }
  return [...tokens, { form: 'end', text: '', at: whole.length + 1 }];
}

function expected(what: string, came: string, at: number): Unreadable {
  const there = came === '' ? 'the end' : JSON.stringify(came.trimStart().slice(0, 20));
  return new Unreadable(`at character ${at}, ${what} is expected, but ${there} came`);
}

class Reader {
  readonly #tokens: readonly Token[];
  #at = 0;
  #depth = 0;

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens;
  }

  condition(): void {
    if (this.#any() === 'value') throw this.#expected('a comparison');
  }

  end(): void {
    if (this.#next.form !== 'end') throw this.#expected('and, or or the end');
  }

  /** `a or b and not c`, or a value: which of them is known at its end. */
  #any(): Sort {
    let sort = this.#comparison();
    while (this.#next.form === 'word') {
      if (sort === 'value' || this.#next.text === 'not') throw this.#expected('a comparison');
      this.#at += 1;
      if (this.#comparison() === 'value') throw this.#expected('a comparison');
      sort = 'condition';
    }
    return sort;
  }

  #comparison(): Sort {
    const isNegated = this.#takes('not');
    let sort = this.#sum();
    if (this.#next.form === 'compare') {
      if (sort === 'condition') throw this.#expected('and or or');
      this.#at += 1;
      const other = this.#next;
      if (this.#sum() === 'condition') throw this.#expected('a value', other);
      sort = 'condition';
    }
    if (!isNegated) return sort;
    if (sort === 'value') throw this.#expected('a comparison');
    return 'condition';
  }

  #sum(): Sort {
    let sort = this.#part();
    while (this.#next.form === 'count') {
      if (sort === 'condition') throw this.#expected('and or or');
      this.#at += 1;
      const other = this.#next;
      if (this.#part() === 'condition') throw this.#expected('a value', other);
      sort = 'value';
    }
    return sort;
  }

  #part(): Sort {
    this.#depth += 1;
    if (this.#depth > mostDeep) throw this.#expected(`at most ${mostDeep} levels`);
    const sort = this.#open();
    this.#depth -= 1;
    return sort;
  }

  #open(): Sort {
    const from = this.#next;
    if (this.#takes('(')) {
      const sort = this.#any();
      this.#require(')');
      return sort;
    }
    if (this.#takes('[')) {
      this.#list(']', () => this.#value());
      return 'value';
    }
    if (this.#takes('{')) {
      this.#list('}', () => {
        if (!this.#next.text.startsWith('"')) throw this.#expected('a key in double quotes');
        this.#at += 1;
        this.#require(':');
        this.#value();
      });
      return 'value';
    }
    if (from.text === '-' || from.text === '+') {
      this.#at += 1;
      if (!/^[.\d]/.test(this.#next.text)) throw this.#expected('a number');
    }
    if (this.#next.form === 'literal') return this.#taken('value');
    if (from.form === 'truth') return this.#taken('either');
    if (from.form === 'upper') return this.#function();
    if (from.form !== 'lower') throw this.#expected('a value');
    if (!names.has(from.text)) throw this.#expected('what a span has');
    this.#path();
    return 'value';
  }

  /** `Name(a, named = b)["key"]`, or a name of an enumeration. */
  #function(): Sort {
    this.#at += 1;
    if (!this.#takes('(')) return 'value';
    this.#list(')', () => {
      const isNamed = this.#next.form === 'lower' && this.#tokens[this.#at + 1]?.text === '=';
      if (isNamed) this.#at += 2;
      this.#value();
    });
    this.#keys();
    return 'either';
  }

  #path(): void {
    do {
      if (this.#next.form !== 'lower') throw this.#expected('a name');
      this.#at += 1;
      this.#keys();
    } while (this.#takes('.'));
  }

  #keys(): void {
    while (this.#takes('[')) {
      this.#value();
      this.#require(']');
    }
  }

  #value(): void {
    const from = this.#next;
    if (this.#sum() === 'condition') throw this.#expected('a value', from);
  }

  #list(end: string, item: () => void): void {
    if (this.#takes(end)) return;
    do item();
    while (this.#takes(','));
    this.#require(end);
  }

  get #next(): Token {
    return this.#tokens[this.#at] ?? { form: 'end', text: '', at: 0 };
  }

  #takes(text: string): boolean {
    const isIt = this.#next.text === text;
    if (isIt) this.#at += 1;
    return isIt;
  }

  #taken(sort: Sort): Sort {
    this.#at += 1;
    return sort;
  }

  #require(text: string): void {
    if (!this.#takes(text)) throw this.#expected(JSON.stringify(text));
  }

  #expected(what: string, { text, at } = this.#next): Unreadable {
    return expected(what, text, at);
  }
}
