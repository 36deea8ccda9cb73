import { createService } from '../main.ts';
import { type Command, exitCode } from './command.ts';
import { tenantOption } from './tenant-option.ts';

const limit = 20;

/** List the tools of a tenant, or those that have most to do with the words, the best ones first. */
export const tools: Command = async (words, options) => {
  const { config, offer, life } = await createService(process.env);
  await life.stop();
  const { catalogue, search } = offer;
  const tenant = tenantOption(options, config);
  const own = new Set(catalogue.sourcesOf(tenant).map(({ id }) => id));
  const question = words.join(' ');
  const found =
    words.length === 0
      ? (await search.documents()).filter(({ tool }) => catalogue.has(tool, tenant))
      : await search.search(question, { limit, has: (source) => own.has(source) });
  for (const { tool, text } of found) process.stdout.write(`${tool}\n    ${text}\n`);
  if (found.length > 0) return exitCode.success;
  process.stderr.write(`no tool has to do with ${words.join(' ')}\n`);
  return exitCode.failure;
};
