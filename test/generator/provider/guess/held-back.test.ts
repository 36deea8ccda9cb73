import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiOperations } from '../../../../generator/model/schema/api-operations.ts';
import { heldReason } from '../../../../generator/provider/operations/choose-operations.ts';
import { natureOf } from '../../../../generator/provider/operations/operation-nature.ts';
import { asideReason } from '../../../../generator/provider/operations/set-aside.ts';
import { answer, documentOf, natureIn } from './described.ts';

const sent = (...names: string[]) => {
  const properties = Object.fromEntries(names.map((name) => [name, { type: 'string' }]));
  return { content: { 'application/json': { schema: { type: 'object', properties } } } };
};
const makes = { post: { responses: answer({ type: 'object' }) } };

for (const [path, operation, reason] of [
  ['/campaigns', { summary: 'Create a campaign' }, 'it may reach many people at once'],
  ['/campaigns/{id}/send', {}, 'it may reach many people at once'],
  ['/v2/notifications/bulk', { summary: 'Send notifications' }, 'it may reach many people at once'],
  ['/messages/batch', {}, 'it may reach many people at once'],
  ['/files/batch', {}, undefined],
  ['/sms', { summary: 'Send a text' }, 'it sends a message that costs and reaches somebody'],
  ['/billing/subscriptions', { summary: 'Create a subscription' }, 'it may spend money'],
  ['/orders', { summary: 'Create an order' }, 'it may spend money'],
  ['/gateway/stake', {}, 'it may spend money'],
  ['/servers/{id}/stop', {}, 'it stops what others may rely on'],
  ['/api/credit-account', {}, 'it may spend money'],
  ['/api/debitSharesAccount', {}, 'it may spend money'],
  ['/wallets/{id}/credit', {}, 'it may spend money'],
  ['/accounts/{id}/IncomingPhoneNumbers/TollFree.json', {}, 'it may spend money'],
  ['/services/{id}/PhoneNumbers', {}, undefined],
  ['/accounts/debit', {}, 'it may spend money'],
  ['/fund-wallet', {}, 'it may spend money'],
  ['/position/leverage', { summary: 'Choose leverage for a position' }, 'it may spend money'],
  ['/private/linear/position/add-margin', {}, 'it may spend money'],
  ['/send-money', {}, 'it may spend money'],
  ['/billing/portal', { summary: 'Open the portal' }, 'it may spend money'],
  ['/calls/end', { summary: 'End a call' }, 'it stops what others may rely on'],
  ['/end-users', { summary: 'Create an end user' }, undefined],
  ['/bookings', { summary: "Debit a customer's account" }, 'it may spend money'],
  ['/parcels', { summary: 'Purchases a label for a parcel' }, 'it may spend money'],
  ['/parcels', { summary: 'Purchase and print a label' }, 'it may spend money'],
  ['/v1/labels', { summary: 'Label', description: 'Buy a label.' }, 'it may spend money'],
  ['/wallets', { description: 'Adds funds from the card on file.' }, 'it may spend money'],
  ['/parcels', { operationId: 'purchaseParcel', description: 'Purchases' }, 'it may spend money'],
  ['/numbers', { operationId: 'buyNumber' }, 'it may spend money'],
  ['/guests', { summary: 'Charge a guest' }, 'it may spend money'],
  ['/orders', { summary: 'Validate and place an order' }, 'it may spend money'],
  ['/orders', { summary: 'Test an order' }, 'it may spend money'],
  ['/orders/{id}/retry', { summary: 'Retry an order' }, 'it may spend money'],
  ['/purchase/lists', { operationId: 'purchaseListCreate' }, 'it may spend money'],
  ['/pages', { operationId: 'payRunCreate', summary: 'Pay run creation' }, undefined],
  ['/transactions/estimate_fee', { summary: 'Estimate the fee' }, undefined],
  ['/transactions/enhance', { summary: 'Categorize transactions' }, undefined],
  ['/orders/{id}/interactions', { summary: 'Add a line' }, undefined],
  ['/work-orders', { summary: 'Create a work order' }, undefined],
  ['/outOfOrder', { summary: 'Create rooms out of order' }, undefined],
  ['/orders/feed', { summary: 'Commit items of the feed' }, undefined],
  ['/transaction_rules', { summary: 'Create a rule' }, undefined],
  ['/accounts/{id}/credit-notes', { summary: 'Create a credit note' }, undefined],
  ['/accounts/{id}/credit-limit', {}, undefined],
  ['/customers/{id}/credits', {}, undefined],
  ['/credit-cards', {}, undefined],
  ['/accounts', { summary: 'Create a credit account' }, undefined],
  ['/funds', {}, undefined],
  ['/fund-accounts', {}, undefined],
  ['/subscriptions', { summary: 'Subscribe to events of a topic' }, undefined],
  ['/orders/{id}/notes', { summary: 'Add a note' }, undefined],
  ['/payment-requests', { summary: 'Ask for money' }, undefined],
  ['/switchover', {}, 'it stops what others may rely on'],
  ['/tools/create_ad/execute', {}, 'it may reach many people at once'],
  ['/tools/create_ad_group', {}, undefined],
  ['/ads', { summary: 'Offer something' }, undefined],
  ['/messages/send', { summary: 'Send a message' }, undefined],
  ['/mandates/{id}/debit', {}, 'it may spend money'],
  ['/loans/{id}/fund', {}, 'it may spend money'],
  ['/offers/{id}/accept', {}, 'it may spend money'],
  ['/invitations/{id}/accept', {}, undefined],
  ['/authorizations/{id}/capture', {}, 'it may spend money'],
  ['/screens/{id}/capture', {}, undefined],
  ['/forward', { summary: 'Forward stored payment details' }, 'it may spend money'],
  ['/transactions/import', {}, undefined],
  ['/transactions/refresh', {}, undefined],
  ['/orders/check', { summary: 'Check orders' }, undefined],
  ['/apple-pay/domains', {}, undefined],
  ['/repos/{id}/checkout', { summary: 'Check out a branch' }, undefined],
  ['/books/{id}/checkout', {}, undefined],
  ['/sessions/{id}/check-out', {}, undefined],
  ['/checkout', {}, 'it may spend money'],
  ['/library/cart/checkout', {}, 'it may spend money'],
  ['/account/top-up', {}, 'it may spend money'],
  ['/agreements', { summary: 'Create an agreement for recurring payments' }, 'it may spend money'],
  ['/videos/start/{from}/end/{to}', { summary: 'Export a part' }, undefined],
  ['/bookings/one-stop', {}, undefined],
  ['/cluster/step-down', {}, 'it stops what others may rely on'],
  // Nothing of it moves money, whatever it is called.
  ['/views/order', { summary: 'Update the order of views' }, undefined],
  ['/rules/{id}/change-order', {}, undefined],
  ['/orders/addtag', { summary: 'Adds a tag to an order' }, undefined],
  ['/acme/new-order', {}, undefined],
  ['/event_subscriptions/{id}/recover', {}, undefined],
  ['/repos/{id}/transfer', { summary: 'Transfer a repository' }, undefined],
  ['/cluster/transfer-leadership', {}, undefined],
  ['/trainees/{id}/withdraw', { summary: 'Withdraw a trainee' }, undefined],
  ['/wallets/{id}/withdraw', {}, 'it may spend money'],
  ['/transfers', { requestBody: sent('amount') }, 'it may spend money'],
  ['/boards/{id}/subscriptions', { requestBody: sent('email') }, undefined],
  ['/subscriptions', { requestBody: sent('plan', 'email') }, 'it may spend money'],
  ['/subscriptions', { requestBody: sent('name') }, 'it may spend money'],
  // What costs by its text, and what asks others to pay.
  ['/customers/{id}/add', { summary: 'Add credits to a customer' }, 'it may spend money'],
  ['/recurring-repayments', {}, 'it may spend money'],
  ['/safes/{id}/proposals', { summary: 'Create a multisig proposal' }, 'it may spend money'],
  ['/invoices/{id}/send', {}, 'it asks somebody to pay'],
  ['/payment-links/{id}/remind', {}, 'it asks somebody to pay'],
  ['/documents/{id}/send', {}, undefined],
  ['/bot/multicast', {}, 'it may reach many people at once'],
  ['/messages/broadcast', { summary: 'Validate a broadcast' }, undefined],
  ['/keys/{id}/sign', {}, 'it signs in the name of somebody'],
  ['/signmessage', {}, 'it signs in the name of somebody'],
  ['/documents/{id}/sign', {}, undefined],
  // What stops nothing by that word.
  ['/runs/{id}/force-run', {}, undefined],
  ['/exchange/stop-orders', {}, 'it may spend money'],
  ['/stats_reset', { summary: 'Reset all statistics' }, 'it resets what others may rely on'],
  ['/servers/{id}/powerOff', {}, 'it stops what others may rely on'],
] as const) {
  test(`POST ${path} ${reason ?? 'may be on by itself'}`, () => {
    assert.equal(heldReason(natureIn(path, operation, 'post').nature), reason);
  });
}

for (const [path, operation, isInstalled] of [
  ['/apps/{id}/deploy', {}, true],
  ['/app.redeploy', {}, true],
  ['/plugins/{id}/upgrade', {}, true],
  ['/plugins/pull', { summary: 'Install a plugin' }, true],
  ['/plugin', { operationId: 'installPlugin', summary: 'installPlugin' }, true],
  ['/clusters/{id}/upgrade-check', {}, false],
  ['/users/{id}/upgrade', {}, false],
  ['/deploy', {}, false],
  ['/apps/{id}/deployments', {}, false],
  ['/stacks', { summary: 'Deploy a new stack' }, true],
  ['/seats', { summary: 'Upgrade a seat' }, false],
] as const) {
  test(`POST ${path} ${isInstalled ? 'changes' : 'leaves'} the software that runs`, () => {
    const reason = heldReason(natureIn(path, operation, 'post').nature);
    assert.equal(/^it changes which software/.test(reason ?? ''), isInstalled);
  });
}

for (const [path, names, goesTo, summary] of [
  ['/webhooks', [], true, 'Create a webhook'],
  ['/webhooks', ['name'], false, 'Webhook'],
  ['/webhooks', ['target_url'], true],
  ['/callbacks', ['url'], true],
  ['/event-subscriptions', ['callback_url'], true],
  ['/{id}/shared-data-subscriptions', ['callbackReference'], true],
  ['/subscriptions', ['sink', 'types'], true],
  ['/hub', ['callback', 'query'], true],
  ['/deleteWebhook', ['url'], false],
  ['/handleWebhook', ['url'], false],
  ['/callbacks', ['name'], false],
  ['/webhooks/{id}', ['url'], false],
  ['/webhooks/{id}/test', [], false],
  ['/links', ['url'], false],
] as readonly (readonly [string, readonly string[], boolean, string?])[]) {
  test(`POST ${path} with ${names} ${summary} ${goesTo ? 'sends what happens' : 'sends nothing'}`, () => {
    const operation = { summary, requestBody: sent(...names) };
    const { document, nature } = natureIn(path, operation, 'post');
    const reason = asideReason(document, nature);
    assert.equal(/^it sends what happens to an address/.test(reason ?? ''), goesTo);
  });
}

for (const [path, names, isToMany] of [
  ['/notifications', ['contents', 'included_segments'], true],
  ['/messages/schedule/create', ['broadcast'], true],
  ['/messages/send', ['list_ids'], true],
  ['/messages', ['text', 'to'], false],
  ['/segments/preview', ['segments'], false],
] as const) {
  test(`POST ${path} with ${names} ${isToMany ? 'reaches' : 'does not reach'} many people`, () => {
    const { document, nature } = natureIn(path, { requestBody: sent(...names) }, 'post');
    const reason = asideReason(document, nature);
    assert.equal(reason === 'it may reach many people at once', isToMany);
  });
}

for (const [others, reason] of [
  [['delete', 'put'], undefined],
  [['delete'], 'it may spend money'],
  [['delete', 'put', 'refund'], 'it may spend money'],
] as const) {
  test(`transactions with ${others}: ${reason ?? 'records'}`, () => {
    const methods = others.filter((each) => each !== 'refund');
    const document = documentOf({
      paths: {
        '/plans/{id}/transactions': { post: makes.post },
        '/plans/{id}/transactions/{key}': Object.fromEntries(methods.map((e) => [e, makes.post])),
        ...(others.some((each) => each === 'refund') && {
          '/transactions/{key}/refund': { post: makes.post },
        }),
      },
    });
    const [first] = new ApiOperations(document).all;
    assert.ok(first);
    assert.equal(heldReason(natureOf(document, first)), reason);
  });
}

for (const [path, sent, isPaid] of [
  ['/itineraries', ['rooms', 'payments'], true],
  ['/bookings', ['room', 'paymentDetails'], true],
  ['/bookings', ['room', 'from', 'to'], false],
  ['/invoices', ['items', 'payments'], false],
  ['/customers', ['name', 'payment_terms', 'payment_method'], false],
] as const) {
  test(`POST ${path} with ${sent} ${isPaid ? 'spends money' : 'spends none'}`, () => {
    const properties = Object.fromEntries(sent.map((name) => [name, { type: 'string' }]));
    const requestBody = { content: { 'application/json': { schema: { properties } } } };
    const { document, nature } = natureIn(path, { summary: 'Create one', requestBody }, 'post');
    assert.equal(asideReason(document, nature), isPaid ? 'it may spend money' : undefined);
  });
}

for (const [member, isPaid] of [
  ['number', true],
  ['href', false],
] as const) {
  test(`a list of payments with a member "${member}" ${isPaid ? 'spends money' : 'spends none'}`, () => {
    const items = { properties: { [member]: { type: 'string' } } };
    const schema = { properties: { payments: { type: 'array', items } } };
    const requestBody = { content: { 'application/json': { schema } } };
    const { document, nature } = natureIn('/supplies', { requestBody }, 'post');
    assert.equal(asideReason(document, nature), isPaid ? 'it may spend money' : undefined);
  });
}

for (const [path, sent, summary, isBilled] of [
  ['/domains', ['name', 'period'], 'Create a domain', true],
  ['/domains', ['name'], 'Registers a new domain', true],
  ['/domains', ['name'], 'Create a domain', false],
  ['/domains/{id}', ['period'], 'Watch a domain', false],
  ['/wallets', ['name', 'paid_credits'], 'Create a wallet', true],
  ['/wallets', ['name'], 'Create a wallet', false],
  ['/zones', ['name'], 'Create a zone. It will be charged with the next invoice.', true],
  ['/billing', ['name'], 'create billing project in the cloud', true],
  ['/zones', ['name'], 'Create a zone. You will not be charged for it.', false],
] as const) {
  test(`POST ${path} with ${sent}, "${summary}", ${isBilled ? 'may spend money' : 'spends none'}`, () => {
    const properties = Object.fromEntries(sent.map((name) => [name, { type: 'string' }]));
    const requestBody = { content: { 'application/json': { schema: { properties } } } };
    const { document, nature } = natureIn(path, { summary, requestBody }, 'post');
    assert.equal(asideReason(document, nature), isBilled ? 'it may spend money' : undefined);
  });
}

for (const [path, act, summary, isBilled] of [
  ['/invoices', 'retry_payment', 'Create an invoice', true],
  ['/invoices', 'retry_payment', 'Create a draft of an invoice', false],
  ['/invoices', 'attachments', 'Create an invoice', false],
  ['/cards', 'freeze', 'Create a card', true],
  ['/cards', 'terminate', 'Create a card', true],
  ['/cards', 'comments', 'Create a card', false],
  ['/parcels', 'x', 'Create a shipping label', true],
  ['/parcels', 'x', 'Create a label', false],
] as const) {
  test(`"${summary}" beside ${path}/{id}/${act} ${isBilled ? 'may spend money' : 'spends none'}`, () => {
    const post = { responses: answer({ type: 'object' }) };
    const document = documentOf({
      paths: { [path]: { post: { ...post, summary } }, [`${path}/{id}/${act}`]: { post } },
    });
    const [first] = new ApiOperations(document).all;
    assert.ok(first);
    const reason = asideReason(document, natureOf(document, first));
    assert.equal(reason, isBilled ? 'it may spend money' : undefined);
  });
}

for (const [path, summary, description, isCarried] of [
  ['/shipments', 'Create Shipment', 'Validates the input and generates the labels.', true],
  [
    '/shipments/tag',
    'Create Tag',
    'A return shipping label is brought to whoever returns it.',
    true,
  ],
  ['/label', 'Create a domestic shipping label', '', true],
  ['/indicia', 'Create an indicia for a letter', '', true],
  ['/pickups', 'Schedule a pickup', '', true],
  ['/bookings', 'Creates a new Booking', 'The carrier answers with what it has room for.', true],
  ['/shipments', 'Create shipment', 'Notes what has been sent of an order.', false],
  ['/shipments/validate', 'Validate a shipment', 'Before its label is made.', false],
  ['/labels', 'Create a label', 'Labels sort issues.', false],
  ['/label-reprint', 'Reprint a domestic shipping label', '', false],
  ['/pickups', 'Add a note on a pickup', '', false],
  ['/bookings', 'Book a room', '', false],
] as const) {
  test(`POST ${path} "${summary}: ${description}" ${isCarried ? 'may spend money' : 'spends none'}`, () => {
    const { document, nature } = natureIn(path, { summary, description }, 'post');
    assert.equal(asideReason(document, nature), isCarried ? 'it may spend money' : undefined);
  });
}

for (const [summary, reason] of [
  ['Send a test e-mail to confirm the settings', 'it only tries what has been set up'],
  ['Request Test Notification', 'it only tries what has been set up'],
  ['Send a test to a student', undefined],
] as const) {
  test(`"${summary}" ${reason ?? 'may be of use'}`, () => {
    const { document, nature } = natureIn('/things', { summary }, 'post');
    assert.equal(asideReason(document, nature), reason);
  });
}

test('several things that are paid with what each of them holds are paid as one is', () => {
  const parcel = { properties: { payment: { type: 'object' }, weight: { type: 'number' } } };
  const batch = { properties: { parcels: { type: 'array', items: parcel } } };
  const requestBody = { content: { 'application/json': { schema: batch } } };
  const { document, nature } = natureIn('/batches', { requestBody }, 'post');
  assert.equal(asideReason(document, nature), 'it may spend money');
});

for (const [path, sent, summary, isCall] of [
  ['/calls', ['to_number'], 'Create a call', true],
  ['/calls/create', ['phone', 'agent'], 'Create a call', true],
  ['/calls/phone-call', ['agent'], 'Begin', true],
  ['/calls', ['function', 'arguments'], 'Call a function', false],
  ['/agent', ['to'], 'Trigger an immediate outbound call', true],
  ['/people', ['phone'], 'Create a person', false],
  ['/logs', ['text'], 'Add a note of an outbound call', false],
] as const) {
  test(`POST ${path} with ${sent} ${isCall ? 'calls' : 'does not call'} somebody by telephone`, () => {
    const properties = Object.fromEntries(sent.map((name) => [name, { type: 'string' }]));
    const requestBody = { content: { 'application/json': { schema: { properties } } } };
    const { document, nature } = natureIn(path, { summary, requestBody }, 'post');
    assert.equal(/^it calls/.test(asideReason(document, nature) ?? ''), isCall);
  });
}

for (const [path, properties, operation, isSent] of [
  ['/postcards', {}, {}, true],
  ['/cards/send', {}, { summary: 'Send cards' }, true],
  ['/letters', { to: { properties: { postal_code: {} } } }, {}, true],
  ['/letters', { text: {} }, { summary: 'Create a cover letter' }, false],
  ['/customers/{id}/cards', { zip: {} }, { summary: 'Add a card' }, false],
  ['/chat/send', {}, { summary: 'Send an adaptive card' }, false],
  ['/Messages.json', { To: { description: 'A phone number' } }, {}, true],
  ['/messages', { to: { description: 'The id of a room' } }, {}, false],
  ['/verifications', { to: { description: 'In E.164 format' } }, {}, true],
  ['/runs', { To: { description: 'A phone number' } }, {}, false],
  ['/send/image', { phone: { description: 'Phone number with country code' } }, {}, true],
  ['/send/image', { phone: {} }, {}, false],
  [
    '/runs',
    { To: { description: 'A phone number' }, From: { description: 'A phone number' } },
    {},
    true,
  ],
] as const) {
  test(`POST ${path} with ${JSON.stringify(properties)} ${isSent ? 'sends what costs' : 'costs nothing'}`, () => {
    const requestBody = { content: { 'application/json': { schema: { properties } } } };
    const { document, nature } = natureIn(path, { ...operation, requestBody }, 'post');
    assert.equal(/^it sends/.test(asideReason(document, nature) ?? ''), isSent);
  });
}

for (const [path, sent, takes] of [
  ['/card-links', ['id', 'password'], 'password'],
  ['/bank-connections', ['user', 'pin'], 'pin'],
  ['/wallet', ['cardNo', 'cvv'], 'cardNo'],
  ['/users', ['name', 'password'], undefined],
  ['/albums/{id}/links', ['slug', 'password'], undefined],
  ['/shares/links', ['id', 'password'], undefined],
] as const) {
  test(`POST ${path} with ${sent} takes ${takes ?? 'no credential'} that a model would fill in`, () => {
    const properties = Object.fromEntries(sent.map((name) => [name, { type: 'string' }]));
    const requestBody = { content: { 'application/json': { schema: { properties } } } };
    const { document, nature } = natureIn(path, { requestBody }, 'post');
    const told = `its body takes a credential ("${takes}"), which a model would have to fill in`;
    assert.equal(asideReason(document, nature), takes && told);
  });
}

for (const [name, description, isProof] of [
  ['X-Auth-Confirm', 'Token or password', true],
  ['X-Confirmation', 'The password once more', true],
  ['x-registration-token', undefined, true],
  ['X-Upload-Token', 'What the upload began with', false],
  ['X-Opt-In', undefined, false],
] as const) {
  test(`an operation that demands ${name} ${isProof ? 'is for people' : 'takes it as an argument'}`, () => {
    const header = { name, in: 'header', required: true, schema: { type: 'string' } };
    const operation = { parameters: [{ ...header, ...(description && { description }) }] };
    const { document, nature } = natureIn('/things', operation);
    const told = `its header demands a credential ("${name}"), which a model would have to fill in`;
    assert.equal(asideReason(document, nature), isProof ? told : undefined);
  });
}
