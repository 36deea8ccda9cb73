import assert from 'node:assert/strict';
import test from 'node:test';
import { EventCheck } from '../../runtime/bus/event-check.ts';
import { eventCatalogue } from '../golden/house-events/expected/events.ts';

test('data is checked against schemas that refer to others', async () => {
  const check = new EventCheck(eventCatalogue, false);
  const event = (lines: object[]) =>
    check.messageOf({
      ...{ name: 'order.placed', tenant: 'default' },
      data: { order_id: '1', lines: lines.map((line) => ({ ...line })) },
    });
  const { subject } = await event([{ article: 'tea', count: 2 }]);
  assert.equal(subject, 'service.order.placed');
  await assert.rejects(event([{ article: 'tea' }, { count: 2 }]), {
    code: 'invalid_params',
    message: /: data\.lines\.1\.article is missing$/,
  });
});
