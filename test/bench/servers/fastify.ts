import Fastify from 'fastify';
import { Pool } from 'undici';
import { benchTools, callResult } from '../bench-tools.ts';
import { announce } from './announce.ts';

/** The floor that everything is measured against: bare Fastify routes with the same answers. */
const server = Fastify();
const list = { jsonrpc: '2.0', id: 1, result: { tools: benchTools(100), resultType: 'complete' } };

server.post<{ Body: { id: number; params: { arguments: { text: string } } } }>(
  '/call',
  (request) => ({
    jsonrpc: '2.0',
    id: request.body.id,
    result: callResult(request.body.params.arguments.text),
  }),
);

server.post('/list', () => list);

const upstream = process.env['UPSTREAM_URL'];
if (upstream) {
  const pool = new Pool(upstream, { connections: 64 });
  server.post<{ Body: { params: { arguments: { id: string } } } }>('/proxy', async (request) => {
    const path = `/items/${encodeURIComponent(request.body.params.arguments.id)}`;
    const answer = await pool.request({ method: 'GET', path });
    return answer.body.json();
  });
}

announce(await server.listen({ port: 0, host: '127.0.0.1' }));
