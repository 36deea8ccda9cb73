import { createService } from '../main.ts';
import { type Command, exitCode } from './command.ts';

/** List the tools, or those that have every word in their name or description. */
export const tools: Command = async (words) => {
  const { catalogue, outbound } = await createService(process.env);
  const wanted = words.map((word) => word.toLowerCase());
  const found = (await catalogue.loadAll())
    .map(({ definition }) => definition)
    .filter(({ name, title = '', description }) => {
      const text = `${name} ${title} ${description}`.toLowerCase();
      return wanted.every((word) => text.includes(word));
    });
  await outbound.close(0);
  for (const { name, description } of found) process.stdout.write(`${name}\n    ${description}\n`);
  if (found.length > 0) return exitCode.success;
  process.stderr.write(`no tool has ${words.join(' and ')} in its name or description\n`);
  return exitCode.failure;
};
