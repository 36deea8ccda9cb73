import { randomUUID } from 'node:crypto';
import Fastify from 'fastify';
import { generateKeyPair, importJWK, jwtVerify, SignJWT } from 'jose';
import { announce } from '../../servers/announce.ts';

/** The least that an exchange over HTTP could do: verify what comes, sign what goes, keep nothing. */
const server = Fastify();
const trusted = await importJWK(JSON.parse(process.env['TRUSTED_KEY'] ?? ''), 'ES256');
const { privateKey } = await generateKeyPair('ES256');
const resource = 'https://tools.example.com/mcp';

server.addContentTypeParser(
  'application/x-www-form-urlencoded',
  { parseAs: 'string' },
  (_request, text, done) => done(null, Object.fromEntries(new URLSearchParams(String(text)))),
);

server.post<{ Body: Readonly<Record<string, string>> }>('/token', async (request) => {
  const { payload } = await jwtVerify(request.body['assertion'] ?? '', trusted, {
    algorithms: ['ES256'],
  });
  const now = Math.floor(Date.now() / 1000);
  const told = {
    iss: payload.iss ?? '',
    aud: resource,
    sub: payload.sub ?? '',
    scope: 'mcp.tools',
  };
  const token = await new SignJWT({ ...told, jti: randomUUID(), iat: now, exp: now + 3600 })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt' })
    .sign(privateKey);
  return { access_token: token, token_type: 'Bearer', expires_in: 3600, scope: 'mcp.tools' };
});

announce(await server.listen({ port: 0, host: '127.0.0.1' }));
