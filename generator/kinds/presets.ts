import { join } from 'node:path';
import { isObject } from '#contract/json';
import { diagnose } from '../diagnostics/diagnose.ts';
import { suggestion } from '../diagnostics/suggestion.ts';
import { readYaml } from '../read/text/yaml-file.ts';
import type { Kind } from './kind/kind.ts';
import { folderNames } from './kind/places.ts';

/** One provider in one preset, and where that is written. */
export interface Membership {
  readonly preset: string;
  readonly provider: string;
  readonly pointer: string;
}

/** Which providers a preset of `SERVICE_PROVIDER` enables. */
export const presets: Kind<readonly Membership[]> = {
  name: 'presets',
  where: ['specs/providers/presets.yaml'],
  plan({ base, path }) {
    const file = readYaml(join(base, path), base);
    const listed = isObject(file.value) ? file.value['presets'] : undefined;
    const model = Object.entries(isObject(listed) ? listed : {}).flatMap(([preset, members]) =>
      (Array.isArray(members) ? members : []).map((member, index) => ({
        preset,
        provider: String(member),
        pointer: `/presets/${preset}/${index}`,
      })),
    );
    return { model, file, diagnostics: file.diagnostics };
  },
  check: (parts) =>
    parts.flatMap(({ model = [], file, place }) => {
      const ids = folderNames(place.base, 'specs/providers');
      return model.flatMap(({ preset, provider, pointer }) => {
        if (ids.includes(provider) || file === undefined) return [];
        const message = `preset "${preset}" names "${provider}", which is no provider`;
        const help = suggestion(provider, ids);
        return [diagnose('P025', { ...file.locate(pointer), pointer }, message, { help })];
      });
    }),
};
