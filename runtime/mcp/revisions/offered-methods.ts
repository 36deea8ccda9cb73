import { completionComplete } from '../methods/completion-complete.ts';
import { promptsGet, promptsList } from '../methods/prompts.ts';
import { resourcesList, resourcesRead, resourceTemplatesList } from '../methods/resources.ts';
import { toolsCall } from '../methods/tools-call.ts';
import { toolsList } from '../methods/tools-list.ts';
import type { Method } from '../request/method.ts';
import type { Offer } from '../request/revision.ts';

/** The methods that every era has, as far as there is something that they can act on. */
export function offeredMethods(offer: Offer): readonly (readonly [string, Method])[] {
  const { catalogue, dialogue, resources, prompts } = offer;
  const methods: (readonly [string, Method])[] = [
    ['tools/list', toolsList(catalogue)],
    ['tools/call', toolsCall(offer)],
  ];
  if (resources.size > 0) {
    methods.push(
      ['resources/list', resourcesList(resources)],
      ['resources/templates/list', resourceTemplatesList(resources)],
      ['resources/read', resourcesRead(resources, dialogue)],
    );
  }
  if (prompts.size > 0) {
    methods.push(
      ['prompts/list', promptsList(prompts)],
      ['prompts/get', promptsGet(prompts, dialogue)],
    );
  }
  if (resources.size > 0 || prompts.size > 0) {
    methods.push(['completion/complete', completionComplete(prompts, resources)]);
  }
  return methods;
}
