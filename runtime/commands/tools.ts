import { createService } from '../main.ts';
import { searchTools } from '../tool-search.ts';
import { type Command, exitCode } from './command.ts';

/** List the tools, or those that have to do with every word, the best ones first. */
export const tools: Command = async (words) => {
  const { documents, outbound } = await createService(process.env);
  const all = await documents();
  await outbound.close(0);
  const found = words.length === 0 ? all : searchTools(all, words);
  for (const { tool, text } of found) process.stdout.write(`${tool}\n    ${text}\n`);
  if (found.length > 0) return exitCode.success;
  process.stderr.write(`no tool has to do with ${words.join(' and ')}\n`);
  return exitCode.failure;
};
