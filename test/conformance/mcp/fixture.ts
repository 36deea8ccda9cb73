import { toolsInMemory } from '../../../runtime/offer/catalogue.ts';
import type { Offer, Source } from '../../../runtime/offer/offer.ts';
import { toolOf } from '../../runtime/in-memory-tools.ts';
import { askingTools } from './asking-tools.ts';
import { contentTools } from './content-tools.ts';
import { fixedPrompt, prompts } from './prompts.ts';
import { resources, resourceTemplates } from './resources.ts';
import { sessionTools } from './session-tools.ts';
import { taskTools } from './task-tools.ts';

const id = 'conformance';

type Lists = Pick<Offer, 'catalogue' | 'prompts'>;

/** What the scenarios of the conformance suite expect of a server. */
export interface Fixture {
  readonly source: Source;
  /** Let the tools that change a list change those of the server that offers them. */
  attach(lists: Lists): void;
}

/** Make the fixture; one server offers it. */
export function createFixture(): Fixture {
  let lists: Lists | undefined;
  let added = 0;
  const changing = (name: string, change: (lists: Lists, number: number) => void) =>
    toolOf({ name }, async () => {
      added += 1;
      if (lists) change(lists, added);
      return { content: [{ type: 'text', text: 'changed' }] };
    });

  const addTool = changing('test_trigger_tool_change', ({ catalogue }, number) => {
    const tools = toolsInMemory([toolOf({ name: `test_added_tool_${number}` })]);
    catalogue.add({ id: `${id}-${number}`, title: 'Added', tools });
  });
  const addPrompt = changing('test_trigger_prompt_change', (to, number) => {
    to.prompts.add(fixedPrompt(`test_added_prompt_${number}`, 'added'), id);
  });

  const tools = [...contentTools, ...askingTools, ...sessionTools, ...taskTools];
  return {
    source: {
      id,
      title: 'Conformance',
      tools: toolsInMemory([...tools, addTool, addPrompt]),
      resources,
      resourceTemplates,
      prompts,
    },
    attach(to) {
      lists = to;
    },
  };
}
