import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import test from 'node:test';
import { pathToFileURL } from 'node:url';
import { generate } from '../../../generator/pipeline/pipeline.ts';
import type { Call as CallClass } from '../../../runtime/admission/call.ts';
import { terminalArrival } from '../../../runtime/admission/http-arrival.ts';
import type { createService as CreateService } from '../../../runtime/main.ts';
import { startUpstream } from '../../upstream/upstream.ts';
import { acme } from './acme.ts';
import { createWorkplace } from './workplace.ts';

const project = join(import.meta.dirname, '../../..');

test('a drafted provider generates, type-checks and answers through the server', async (t) => {
  const { base, read, run, write } = createWorkplace(t);
  for (const part of [
    'runtime',
    'package.json',
    'specs/config.yaml',
    'specs/jobs.yaml',
    'specs/prices.yaml',
    'specs/scopes.yaml',
    'specs/tables.yaml',
    'specs/tables.lock.json',
    'specs/surfaces',
    'specs/telemetry',
    'specs/events',
    'specs/mcp',
    'specs/search',
    'specs/skills',
  ]) {
    cpSync(join(project, part), join(base, part), { recursive: true });
  }
  // The workflows of the server call vendors that are not here.
  mkdirSync(join(base, 'specs/workflows'));
  symlinkSync(join(project, 'node_modules'), join(base, 'node_modules'));
  write('acme.yaml', acme);
  assert.equal((await run('add', 'acme', '--openapi', 'acme.yaml')).code, 0);
  const { diagnostics } = await generate({ base });
  assert.equal(
    diagnostics.find(({ severity }) => severity === 'error'),
    undefined,
  );

  const { compilerOptions } = JSON.parse(readFileSync(join(project, 'tsconfig.json'), 'utf8'));
  write('tsconfig.json', JSON.stringify({ compilerOptions, include: ['generated', 'runtime'] }));
  const compiler = join(project, 'node_modules/@typescript/native/bin/tsc');
  execFileSync(process.execPath, [compiler, '--noEmit', '-p', base], { stdio: 'pipe' });

  const upstream = await startUpstream(join(base, 'specs/providers/acme/openapi.yaml'));
  t.after(() => upstream.close());
  const { createService } = (await import(pathToFileURL(join(base, 'runtime/main.ts')).href)) as {
    createService: typeof CreateService;
  };
  const { Call } = (await import(pathToFileURL(join(base, 'runtime/admission/call.ts')).href)) as {
    Call: typeof CallClass;
  };
  const { offer, admission, life } = await createService({
    SERVICE_PROVIDER: 'acme',
    SERVICE_PROVIDER_ACME_URL: upstream.url,
    SERVICE_OUTBOUND_ALLOW: '127.0.0.1',
    SERVICE_ACME_TOKEN: 'a token',
    SERVICE_LOG_LEVEL: 'silent',
  });
  t.after(() => life.stop());
  const tool = await offer.catalogue.find('acme_teams_get');
  const { arguments: given } = JSON.parse(
    read('specs/providers/acme/fixtures/acme_teams_get.json'),
  );
  const result = await tool?.run(given, new Call(await admission.authenticate(terminalArrival)));
  assert.deepEqual(result?.structuredContent, {
    id: 'T1',
    name: 'Blue',
    secret: 'redacted',
    members: [
      { id: 'T2', name: 'x' },
      { id: 'T3', name: 'y' },
    ],
  });
  const [exchange] = upstream.exchanges;
  assert.deepEqual(exchange?.violations, []);
  assert.equal(exchange?.headers.authorization, 'Bearer a token');
});
