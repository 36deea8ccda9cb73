import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { temporaryDirectory } from '../../../runtime/store/temporary-directory.ts';
import { startVictoriaMetrics } from '../real/back-ends.ts';
import { freePorts, programAt, startProgram } from '../real/programs.ts';
import { type AlertEvent, serveAlerts } from './alert-server.ts';

test('the rules that come with the server do what they say, as promtool and vmalert see it', () => {
  const told = execFileSync('promtool', [
    'test',
    'rules',
    'test/fixtures/alerts/default-alert-rules.yaml',
  ]);
  assert.match(String(told), /SUCCESS/);
  execFileSync('promtool', ['check', 'rules', 'alerts/default-alert-rules.yaml']);
  execFileSync('vmalert', ['-dryRun', '-rule=alerts/default-alert-rules.yaml'], {
    stdio: 'ignore',
  });
});

/** Prometheus with rules of its own, which looks at itself and at them each second. */
async function startRuler(t: TestContext) {
  const folder = temporaryDirectory(t);
  const [port] = await freePorts(1);
  const rules = [
    { alert: 'ItselfUp', expr: 'up == 1', labels: { severity: 'info' } },
    { alert: 'OnlyTheirs', expr: 'vector(7)', for: '1h', annotations: { summary: 'seven' } },
  ];
  writeFileSync(join(folder, 'rules.yml'), JSON.stringify({ groups: [{ name: 'theirs', rules }] }));
  writeFileSync(
    join(folder, 'prometheus.yml'),
    JSON.stringify({
      global: { scrape_interval: '1s', evaluation_interval: '1s' },
      rule_files: [join(folder, 'rules.yml')],
      scrape_configs: [
        { job_name: 'itself', static_configs: [{ targets: [`127.0.0.1:${port}`] }] },
      ],
    }),
  );
  return startProgram(t, {
    binary: programAt('/usr/bin/prometheus'),
    args: [
      `--config.file=${join(folder, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(folder, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
      '--log.level=error',
    ],
    ...{ url: `http://127.0.0.1:${port}`, ready: '/-/ready' },
  });
}

async function startAlertmanager(t: TestContext) {
  const folder = temporaryDirectory(t);
  const [port] = await freePorts(1);
  const config = join(folder, 'alertmanager.yml');
  writeFileSync(config, '{"route": {"receiver": "nobody"}, "receivers": [{"name": "nobody"}]}');
  return startProgram(t, {
    binary: programAt('/usr/bin/prometheus-alertmanager'),
    args: [
      ...[`--config.file=${config}`, `--storage.path=${join(folder, 'data')}`],
      ...[`--web.listen-address=127.0.0.1:${port}`, '--cluster.listen-address='],
    ],
    ...{ url: `http://127.0.0.1:${port}`, ready: '/-/ready' },
  });
}

const metric = { signalType: 'metric' };
const facts = ({ alert, state, source, evaluatedBy }: AlertEvent) =>
  [alert, state, source, evaluatedBy].join(' ');

test('a real metrics store is asked, a real ruler and a real Alertmanager are believed', async (t) => {
  const [ruler, alertmanager, victoria] = await Promise.all([
    ...[startRuler(t), startAlertmanager(t), startVictoriaMetrics(t)],
  ]);
  assert.ok(ruler && alertmanager && victoria);
  const { register, list, look } = await serveAlerts(t, [
    { alert: 'ItselfUp', expr: 'up == 0' },
    { alert: 'Uptime', expr: 'prometheus_build_info', annotations: { summary: '{{ $value }}' } },
    { alert: 'Broken', expr: 'sum(' },
  ]);
  await register({ ...metric, id: 'prom', kind: 'prometheus', endpoint: ruler.url });
  await register({ ...metric, id: 'am', kind: 'alertmanager', endpoint: alertmanager.url });
  const firing = async () =>
    (await (await fetch(`${ruler.url}/api/v1/alerts`)).text()).includes('"state":"firing"');
  while (!(await firing())) await sleep(100);
  const startsAt = new Date(Date.now() - 60_000).toISOString();
  const posted = await fetch(`${alertmanager.url}/api/v2/alerts`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify([
      { labels: { alertname: 'DiskFull', severity: 'critical', disk: 'a' }, startsAt },
    ]),
  });
  assert.equal(posted.status, 200);
  await look();
  const events = await list();
  assert.deepEqual(events.map(facts), [
    'DiskFull firing alertmanager am',
    'Uptime firing rule prom',
    'ItselfUp firing rule prom',
    'OnlyTheirs pending rule prom',
    'Broken unknown rule ',
  ]);
  assert.equal(events[0]?.firedAt, startsAt);
  assert.equal(events[1]?.summary, '1');
  assert.match(events[4]?.reason ?? '', /prom: .*parse error/);

  await alertmanager.kill();
  await look();
  const [still] = await list('?alert=DiskFull');
  assert.deepEqual([still?.state, still?.reason], ['firing', 'it does not answer']);
});

test('VictoriaMetrics is asked too', async (t) => {
  const victoria = await startVictoriaMetrics(t);
  const body = `queue{pod="x"} 9 ${Date.now() - 5000}`;
  await fetch(`${victoria.url}/api/v1/import/prometheus`, { method: 'POST', body });
  const query = `${victoria.url}/api/v1/query?query=queue`;
  while (!(await (await fetch(query)).text()).includes('"x"')) await sleep(100);
  const { register, list, look } = await serveAlerts(t, [{ alert: 'Queue', expr: 'queue > 5' }]);
  await register({ ...metric, id: 'vm', kind: 'victoriametrics', endpoint: victoria.url });
  await look();
  const [event] = await list('?state=firing');
  assert.deepEqual(
    [event?.alert, event?.labels, event?.evaluatedBy],
    ['Queue', { pod: 'x' }, 'vm'],
  );
});
