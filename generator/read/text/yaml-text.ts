import { type Document, isAlias, isMap, isSeq, parseDocument, visit, type YAMLError } from 'yaml';
import { maxDepth, type ParsedText, type TextProblem } from './parsed-text.ts';
import { readQuickYaml } from './quick/quick-yaml.ts';
import { pairOf, startOf, type YamlReading, yamlValue } from './yaml-value.ts';

/** One slip can make an error of every line after it. */
const maxSyntaxErrors = 20;

/** Parse YAML 1.2, with the merges of 1.1 that many write, and find the position of every node. */
export function parseYaml(text: string): ParsedText {
  const quick = readQuickYaml(text);
  return quick === undefined ? parseAnyYaml(text) : { ...quick, problems: [], isPlain: true };
}

/** Parse what the quick reader leaves with the one that knows all of YAML, and says what is wrong. */
export function parseAnyYaml(text: string): ParsedText {
  const document = parseNodes(text);
  if (document === undefined) return tooDeep;
  const reading: YamlReading = {
    problems: [],
    anchors: new Map(),
    targets: new Map(),
    outerAlias: undefined,
    aliasNodes: 0,
    exhausted: false,
  };
  const value = yamlValue(reading, document.contents);
  if (isExhausted(document)) return { ...tooDeep, problems: deepProblems(reading) };
  const syntax = document.errors
    .slice(0, maxSyntaxErrors)
    .map((error) => ({ ...problemOf(error, 'error'), ...opening(document, text, error) }));
  const untold = document.errors.slice(maxSyntaxErrors).map((error) => problemOf(error, 'error'));
  const warnings = document.warnings.map((warning) => problemOf(warning, 'warning'));
  const broken = syntax.length > 0 || reading.exhausted;
  return {
    value: broken ? undefined : value,
    // What the values look like is guesswork when the syntax is broken.
    problems: syntax.length > 0 ? syntax : [...warnings, ...reading.problems],
    ...(untold.length > 0 && { untold }),
    offsetOf: (path) => offsetOf(document.contents, path, reading),
  };
}

/** Whether the stack has ended while nodes were put together: what stands there is deeper than anybody means. */
function isExhausted({ errors }: Document): boolean {
  return errors.some(({ code }) => code === 'RESOURCE_EXHAUSTION');
}

/** The place where the levels become too many, which is sooner than where the stack has ended. */
function deepProblems({ exhausted, problems }: YamlReading): readonly TextProblem[] {
  return exhausted ? problems : tooDeep.problems;
}

const tooDeep: ParsedText = {
  value: undefined,
  problems: [
    {
      code: 'SPEC002',
      severity: 'error',
      offset: 0,
      path: [],
      message: `values are nested deeper than ${maxDepth} levels`,
    },
  ],
  offsetOf: () => 0,
};

function parseNodes(text: string) {
  try {
    return parseDocument(text, {
      version: '1.2',
      stringKeys: true,
      // Its check costs the square of a map's size and does not say where the first key stands.
      uniqueKeys: false,
      strict: true,
      // Its positions would be those of the place where they are merged.
      merge: false,
      prettyErrors: false,
      // With 'silent', a second document would be left out without a word.
      logLevel: 'error',
    });
  } catch (cause) {
    if (cause instanceof RangeError) return undefined;
    throw cause;
  }
}

function problemOf(error: YAMLError, severity: TextProblem['severity']): TextProblem {
  const text =
    error.code === 'MULTIPLE_DOCS'
      ? 'a second document begins here, but a file holds only one'
      : error.message.replaceAll(/\s+/g, ' ');
  const message = `${text} (${error.code})`;
  return { code: 'SPEC002', severity, offset: error.pos[0], path: [], message };
}

/** Where the flow map or sequence began that an error finds unfinished. */
function opening(
  document: Document,
  text: string,
  { message, pos }: YAMLError,
): Pick<TextProblem, 'first'> {
  if (!/^Flow (?:map|sequence)/.test(message)) return {};
  let offset: number | undefined;
  visit(document, {
    Collection(_, { flow, range }) {
      if (flow !== true || !range || range[0] >= pos[0] || pos[0] > range[2]) return;
      const isClosed = '}]'.includes(text.charAt(range[1] - 1));
      if (!isClosed) offset = range[0];
    },
  });
  return offset === undefined ? {} : { first: { offset, message: 'opened' } };
}

function offsetOf(root: unknown, path: readonly string[], { targets }: YamlReading): number {
  let node = root;
  let offset = startOf(root);
  for (const step of path) {
    if (isAlias(node)) node = targets.get(node);
    if (isMap(node)) {
      const pair = pairOf(node, step, targets);
      if (pair === undefined) return offset;
      offset = startOf(pair.key);
      node = pair.value;
    } else if (isSeq(node)) {
      const item = node.items[Number(step)];
      if (item === undefined) return offset;
      offset = startOf(item);
      node = item;
    } else return offset;
  }
  return offset;
}
