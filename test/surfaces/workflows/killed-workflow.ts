import { outputsOf, stepOf, workflowOf } from './test-workflows.ts';

const args = { run: '$inputs.text' };
const outputs = outputsOf(['answer']);

/** A step of each kind, so that a server can be killed in the middle of each. */
export const killed = workflowOf(
  'test_killed',
  [
    stepOf({ id: 'read', arguments: args, outputs }),
    stepOf({ id: 'charge', repeat: 'keyed', arguments: args, outputs }),
    stepOf({ id: 'put', arguments: args, outputs }),
    stepOf({ id: 'notify', repeat: 'once', arguments: args, outputs }),
    stepOf({ id: 'readAgain', arguments: args, outputs }),
  ],
  { charge: '$steps.charge.outputs.answer', last: '$steps.readAgain.outputs.answer' },
);
