import { type JsonMember, type JsonScan, readMembers, scanJson, skipSpace } from './json-scan.ts';
import { findJsonError } from './json-syntax.ts';
import { maxDepth, type ParsedText, type TextProblem, twiceText } from './parsed-text.ts';

/** Parse JSON. Positions are looked for only when somebody asks. */
export function parseJson(text: string): ParsedText {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (error) {
    const { offset, message } = findJsonError(text) ?? { offset: 0, message: String(error) };
    return useless(problem(offset, [], message));
  }
  const members = bare(value, 0);
  if (members === undefined) {
    return useless(problem(0, [], `values are nested deeper than ${maxDepth} levels`));
  }
  const scan = scanJson(text);
  // JSON.parse keeps the last of several equal keys and says nothing.
  const problems = members === scan.members ? [] : duplicateKeys(text, scan);
  return { value, problems, isPlain: true, offsetOf: jsonOffsets(text, scan) };
}

function useless(found: TextProblem): ParsedText {
  return { value: undefined, problems: [found], offsetOf: () => 0 };
}

/** Take the prototype off every map and count all members; `undefined` when nested too deeply. */
function bare(value: unknown, depth: number): number | undefined {
  if (typeof value !== 'object' || value === null) return 0;
  if (depth > maxDepth) return undefined;
  let members = 0;
  if (Array.isArray(value)) {
    for (const item of value) {
      const inner = bare(item, depth + 1);
      if (inner === undefined) return undefined;
      members += inner;
    }
    return members;
  }
  Object.setPrototypeOf(value, null);
  const map = value as Record<string, unknown>;
  for (const key in map) {
    const inner = bare(map[key], depth + 1);
    if (inner === undefined) return undefined;
    members += 1 + inner;
  }
  return members;
}

function duplicateKeys(text: string, scan: JsonScan): TextProblem[] {
  const problems: TextProblem[] = [];
  const keysAt = (at: number) => readMembers(text, at, scan).map(({ key }) => key);
  const search = (at: number, path: readonly string[]) => {
    const seen = new Map<string, JsonMember>();
    for (const member of readMembers(text, at, scan)) {
      const inner = [...path, member.key];
      const first = seen.get(member.key);
      if (first === undefined) seen.set(member.key, member);
      else {
        problems.push({
          ...problem(member.at, inner, twiceText(member.key, path, keysAt(first.valueAt))),
          first: { offset: first.at, message: 'first' },
        });
      }
      search(member.valueAt, inner);
    }
  };
  search(skipSpace(text, 0), []);
  return problems;
}

function problem(offset: number, path: readonly string[], message: string): TextProblem {
  return { code: 'SPEC002', severity: 'error', offset, path, message };
}

/** Find offsets by path, remembering the members of each container that was looked into. */
function jsonOffsets(text: string, scan: JsonScan): (path: readonly string[]) => number {
  const known = new Map<number, Map<string, JsonMember>>();

  function membersAt(at: number): Map<string, JsonMember> {
    let members = known.get(at);
    if (members === undefined) {
      members = new Map(readMembers(text, at, scan).map((member) => [member.key, member]));
      known.set(at, members);
    }
    return members;
  }

  return (path) => {
    let offset = skipSpace(text, 0);
    let valueAt = offset;
    for (const step of path) {
      const member = membersAt(valueAt).get(step);
      if (member === undefined) return offset;
      offset = member.at;
      valueAt = member.valueAt;
    }
    return offset;
  };
}
