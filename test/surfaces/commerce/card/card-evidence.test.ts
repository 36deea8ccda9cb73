import assert from 'node:assert/strict';
import test from 'node:test';
import { createCardEvidence } from '../../../../runtime/surfaces/commerce/card/card-evidence.ts';
import { Processor, secretKey } from '../../../payments/processor/processor.ts';

test('what the ledger says of cards is looked up at the processor', async (t) => {
  const processor = await Processor.start();
  t.after(() => processor.stop());
  const apiUrl = new URL(processor.url);
  const { isThere, answers } = createCardEvidence({ secretKey, apiUrl });
  const { intents, refunds } = processor.books;
  const common = { created: 1, metadata: {}, ends: 'succeeded', latest_charge: 'ch_1' } as const;
  const charge = { ...common, object: 'payment_intent', amount: 125, currency: 'usd' } as const;
  intents['pi_1'] = { ...charge, id: 'pi_1', status: 'succeeded' };
  intents['pi_2'] = { ...charge, id: 'pi_2', status: 'canceled' };
  refunds['re_1'] = {
    ...{ id: 're_1', object: 'refund', amount: 25, payment_intent: 'pi_1' },
    ...{ metadata: {}, status: 'succeeded' },
  };
  const { id: dispute } = processor.dispute('pi_1');
  const look = (reference: string, amount = '125', asset = 'usd') =>
    isThere({ reference, amount, asset });
  assert.equal(await look('pi_1'), true);
  assert.equal(await look('re_1'), true, 'a part of it');
  assert.equal(await look(dispute), true);
  for (const [reference, amount, asset] of [
    ['pi_1', '126', 'usd'],
    ['pi_1', '125', 'eur'],
    ['pi_2', '125', 'usd'],
    ['re_1', '24', 'usd'],
    ['pi_unknown', '125', 'usd'],
    ['0xabc', '125', 'usd'],
  ] as const) {
    assert.equal(await look(reference, amount, asset), false, reference);
  }
  assert.equal(await answers(), 'yes');
  assert.equal(await createCardEvidence({ secretKey: 'sk_wrong', apiUrl }).answers(), 'refused');
  await assert.rejects(
    createCardEvidence({ secretKey: 'sk_wrong', apiUrl }).isThere({
      reference: 'pi_1',
      amount: '125',
      asset: 'usd',
    }),
  );
});
