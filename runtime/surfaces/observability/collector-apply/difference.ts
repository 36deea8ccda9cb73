import { parse } from 'yaml';
import type { CollectorFile, GeneratedFile } from '../collector-file/file.ts';

/** What another file would change, by the names of components and pipelines. */
export interface FileDifference {
  readonly added: readonly string[];
  readonly removed: readonly string[];
  readonly changed: readonly string[];
  /** Signals that would not be taken any more. */
  readonly removedSignals: readonly string[];
  /** Back ends that it is made without, since nothing may be sent to them. */
  readonly leftOut: readonly string[];
}

/** Compare a file with the one that is there; of one that nobody can read everything is new. */
export function differenceOf(
  former: string | undefined,
  { file, leftOut }: Pick<GeneratedFile, 'file' | 'leftOut'>,
): FileDifference {
  const [was, is] = [flat(readable(former)), flat(file)];
  const names = [...new Set([...was.keys(), ...is.keys()])].sort();
  const signals = (parts: ReadonlyMap<string, string>) =>
    new Set([...parts.keys()].flatMap((name) => /^pipelines\.(\w+)/.exec(name)?.[1] ?? []));
  const left = signals(is);
  return {
    added: names.filter((name) => !was.has(name)),
    removed: names.filter((name) => !is.has(name)),
    changed: names.filter(
      (name) => was.has(name) && is.has(name) && was.get(name) !== is.get(name),
    ),
    removedSignals: [...signals(was)].filter((signal) => !left.has(signal)),
    leftOut: leftOut.map(({ provider }) => provider),
  };
}

function readable(text: string | undefined): Partial<CollectorFile> {
  try {
    const value: unknown = text === undefined ? undefined : parse(text);
    return typeof value === 'object' && value !== null ? (value as Partial<CollectorFile>) : {};
  } catch {
    return {};
  }
}

function flat({ service, ...sections }: Partial<CollectorFile>): ReadonlyMap<string, string> {
  const parts = new Map<string, string>();
  const put = (section: string, members: unknown) => {
    if (typeof members !== 'object' || members === null) return;
    for (const [id, value] of Object.entries(members)) {
      parts.set(`${section}.${id}`, JSON.stringify(value));
    }
  };
  for (const [section, members] of Object.entries(sections)) put(section, members);
  put('pipelines', service?.pipelines);
  put('service', { extensions: service?.extensions, telemetry: service?.telemetry });
  return parts;
}
