import {
  type Expression,
  ExpressionError,
  evaluate,
  parseExpression,
  type Scope,
} from './expression.ts';

/** A condition of a criterion, read (Arazzo 1.0.1, Criterion Object, simple conditions). */
export type Condition =
  | { readonly kind: 'or' | 'and'; readonly parts: readonly Condition[] }
  | { readonly kind: 'not'; readonly part: Condition }
  | { readonly kind: 'value'; readonly operand: Operand }
  | {
      readonly kind: 'compare';
      readonly operator: Operator;
      readonly left: Operand;
      readonly right: Operand;
    };

type Operator = '==' | '!=' | '<' | '<=' | '>' | '>=';

type Operand =
  | { readonly kind: 'expression'; readonly expression: Expression }
  | { readonly kind: 'literal'; readonly value: string | number | boolean | null };

const token =
  /\s*(?:(\|\||&&|==|!=|<=|>=|[<>!()])|('(?:[^']|'')*')|(-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?)|(true|false|null)(?![\w-])|(\$(?:[\w.-]|\[\d+\]|#[^\s()<>=!&|]*)+))/y;

/** Longest text and deepest nesting of a condition. */
const longest = 2000;
const deepest = 16;

/**
 * Read a simple condition: comparisons of expressions, numbers, 'texts', true, false and null, joined
 * by `&&`, `||`, `!` and parentheses.
 *
 * @throws ExpressionError
 */
export function parseCondition(text: string): Condition {
  if (text.length > longest) throw unread(text, `it has more than ${longest} characters`);
  const tokens = tokensOf(text);
  let at = 0;
  const take = (...wanted: string[]): string | undefined => {
    const next = tokens[at];
    if (next?.kind !== 'sign' || !wanted.includes(next.text)) return undefined;
    at += 1;
    return next.text;
  };

  function joined(kind: 'or' | 'and', sign: string, part: (depth: number) => Condition) {
    return (depth: number): Condition => {
      const first = part(depth);
      const parts = [first];
      while (take(sign)) parts.push(part(depth));
      return parts.length === 1 ? first : { kind, parts };
    };
  }
  const and = joined('and', '&&', unary);
  const or = joined('or', '||', and);

  function unary(depth: number): Condition {
    if (depth > deepest) throw unread(text, `it is nested more than ${deepest} levels deep`);
    if (take('!')) return { kind: 'not', part: unary(depth + 1) };
    if (!take('(')) return comparison();
    const inner = or(depth + 1);
    if (!take(')')) throw unread(text, 'a parenthesis is not closed');
    return inner;
  }

  function comparison(): Condition {
    const left = operand();
    const operator = take('==', '!=', '<=', '>=', '<', '>') as Operator | undefined;
    if (operator === undefined) return { kind: 'value', operand: left };
    return { kind: 'compare', operator, left, right: operand() };
  }

  function operand(): Operand {
    const next = tokens[at];
    if (next === undefined || next.kind === 'sign') {
      const found = next === undefined ? 'the end' : JSON.stringify(next.text);
      throw unread(text, `a value was expected, and ${found} came`);
    }
    at += 1;
    return next.operand;
  }

  const condition = or(0);
  const left = tokens[at];
  if (left) throw unread(text, `${JSON.stringify(left.text)} is too much`);
  return condition;
}

type Token =
  | { readonly kind: 'sign'; readonly text: string }
  | { readonly kind: 'operand'; readonly text: string; readonly operand: Operand };

function tokensOf(text: string): readonly Token[] {
  const tokens: Token[] = [];
  const end = text.trimEnd().length;
  token.lastIndex = 0;
  let last = 0;
  while (last < end) {
    token.lastIndex = last;
    const found = token.exec(text);
    if (!found) {
      const rest = text.slice(last).trim();
      throw unread(text, `${JSON.stringify(rest.slice(0, 40))} cannot be read`);
    }
    last = token.lastIndex;
    const [, sign, quoted, number, word, expression = ''] = found;
    if (sign !== undefined) tokens.push({ kind: 'sign', text: sign });
    else if (quoted !== undefined) {
      tokens.push(literal(quoted, quoted.slice(1, -1).replaceAll("''", "'")));
    } else if (number !== undefined) tokens.push(literal(number, Number(number)));
    else if (word !== undefined) tokens.push(literal(word, words[word] ?? null));
    else {
      const operand = { kind: 'expression', expression: parseExpression(expression) } as const;
      tokens.push({ kind: 'operand', text: expression, operand });
    }
  }
  return tokens;
}

const words: Readonly<Record<string, boolean | null>> = { true: true, false: false, null: null };

function literal(text: string, value: string | number | boolean | null): Token {
  return { kind: 'operand', text, operand: { kind: 'literal', value } };
}

function unread(text: string, why: string): ExpressionError {
  const shown = text.length > 200 ? `${text.slice(0, 200)}...` : text;
  return new ExpressionError(`the condition ${JSON.stringify(shown)} cannot be read: ${why}`);
}

/** The expressions that a condition asks for. */
export function expressionsOf(condition: Condition): readonly Expression[] {
  switch (condition.kind) {
    case 'or':
    case 'and':
      return condition.parts.flatMap(expressionsOf);
    case 'not':
      return expressionsOf(condition.part);
    case 'value':
      return inOperand(condition.operand);
    case 'compare':
      return [...inOperand(condition.left), ...inOperand(condition.right)];
  }
}

function inOperand(operand: Operand): readonly Expression[] {
  return operand.kind === 'expression' ? [operand.expression] : [];
}

/** Whether a condition holds. What is not there is null; texts are compared whatever their case. */
export function holds(condition: Condition, scope: Scope): boolean {
  switch (condition.kind) {
    case 'or':
      return condition.parts.some((part) => holds(part, scope));
    case 'and':
      return condition.parts.every((part) => holds(part, scope));
    case 'not':
      return !holds(condition.part, scope);
    case 'value':
      return isTruthy(operandValue(condition.operand, scope));
    case 'compare':
      return compare(
        condition.operator,
        operandValue(condition.left, scope),
        operandValue(condition.right, scope),
      );
  }
}

function operandValue(operand: Operand, scope: Scope): unknown {
  const value = operand.kind === 'literal' ? operand.value : evaluate(operand.expression, scope);
  return value ?? null;
}

function isTruthy(value: unknown): boolean {
  return value !== null && value !== false && value !== 0 && value !== '';
}

function compare(operator: Operator, left: unknown, right: unknown): boolean {
  if (operator === '==') return isSame(left, right);
  if (operator === '!=') return !isSame(left, right);
  const [a, b] = [folded(left), folded(right)];
  const comparable =
    (typeof a === 'number' && typeof b === 'number') ||
    (typeof a === 'string' && typeof b === 'string');
  if (!comparable) return false;
  switch (operator) {
    case '<':
      return a < b;
    case '<=':
      return a <= b;
    case '>':
      return a > b;
    case '>=':
      return a >= b;
  }
}

function isSame(left: unknown, right: unknown): boolean {
  const [a, b] = [folded(left), folded(right)];
  return typeof a === 'object' && a !== null && typeof b === 'object'
    ? JSON.stringify(a) === JSON.stringify(b)
    : a === b;
}

function folded(value: unknown): unknown {
  return typeof value === 'string' ? value.toLowerCase() : value;
}
