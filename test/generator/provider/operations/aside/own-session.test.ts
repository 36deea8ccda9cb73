import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiOperations } from '../../../../../generator/model/schema/api-operations.ts';
import { natureOf } from '../../../../../generator/provider/operations/operation-nature.ts';
import { asideReason } from '../../../../../generator/provider/operations/set-aside.ts';
import { answer, documentOf, list } from '../../guess/described.ts';

const own = 'it is how people join and prove who they are: they do that themselves';
const login = 'it is how people log in: set the credential of this server instead';
const get = (summary: string, responses: object = answer(list)) => ({
  get: { summary, responses },
});
const getOf = (name: string, summary: string) => ({
  get: {
    ...get(summary).get,
    parameters: [{ name, in: 'path', required: true, schema: { type: 'string' } }],
  },
});
const page = { 200: { description: 'ok', content: { 'text/html': { schema: {} } } } };
const post = { post: { responses: answer({ type: 'object' }) } };

const beside = {
  '/sign-in/social': post,
  '/sign-out': post,
  '/get-session': get('Get the current session'),
  '/list-sessions': get('List all active sessions for the user'),
  '/list-accounts': get('List all accounts linked to the user'),
  '/account-info': get('Get the account info provided by the provider'),
  '/error': get('Displays an error page', page),
};

const others = {
  '/sessions': get('List sessions'),
  '/auth/session': get('Current session'),
  '/users/sessions': get('Get sessions'),
  '/users/list-sessions': get('List training sessions'),
  '/error': get('Displays an error page', page),
  '/errors': get('List errors'),
  '/authn/{account}/login': getOf('account', 'Gets the API key of a user'),
  '/oauth/callback/{site}': getOf('site', 'Where a site sends people back to'),
  '/callback/{id}': getOf('id', 'Whom to call back'),
  '/machines/{id}/login': getOf('id', 'Get the last login on a machine'),
};

for (const [title, paths, expected] of [
  [
    'what a library for log-ins shows of them beside the API itself is for people',
    beside,
    {
      ...{ '/get-session': own, '/list-sessions': own, '/list-accounts': own },
      ...{ '/account-info': own, '/error': 'it shows a page to people whose log-in has failed' },
    },
  ],
  [
    'sessions are those of a log-in where their place and text say so',
    others,
    {
      ...{ '/sessions': undefined, '/auth/session': own, '/users/sessions': own },
      ...{ '/users/list-sessions': undefined, '/error': undefined, '/errors': undefined },
      ...{ '/oauth/callback/{site}': login, '/callback/{id}': undefined },
      ...{ '/authn/{account}/login': login, '/machines/{id}/login': undefined },
    },
  ],
] as const) {
  test(title, () => {
    const document = documentOf({ paths });
    const found = new ApiOperations(document).all
      .filter(({ path }) => Object.hasOwn(expected, path))
      .map((each) => [each.path, asideReason(document, natureOf(document, each))]);
    assert.deepEqual(Object.fromEntries(found), expected);
  });
}
