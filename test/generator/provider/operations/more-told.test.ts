import assert from 'node:assert/strict';
import test from 'node:test';
import { ApiOperations } from '../../../../generator/model/schema/api-operations.ts';
import {
  commonSentences,
  moreOf,
} from '../../../../generator/provider/operations/texts/more-told.ts';
import { purposeOf } from '../../../../generator/provider/operations/texts/operation-purpose.ts';
import { documentOf } from '../guess/described.ts';

function operationOf(node: Readonly<Record<string, unknown>>) {
  const document = documentOf({ paths: { '/files': { get: { ...node, responses: {} } } } });
  const [operation] = new ApiOperations(document).all;
  assert.ok(operation);
  return operation;
}

const more = 'Files of other teams are hidden';

for (const [what, description] of [
  ['a note beside it', `> 🚧 Keys of production only\n>\n> Write to us for one.\n\n${more}.`],
  ['a warning', `**Warning**: Not for log-ins. Calls may take seconds.\n\n${more}.`],
  ['a heading of any text', `### **Endpoint Description**\n\n${more}.\n\n## Overview`],
  ['a heading', `### Get files\n${more}.`],
  ['a paragraph without its full stop', `${more}\n\nList Files`],
  ['the scope that it takes', `${more}\n\nRequired scope: files:read`],
  ['the privilege that it takes', `Index privileges: read.\n\n${more}.`],
  ['a list behind it', `**${more}**\n* List those of one\n* Get them all.`],
  ['why it may fail', `This operation can fail for these reasons:\n* No file\n\n${more}.`],
  ['a note of several', `Notes: Keys of production only.\n\n${more}.`],
  ['the same in a sentence', `This operation gets the file entities. ${more}.`],
  ['the scope in front of it', `Required scope: files:read.\n\n${more}.`],
  ['what another one says of it', `__Authorization:__ takes the scope files:read. ${more}.`],
  ['the scope that it requires', `${more}. This is restricted, it requires the scope: files:read.`],
  ['the scope that is wanted', `The files:read scope is required to see all. ${more}.`],
  ['an address alone', `https://docs.acme.example/files#list\n\n${more}.`],
  ['where more is said', `For details on the format, see the other endpoint. ${more}.`],
  ['ends of lines that are written out', `Note: it is slow.\\n\\n${more}.`],
  ['the marks of a comment', `/**\n${more}.\n */`],
  ['a badge', `[![Generic badge](https://img.acme.dev/scope-files.svg)]()\n\n${more}.`],
  [
    'a sample of a request',
    `#### Sample Request\n\n\`\`\`\ncurl -X GET https://x\n\`\`\`\n\n${more}.`,
  ],
  ['a sample that no fence closes', `${more}.\n\n\`\`\`\ncurl -X GET https://api.acme.dev/files`],
  ['a sample without a fence', `curl -X GET https://api.acme.dev/files. ${more}.`],
] as const) {
  test(`what a text says more is found beside ${what}`, () => {
    assert.equal(moreOf(operationOf({ description }), 'Get files'), `${more}.`);
  });
}

test('an example is told behind what it shows alone', () => {
  const shown = 'For example, ask for those of one team';
  const says = (description: string) => moreOf(operationOf({ description }), 'Get files');
  assert.equal(says(`Get files. ${shown}.`), `${shown}.`);
  assert.equal(says(`Get files. Note: some of them differ. ${shown}.`), undefined);
});

test('how far something has come in front of a sentence does not hide it', () => {
  const description = '(Beta) Creates an export of all files. Filters may be given inline.';
  const purpose = purposeOf(operationOf({ operationId: 'createExport', description }));
  assert.equal(purpose, 'Creates an export of all files');
});

for (const note of [
  '<p>This endpoint is in preview mode.</p>',
  'This is an experimental method. ',
]) {
  test(`"${note}" is no purpose`, () => {
    const operation = operationOf({
      operationId: 'listBeds',
      description: `${note}Lists all beds`,
    });
    assert.equal(purposeOf(operation), 'Lists all beds');
  });
}

test('a list in a sentence stays with it', () => {
  const description = 'It gives (ie. all at once):\n- Those of today\n- Those of others';
  const text = 'It gives (ie. all at once): - Those of today - Those of others.';
  assert.equal(moreOf(operationOf({ description }), 'Get files'), text);
});

for (const [whose, listed] of [
  ['Google', 'Args:\n    team (str): Who has the files that are shown.'],
  ['NumPy', 'Parameters\n----------\nteam : str\n    Who has the files that are shown.'],
  ['Sphinx', ':param str team: Who has the files that are shown.'],
]) {
  test(`what a docstring of Python lists in the way of ${whose} is no part of its text`, () => {
    const listing = { description: `List files.\n\n${listed}` };
    assert.equal(moreOf(operationOf(listing), 'List files'), undefined);
    const telling = { description: `${more}.\n\n${listed}` };
    assert.equal(moreOf(operationOf(telling), 'List files'), `${more}.`);
    assert.equal(purposeOf(operationOf(telling)), more);
  });
}

test('where a text is nothing but a note, that is what it says', () => {
  const description = '> 📘 This gives the state of an export\n> It may take some time.';
  const purpose = purposeOf(operationOf({ operationId: 'getExport', description }));
  assert.equal(purpose, 'This gives the state of an export It may take some time');
});

test('a sentence of many operations tells none of them from the others', () => {
  const shared = 'See the Pagination Guide to learn how lists go on.';
  const paths = Object.fromEntries(
    ['users', 'teams', 'files', 'orders', 'plans'].map((name) => {
      const description = name === 'plans' ? `${shared} Only those of today are given.` : shared;
      return [`/${name}`, { get: { summary: `List ${name}`, description, responses: {} } }];
    }),
  );
  const { all } = new ApiOperations(documentOf({ paths }));
  const common = commonSentences(all);
  assert.deepEqual(
    all.map((operation) => moreOf(operation, String(operation.node['summary']), common)),
    [undefined, undefined, undefined, undefined, 'Only those of today are given.'],
  );
  // Four may have it in common for a reason.
  assert.equal(commonSentences(all.slice(0, 4)).size, 0);
});

test('a summary that is a whole description says what is done first, and then more', () => {
  const first = 'Lists all files that are not shared';
  const second = `${'Files of other teams are listed for those alone who have been asked to look after them, '.repeat(2).trim()}`;
  const long = operationOf({ summary: `${first}. ${more}. ${second}.` });
  assert.equal(purposeOf(long), first);
  assert.equal(moreOf(long, first), `${more}.`);
  // What has room stays whole.
  const short = operationOf({ summary: `${first}. ${more}.` });
  assert.equal(purposeOf(short), `${first}. ${more}`);
  assert.equal(moreOf(short, purposeOf(short)), undefined);
  // A sentence that is a label says nothing of what is done.
  const labelled = operationOf({ summary: `Kind: everything. ${more}. ${second}.` });
  assert.match(purposeOf(labelled), /^Kind: everything\. /);
});

for (const [summary, purpose] of [
  ['Secured by: Set up of templates. Scope: Core', 'Files of the team'],
  ['can access: curators, teachers', 'Files of the team'],
  ['Lists all files. Possible errors: the page is too large', 'Lists all files'],
  ['Lists all files. Required scope: files:read', 'Lists all files'],
] as const) {
  test(`what a summary says to callers is no purpose: ${summary}`, () => {
    const operation = operationOf({ summary, description: 'Files of the team.' });
    assert.equal(purposeOf(operation), purpose);
  });
}

test('what happens in one case alone is no purpose', () => {
  const description = 'If the folder is empty, nothing is found. Finds files by their name.';
  const node = { operationId: 'findFiles', description };
  assert.equal(purposeOf(operationOf(node)), 'Finds files by their name');
});
