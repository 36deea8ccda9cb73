import { createService } from '../main.ts';
import { type Command, exitCode } from './command.ts';

const limit = 20;

/** List the tools, or those that have most to do with the words, the best ones first. */
export const tools: Command = async (words) => {
  const { offer, life } = await createService(process.env);
  await life.stop();
  const { search } = offer;
  const question = words.join(' ');
  const found =
    words.length === 0 ? await search.documents() : await search.search(question, { limit });
  for (const { tool, text } of found) process.stdout.write(`${tool}\n    ${text}\n`);
  if (found.length > 0) return exitCode.success;
  process.stderr.write(`no tool has to do with ${words.join(' ')}\n`);
  return exitCode.failure;
};
