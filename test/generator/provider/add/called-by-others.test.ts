import assert from 'node:assert/strict';
import test from 'node:test';
import { surveyOperations } from '../../../../generator/provider/draft/draft-curation.ts';
import { answer, documentOf, list, query } from '../guess/described.ts';

const thing = { type: 'object', properties: { id: { type: 'string' } } };
const read = (more: object = {}) => ({ get: { responses: answer(thing), ...more } });
const header = (name: string) => ({ name, in: 'header', required: true, schema: {} });
const post = (more: object = {}) => ({ post: { responses: answer(thing), ...more } });

/** Why operations are set aside, by their paths. */
function asidesOf(paths: object): Record<string, string | undefined> {
  const document = documentOf({ paths });
  const source = { id: 'acme', document, origin: undefined, licence: 'MIT', texts: true };
  const { natures, asides } = surveyOperations(source);
  return Object.fromEntries(
    natures.map((nature) => [nature.operation.path, asides.get(nature)?.split(/[:,]/, 1)[0]]),
  );
}

test('whether a service is ready or live is a sign of life, whether a stream is is none', () => {
  const up = 'it says no more than that a service is up';
  assert.deepEqual(
    asidesOf({
      '/public/ready': read({ summary: 'Readiness check' }),
      '/public/live': read({ description: 'Kubernetes-compatible liveness probe' }),
      '/health/up': read({ operationId: 'HealthController_up' }),
      '/health/ready': read({ summary: 'Check the database' }),
      '/streams/live': read({ summary: 'Streams that are live' }),
      '/orders/ready': read({ summary: 'List orders that are ready' }),
    }),
    {
      '/public/ready': up,
      '/public/live': up,
      '/health/up': up,
      '/health/ready': up,
      '/streams/live': undefined,
      '/orders/ready': undefined,
    },
  );
});

test('whoever gets, renews or issues a token of his own logs in, by whatever method', () => {
  const login = 'it is how people log in';
  assert.deepEqual(
    asidesOf({
      '/v1/token': read(),
      '/account/token': read({ summary: 'Get a token for a user' }),
      '/user/refresh': post({ summary: 'Refresh token' }),
      '/api/1/access_token': post({ summary: 'Retrieve session key for API user.' }),
      // A coin, several, one of many, and what is made for others.
      '/market/token': read(),
      '/token': read({ parameters: query('address') }),
      '/me/token': read({ responses: answer(list) }),
      '/user/photos/refresh': post({ summary: 'Refresh the photos' }),
      '/device-tokens': post({ summary: 'Add the token of a device' }),
      '/device-auth': post(),
      '/sso-logout': post(),
      '/users/impersonate': post(),
      '/devices': post(),
    }),
    {
      '/v1/token': login,
      '/account/token': login,
      '/user/refresh': login,
      '/api/1/access_token': login,
      '/market/token': undefined,
      '/token': undefined,
      '/me/token': undefined,
      '/user/photos/refresh': undefined,
      '/device-tokens': undefined,
      '/device-auth': login,
      '/sso-logout': login,
      '/users/impersonate': login,
      '/devices': undefined,
    },
  );
});

test('what a standard shows of the listeners of others is for no agent', () => {
  const listener = (summary: string) => post({ summary, description: 'Example of one.' });
  const hub = 'Receives the event of a lift';
  assert.deepEqual(
    asidesOf({
      '/listener/bedCreateEvent': listener('Client listener for entity BedCreateEvent'),
      '/listeners': listener('Add somebody who listens to music'),
      '/lifts': listener(hub),
    }),
    {
      '/listener/bedCreateEvent': 'others call it to tell what has happened',
      '/listeners': undefined,
      '/lifts': undefined,
    },
  );
});

test('what its vendor calls at the address of a subscriber is for no agent', () => {
  const others = 'others call it to tell what has happened';
  const told = 'We will send updates to a URL that you have configured.';
  assert.deepEqual(
    asidesOf({
      '/billing/webhooks': post({ summary: 'Acme webhook receiver' }),
      '/webhook': post({ summary: 'Webhook', description: told }),
      '/webhooks': post({ summary: 'Add a webhook', description: 'We will send events there.' }),
      '/orders': post({ summary: 'Order', description: told }),
    }),
    {
      '/billing/webhooks': others,
      '/webhook': others,
      '/webhooks': 'it sends what happens to an address from then on',
      '/orders': undefined,
    },
  );
});

test('what begins flows of a connector is for no agent', () => {
  const trigger = { 'x-ms-trigger': 'batch', summary: 'When a file is created' };
  const told = 'it begins flows of others when something happens';
  assert.deepEqual(
    asidesOf({ '/files/created': read(trigger), '/hooks': post(trigger), '/files': read() }),
    { '/files/created': told, '/hooks': told, '/files': undefined },
  );
});

test('what others call with their signature or secret is for no agent', () => {
  const told = 'others call it to tell what has happened';
  const signed = (name: string) => post({ parameters: [header(name)] });
  assert.deepEqual(
    asidesOf({
      '/subscriptions/callback': signed('X-Webhook-Secret'),
      '/events/github': signed('X-Hub-Signature-256'),
      '/stripe/webhook': signed('Stripe-Signature'),
      '/sms/inbound': signed('x-acme-sms-secret'),
      '/webhooks': signed('X-Request-Id'),
      '/orders': signed('X-Signature'),
    }),
    {
      '/subscriptions/callback': told,
      '/events/github': told,
      '/stripe/webhook': told,
      '/sms/inbound': told,
      '/webhooks': undefined,
      '/orders': undefined,
    },
  );
});
