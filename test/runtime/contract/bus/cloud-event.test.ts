import assert from 'node:assert/strict';
import test from 'node:test';
import fc from 'fast-check';
import { type CloudEvent, readCloudEvent, toBinary, toStructured } from '#contract/bus/cloud-event';

const place = { id: 'given', subject: 'service.edge.join', tenant: 'default' };

const event: CloudEvent = {
  id: '01J8',
  source: 'urn:service:one',
  type: 'service.edge.join.v1',
  time: '2026-11-22T10:00:00.000Z',
  subject: 'Wörker "7" 100%',
  datacontenttype: 'application/json',
  tenant: 'default',
  data: { worker_id: '7', region: 'Zürich' },
};

test('an event in binary mode has its attributes in headers of printable ASCII', () => {
  const { headers, data } = toBinary(event);
  assert.equal(headers['ce-specversion'], '1.0');
  assert.equal(headers['ce-datacontenttype'], 'application/json');
  assert.equal(headers['ce-subject'], 'W%C3%B6rker%20%227%22%20100%25');
  assert.deepEqual(JSON.parse(data), event.data);
});

test('either mode gives the event back that was written', () => {
  const text = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
  const events = fc.record(
    {
      ...{ id: text, source: text, type: text, subject: text, correlationid: text },
      data: fc.jsonValue().map((value) => JSON.parse(JSON.stringify(value))),
    },
    { noNullPrototype: true },
  );
  fc.assert(
    fc.property(events, (given) => {
      assert.deepEqual(readCloudEvent({ ...place, ...toBinary(given) }), given);
      assert.deepEqual(readCloudEvent({ ...place, ...toStructured(given) }), given);
      for (const value of Object.values(toBinary(given).headers)) {
        assert.match(value, /^[\x21-\x7e]+$/);
      }
    }),
  );
});

test('bare JSON is the data of an event of which the message says all that is known', () => {
  const read = readCloudEvent({ ...place, headers: {}, data: '{"worker_id":"7"}' });
  const type = 'service.edge.join.v1';
  const { id, tenant } = place;
  assert.deepEqual(read, { id, tenant, source: '', type, data: { worker_id: '7' } });
});

test('data in base64 is read in structured mode', () => {
  const headers = { 'content-type': 'application/cloudevents+json; charset=utf-8' };
  const { data: _, ...attributes } = event;
  const data_base64 = Buffer.from('{"worker_id":"7"}').toString('base64');
  const data = JSON.stringify({ specversion: '1.0', ...attributes, data_base64 });
  assert.deepEqual(readCloudEvent({ ...place, headers, data }).data, { worker_id: '7' });
});

test('what is no event is refused with what is wrong with it', () => {
  const structured = { 'content-type': 'application/cloudevents+json' };
  const cases = [
    [{}, 'no json', /data must be JSON, not "no json"/],
    [structured, '[]', /the event must be a JSON object/],
    [structured, '{"specversion":"2.0"}', /specversion must be 1.0, not "2.0"/],
    [structured, '{"specversion":"1.0","id":"","source":"a","type":"b"}', /id must be a text/],
    [structured, '{"specversion":"1.0","id":"1","source":"a","type":7}', /type must be a text/],
    [{ 'ce-specversion': '1.0', 'ce-id': '1', 'ce-type': 'b' }, '{}', /source must be a text/],
  ] as const;
  for (const [headers, data, message] of cases) {
    assert.throws(() => readCloudEvent({ ...place, headers, data }), message);
  }
});
