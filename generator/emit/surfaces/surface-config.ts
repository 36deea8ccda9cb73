import type { SurfaceConfigModel } from '../../model/house/surface-config.ts';
import { pascalCase } from '../../model/texts/names.ts';
import { switchProperty } from '../house/config.ts';
import type { EmittedFile } from '../print/emitted-file.ts';
import { interfaceText } from '../print/interface-text.ts';
import { printSourceFile } from '../print/source-file.ts';

/** Print the type of the settings of a surface; one without settings has none. */
export function emitSurfaceConfig({ id, title, switches }: SurfaceConfigModel): EmittedFile[] {
  if (switches.length === 0) return [];
  const docs = [`What the operator has chosen for this surface (${title}).`];
  const file = printSourceFile({
    path: `generated/surfaces/${id}/config.ts`,
    source: `specs/surfaces/${id}/config.yaml`,
    statements: [interfaceText(`${pascalCase(id)}Config`, docs, switches.map(switchProperty))],
  });
  return [file];
}
