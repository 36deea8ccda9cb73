import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiOperations } from '../../../../../generator/model/schema/api-operations.ts';
import { natureOf } from '../../../../../generator/provider/operations/operation-nature.ts';
import { asideReason } from '../../../../../generator/provider/operations/set-aside.ts';
import { answer, documentOf, natureIn } from '../../guess/described.ts';

const login = 'it is how people log in: set the credential of this server instead';
const own = 'it is how people join and prove who they are: they do that themselves';

const body = (names: readonly string[]) => ({
  content: {
    'application/json': {
      schema: {
        type: 'object',
        properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])),
      },
    },
  },
});

const operationOf = (sent: readonly string[]) => ({
  ...(sent.length > 0 && { requestBody: body(sent) }),
  responses: answer({ type: 'object', properties: { id: { type: 'string' } } }),
});

for (const [path, sent, reason, more = {}] of [
  ['/v1/auth/acme', ['code'], login, { summary: 'Acme login' }],
  ['/elevate/webauthn', [], login],
  ['/user/webauthn/add', [], login],
  ['/user/deanonymize', ['email', 'connection'], own],
  ['/signup/passkey', ['email'], login],
  ['/rooms/passkey', ['name'], undefined],
  ['/Login/Again', ['id'], login, { summary: '二次登陆(扫码)' }],
  ['/Login/Cache', ['id'], undefined, { summary: '设置登陆缓存' }],
  ['/site-auth/email', ['email'], login, { operationId: 'email_login_api_site_auth' }],
  ['/refresh', [], login, { summary: 'Обновление access token' }],
  ['/authn/{account}/authenticate', [], login, { summary: 'Gets a short-lived access token' }],
  ['/User/refresh', ['refreshToken'], login],
  ['/oauth2', ['action'], login, { summary: 'OAuth 2.0 - Retrieve a new authorization code' }],
  ['/signup', [], own],
  ['/sendPhone', [], own],
  ['/user/sendCode', [], own],
  ['/checkCodeRestore', [], own],
  ['/register/email/requestToken', [], own],
  ['/api/users.2fa.enable', [], own],
  ['/auth/anonymous', [], own, { summary: 'Register anonymous user' }],
  ['/auth/registration', ['username'], own],
  ['/v1/accounts/register', ['name', 'email'], own],
  ['/invitations/register', ['username', 'password'], own],
  ['/user/{app_id}/signup', ['name'], own],
  ['/accounts/email/resend', [], own],
  ['/User/resendConfirmationEmail', ['email'], own],
  ['/users/activation', ['uid', 'token'], own],
  ['/resend_verification_link', [], own],
  ['/User/manage/2fa', ['enable'], own],
  ['/settings/account/two-step', ['pin'], own],
  ['/startRestorePin', [], own],
  ['/checkCode', ['phone', 'code'], own],
  ['/verify-pin', ['number', 'password'], own],
  ['/me/security', ['newEmail', 'newPassword', 'oldPassword'], own],
  ['/accounts/password/forgot', ['email'], own],
  ['/auth/find-password', ['email'], login],
  ['/api/forget_password', ['email'], login],
  ['/reset/onsubmit/request', ['email'], own, { summary: 'Request Password Reset' }],
  ['/users', ['name'], own, { summary: 'Create a user without being logged in' }],
  ['/oauth2/{server}/v1/par', ['client_id'], login],
  ['/oauth2/v1/introspect', ['token_hint'], login],
  ['/oauth2/device/auth', [], login],
  ['/devices/auth', [], undefined],
  ['/oauth2/clients/par-levels', ['level'], undefined],
  ['/v1/account/acme/connect', [], own],
  ['/accounts/{id}/connect', [], undefined],
  ['/devices/connect', [], undefined],
  ['/v1/magic_links', ['user_id'], login],
  ['/v1/magic_links/email/send', ['email'], login],
  ['/v1/otps/email/send', ['email'], login],
  ['/authentication-methods', ['type'], own, { summary: 'Start the enrollment of a method' }],
  ['/authentication-methods/{id}/verify', ['x'], own, { summary: 'Confirm the enrollment' }],
  ['/link-social', ['provider'], own, { description: 'Link a social account to the user' }],
  ['/users', ['name'], own, { summary: 'User can register them self' }],
  ['/users/{id}/factors', ['type'], undefined, { summary: 'Enroll a factor' }],
  ['/students', ['name'], undefined, { summary: 'Enroll a student' }],
  ['/emails/send', ['text'], undefined],
  ['/deployments/{id}/resend-otp', [], login],
  ['/sessions/authenticate', ['session'], login],
  ['/auth/challenge', [], login],
  ['/games/challenge', [], undefined],
  ['/totps/recover', ['user_id'], login],
  ['/recovery_codes/recover', ['user_id'], login],
  ['/webauthn/register/start', ['user_id'], login],
  ['/courses/register/start', ['user_id'], undefined],
  ['/webauthn/register', ['name'], login],
  ['/chats/sessions/refresh', [], undefined],
  // Others than people, and what is done with somebody else.
  ['/devices/register', ['serial'], undefined],
  ['/events/{id}/signup', ['name'], undefined],
  ['/parking/signup', ['plan'], undefined, { operationId: 'signup_for_parking' }],
  ['/register-customer', ['firstName'], undefined],
  ['/accounts/{id}/email/verify', ['code'], undefined],
  ['/email/verify', ['address'], undefined],
  ['/coupons/check-code', ['code'], undefined],
  ['/orders/{id}/confirmation-email/send', [], undefined],
  ['/2fa/2/applications', ['name'], undefined],
  ['/identity/mfa/method/app', ['name'], undefined],
  ['/auth/login-settings', ['name'], undefined, { operationId: 'createLoginSettings' }],
  ['/refresh', [], undefined, { summary: 'Refresh what is polled' }],
  ['/users', ['email', 'password'], undefined, { summary: 'Create a user' }],
] as const) {
  const told = Object.values(more).join('');
  test(`POST ${path} with ${sent} ${told} ${reason ?? 'may be on by itself'}`, () => {
    const { document, nature } = natureIn(path, { ...operationOf(sent), ...more }, 'post');
    assert.equal(asideReason(document, nature), reason);
  });
}

for (const [path, names, reason] of [
  ['/account', ['phone_number', 'method'], own],
  ['/account/verify', ['code'], own],
  ['/account', ['name'], undefined],
] as const) {
  test(`POST ${path} with ${names} beside /account/verify: ${reason ?? 'may be on'}`, () => {
    const contact = path === '/account' ? names : ['phone_number'];
    const document = documentOf({
      paths: {
        '/account': { post: operationOf(contact) },
        '/account/verify': { post: operationOf(['code']) },
      },
    });
    const operation = new ApiOperations(document).all.find((each) => each.path === path);
    assert.ok(operation);
    assert.equal(asideReason(document, natureOf(document, operation)), reason);
  });
}

for (const [path, names, name] of [
  ['/secrets', ['name', 'value'], 'value'],
  ['/projects/{id}/secrets', ['stringData'], 'stringData'],
  ['/secrets', ['name'], undefined],
  ['/secrets/{id}/labels', ['value'], undefined],
] as const) {
  test(`POST ${path} with ${names} puts ${name ?? 'nothing'} away as a secret`, () => {
    const { document, nature } = natureIn(path, operationOf(names), 'post');
    const reason = asideReason(document, nature);
    assert.equal(/\("(\w+)"\)/.exec(reason ?? '')?.[1], name);
  });
}

for (const [name, isLink] of [
  ['code', true],
  ['email', false],
] as const) {
  test(`GET /User/confirmEmail by ${name}`, () => {
    const parameters = [{ name, in: 'query', schema: { type: 'string' } }];
    const path = '/User/confirmEmail';
    const { document, nature } = natureIn(path, { ...operationOf([]), parameters });
    assert.equal(asideReason(document, nature), isLink ? own : undefined);
  });
}

for (const [of, security, global, reason] of [
  ['all others', [], [{ key: [] }], own],
  ['none', [], [], undefined],
  ['all', undefined, [{ key: [] }], undefined],
] as const) {
  test(`where a credential is demanded of ${of}, who makes a user ${reason ?? 'may be on'}`, () => {
    const one = { ...operationOf(['name', 'nick']), ...(security && { security }) };
    const document = documentOf({
      security: global,
      paths: {
        '/user': { post: one },
        '/a': { get: operationOf([]) },
        '/b': { get: operationOf([]) },
      },
    });
    const [first] = new ApiOperations(document).all;
    assert.ok(first);
    assert.equal(asideReason(document, natureOf(document, first)), reason);
  });
}

for (const [path, summary, reason] of [
  ['/people', 'Create a new API user/API key', 'it makes a credential'],
  ['/people', 'Create a person', ''],
] as const) {
  test(`POST ${path} "${summary}" ${reason || 'may be on by itself'}`, () => {
    const { document, nature } = natureIn(path, { ...operationOf(['name']), summary }, 'post');
    assert.equal((asideReason(document, nature) ?? '').split(',')[0], reason);
  });
}

test('a GET that says whether its server works is a sign of life', () => {
  const told = { ...operationOf([]), description: 'Check if the API is working' };
  const { document, nature } = natureIn('/ok', told);
  assert.equal(asideReason(document, nature), 'it says no more than that a service is up');
});
