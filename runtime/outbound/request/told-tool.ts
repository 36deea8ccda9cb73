import { isDeepStrictEqual } from 'node:util';
import { ServiceError } from '#contract/errors';
import type { ToolDefinition, VendorTool } from '#contract/tool';

/**
 * Load a tool as clients were told of it. Modules are loaded with the first call: whoever generates beneath a
 * server that runs would have arguments of the old kind read as the new one reads them, and the rest left out.
 *
 * @throws ServiceError with status 503 where it is another one by now
 */
export async function toldTool(
  { name, input }: Pick<ToolDefinition, 'name' | 'input'>,
  load: () => Promise<VendorTool | undefined>,
): Promise<VendorTool> {
  const tool = await load();
  // What clients were told came out of a file.
  if (tool?.name === name && isDeepStrictEqual(JSON.parse(JSON.stringify(tool.input)), input)) {
    return tool;
  }
  const message = `${name} was generated anew after this server has started: its operator has to restart it`;
  throw new ServiceError('outdated', 503, message, { isLasting: true });
}
