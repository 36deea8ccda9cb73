import type { SurfaceConfigModel } from '../../model/house/surface-config.ts';
import { pascalCase } from '../../model/texts/names.ts';
import { switchMember } from '../house/config.ts';
import { comment, identifier } from '../print/code.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { printModule } from '../print/module.ts';

/** Print the type of the settings of a surface; one without settings has none. */
export function emitSurfaceConfig({ id, title, switches }: SurfaceConfigModel): EmittedFile[] {
  if (switches.length === 0) return [];
  const file = printModule({
    path: `generated/surfaces/${id}/config.ts`,
    source: `specs/surfaces/${id}/config.yaml`,
    template: 'surface-config',
    data: {
      docs: comment([`What the operator has chosen for this surface (${title}).`]),
      name: identifier(`${pascalCase(id)}Config`),
      members: switches.map(switchMember),
    },
  });
  return [file];
}
