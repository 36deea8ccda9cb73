import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Diagnostic } from '../diagnostic.ts';
import type { SurfaceSources } from '../model/surface.ts';
import type { ToolsFile } from '../model/surface-tools.ts';
import { readChecked } from './checked-yaml.ts';
import { readApi } from './read-api.ts';

/** Read what stands in the folder of a surface: its routes, its tools, or both. */
export async function readSurfaceFolder(
  folder: string,
  base: string,
): Promise<{ sources?: SurfaceSources; diagnostics: readonly Diagnostic[] }> {
  const root = join(base, folder);
  const [routes, tools] = [join(root, 'openapi.yaml'), join(root, 'tools.yaml')];
  const api = existsSync(routes) ? await readApi({ file: routes, root, base }) : undefined;
  const checked = existsSync(tools)
    ? readChecked<ToolsFile>(tools, base, 'surface-tools')
    : undefined;
  const diagnostics = [...(api?.diagnostics ?? []), ...(checked?.diagnostics ?? [])];
  if ((api && !api.document) || (checked && !checked.content)) return { diagnostics };
  const sources = {
    folder,
    ...(api?.document && { document: api.document }),
    ...(checked?.content && { tools: checked.content, toolsFile: checked.file }),
  };
  return { sources, diagnostics };
}
