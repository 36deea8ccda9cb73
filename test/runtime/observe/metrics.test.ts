import assert from 'node:assert/strict';
import test from 'node:test';
import { createMetrics } from '../../../runtime/observe/metrics.ts';

const openMetricsAccept =
  'application/openmetrics-text;version=1.0.0;q=0.5,text/plain;version=0.0.4;q=0.3';

function linesOf(text: string, name: string): readonly string[] {
  return text.split('\n').filter((line) => line.startsWith(name));
}

test('text/plain 0.0.4 is the format unless Accept names OpenMetrics (observability 14.2)', async () => {
  const metrics = createMetrics();
  const plain = await metrics.expose('*/*');
  assert.equal(plain.contentType, 'text/plain; version=0.0.4; charset=utf-8');
  assert.doesNotMatch(plain.text, /# EOF/);
  const open = await metrics.expose(openMetricsAccept);
  assert.equal(open.contentType, 'application/openmetrics-text; version=1.0.0; charset=utf-8');
  assert.match(open.text, /\n# EOF\n$/);
});

test('an OpenMetrics scrape does not rename the counters of the plain format', async () => {
  const metrics = createMetrics();
  await metrics.expose(openMetricsAccept);
  const { text } = await metrics.expose('text/plain');
  assert.match(text, /^# TYPE process_cpu_user_seconds_total counter$/m);
});

test('both formats carry the runtime metrics of Node and the same observations', async () => {
  const metrics = createMetrics();
  metrics.httpRoute('GET', '/healthz')(200, 0.003);
  for (const accept of ['', openMetricsAccept]) {
    const { text } = await metrics.expose(accept);
    assert.match(text, /^nodejs_eventloop_lag_seconds /m);
    assert.match(text, /^# TYPE nodejs_active_resources gauge$/m);
    // promtool takes no gauge that is named like a counter.
    assert.doesNotMatch(text, /^# TYPE \w+_total gauge$/m);
    assert.equal(linesOf(text, 'http_server_request_duration_seconds_count').length, 1);
  }
});

test('a request is counted by method, route and status, with an error type from 500 on', async () => {
  const metrics = createMetrics();
  const observe = metrics.httpRoute('GET', '/readyz');
  observe(200, 0.001);
  observe(200, 0.002);
  observe(503, 0.002, '1.0');
  const { text } = await metrics.expose('');
  assert.deepEqual(linesOf(text, 'http_server_request_duration_seconds_count'), [
    'http_server_request_duration_seconds_count{http_request_method="GET",http_route="/readyz",http_response_status_code="200",url_scheme="http",error_type="",network_protocol_version="1.1"} 2',
    'http_server_request_duration_seconds_count{http_request_method="GET",http_route="/readyz",http_response_status_code="503",url_scheme="http",error_type="503",network_protocol_version="1.0"} 1',
  ]);
  assert.match(text, /http_server_request_duration_seconds_bucket\{le="0\.005",[^}]*"200"/);
});

test('an MCP call is counted by method, tool, protocol version and error', async () => {
  const metrics = createMetrics();
  metrics.mcpOperation('tools/call', 'osv_vuln_get')('2026-07-28', 0.3, 'tool_error');
  metrics.mcpOperation('tools/list')('2025-06-18', 0.001);
  const { text } = await metrics.expose('');
  assert.deepEqual(linesOf(text, 'mcp_server_operation_duration_seconds_count'), [
    'mcp_server_operation_duration_seconds_count{mcp_method_name="tools/call",gen_ai_tool_name="osv_vuln_get",error_type="tool_error",network_transport="tcp",mcp_protocol_version="2026-07-28"} 1',
    'mcp_server_operation_duration_seconds_count{mcp_method_name="tools/list",gen_ai_tool_name="",error_type="",network_transport="tcp",mcp_protocol_version="2025-06-18"} 1',
  ]);
  assert.match(text, /mcp_server_operation_duration_seconds_bucket\{le="300",/);
});

test('the end of a task is counted by tool and status, with the time since it was made', async () => {
  const metrics = createMetrics();
  metrics.mcpTask('acme_export', 'completed', 12);
  metrics.mcpTask('acme_export', 'cancelled', 1);
  const { text } = await metrics.expose('');
  const lines = linesOf(text, 'mcp_server_task_duration_seconds_sum');
  assert.deepEqual(lines, [
    'mcp_server_task_duration_seconds_sum{gen_ai_tool_name="acme_export",mcp_task_status="completed"} 12',
    'mcp_server_task_duration_seconds_sum{gen_ai_tool_name="acme_export",mcp_task_status="cancelled"} 1',
  ]);
});

test('numbers of surfaces are in both formats, whether they came before the first look or after it', async () => {
  const metrics = createMetrics();
  const count = metrics.counter({ name: 'notes_sent_total', help: 'Notes that were sent.' });
  metrics.gauge({ name: 'notes_waiting', help: 'Notes that wait.', read: async () => 3 });
  count();
  count(4);
  for (const accept of [openMetricsAccept, '', openMetricsAccept]) {
    const { text } = await metrics.expose(accept);
    const type = accept === '' ? 'notes_sent_total' : 'notes_sent';
    assert.deepEqual(linesOf(text, `# TYPE ${type} `), [`# TYPE ${type} counter`]);
    assert.deepEqual(linesOf(text, 'notes_'), ['notes_sent_total 5', 'notes_waiting 3']);
  }
  metrics.gauge({
    ...{ name: 'notes_lost', help: 'Of a store that fails.' },
    read: () => Promise.reject(new Error('the store is away')),
  });
  metrics.gauge({ name: 'notes_late', help: 'Added late.', read: () => 1 });
  assert.match((await metrics.expose('')).text, /^notes_late 1$/m);
});

test('several numbers of one name are told apart by their labels', async () => {
  const metrics = createMetrics();
  const count = metrics.counters({ name: 'letters_total', help: 'Letters, by kind.' });
  assert.deepEqual(linesOf((await metrics.expose('')).text, 'letters_total'), []);
  count({ kind: 'air' });
  count({ kind: 'land' }, 2);
  count({ kind: 'air' }, 0.5);
  metrics.gauge({
    ...{ name: 'letters_waiting', help: 'Letters that wait, by kind.' },
    read: () => [{ labels: { kind: 'air' }, value: 7 }],
  });
  for (const accept of [openMetricsAccept, '']) {
    assert.deepEqual(linesOf((await metrics.expose(accept)).text, 'letters_'), [
      'letters_total{kind="air"} 1.5',
      'letters_total{kind="land"} 2',
      'letters_waiting{kind="air"} 7',
    ]);
  }
  assert.throws(() => count({ kind: 'air' }, -1), RangeError);
});

test('a name of a metric is given once, and a counter never shrinks', () => {
  const metrics = createMetrics();
  const count = metrics.counter({ name: 'notes_total', help: 'Notes.' });
  for (const name of ['notes_total', 'process_cpu_seconds_total', 'nodejs_version_info']) {
    assert.throws(() => metrics.counter({ name, help: 'Taken.' }), /is there already/);
    assert.throws(() => metrics.gauge({ name, help: 'Taken.', read: () => 1 }), /is there already/);
  }
  assert.throws(() => metrics.counter({ name: 'two words', help: 'None.' }), /no name of a metric/);
  assert.throws(() => count(-1), RangeError);
  assert.throws(() => count(Number.NaN), RangeError);
});
