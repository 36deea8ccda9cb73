import { join } from 'node:path';
import type { Diagnostic } from '../../diagnostics/diagnostic.ts';
import type { Located } from '../../model/texts/report.ts';
import { readChecked } from '../../read/text/checked-yaml.ts';
import type { Kind, Place, Planned } from './kind.ts';

/** A kind whose places are single YAML files: `Content` is what its schema allows. */
export interface YamlKind<Content, Model> extends Omit<Kind<Model>, 'plan'> {
  /** Name of the JSON Schema in `specs/schemas/`, without `.schema.json`. */
  readonly schema: string;
  plan(content: Content, place: Place): Model;
  /** What the schema cannot say of one file. */
  problems?(model: Model, file: Located): readonly Diagnostic[];
}

/** Make a kind of single YAML files. */
export function yamlKind<Content, Model>(kind: YamlKind<Content, Model>): Kind<Model> {
  return {
    ...kind,
    plan(place): Planned<Model> {
      const { base, path } = place;
      const { file, content, diagnostics } = readChecked<Content>(
        join(base, path),
        base,
        kind.schema,
      );
      if (content === undefined) return { diagnostics };
      const model = kind.plan(content, place);
      const problems = kind.problems?.(model, file) ?? [];
      return { model, file, diagnostics: [...diagnostics, ...problems] };
    },
  };
}
