import assert from 'node:assert/strict';
import test, { type TestContext } from 'node:test';
import { formatDiagnostics } from '../../../generator/diagnostics/format-diagnostics.ts';
import { auditEvents } from '../../../generator/kinds/audit-events.ts';
import { generate } from '../../../generator/pipeline/pipeline.ts';
import { planAt } from '../plan-at.ts';
import { put, specsFolder } from '../small-specs.ts';

test('a run writes the events, and an error in them writes nothing', async (t) => {
  const base = specsFolder(t);
  put(base, 'specs/events/audit.yaml', eventWith('{ type: integer }'));
  const first = await generate({ base });
  assert.ok(first.written?.written.includes('generated/audit-events.ts'));
  put(base, 'specs/events/audit.yaml', eventWith('{ type: number }'));
  assert.equal((await generate({ base })).written, undefined);
});

function eventWith(amount: string): string {
  return `events:
  MONEY_MOVED:
    category: payment
    description: Somebody moved money
    payload:
      type: object
      properties:
        amount: ${amount}
`;
}

async function problemsOf(t: TestContext, text: string): Promise<string> {
  const base = specsFolder(t);
  put(base, 'specs/events/audit.yaml', text);
  return formatDiagnostics((await planAt(auditEvents, base)).diagnostics, 'text');
}

test('a payload has no floats', async (t) => {
  assert.match(
    await problemsOf(t, eventWith('{ type: number }')),
    /^specs\/events\/audit\.yaml:8:\d+ error SPEC005 "type" may not be "number"/,
  );
});

test('a payload cannot be left open', async (t) => {
  assert.match(
    await problemsOf(t, eventWith('{ type: object, properties: {}, additionalProperties: true }')),
    /audit\.yaml:8:\d+ error SPEC005 unknown key "additionalProperties"/,
  );
});

test('a name in lower case and a category that does not exist are errors', async (t) => {
  assert.match(
    await problemsOf(t, eventWith('{ type: integer }').replace('MONEY_MOVED', 'moneyMoved')),
    /audit\.yaml:2:3 error SPEC005 unknown key "moneyMoved"/,
  );
  assert.match(
    await problemsOf(t, eventWith('{ type: integer }').replace('payment', 'money')),
    /audit\.yaml:3:5 error SPEC005 "category" may not be "money"/,
  );
});
