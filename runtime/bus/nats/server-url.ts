const protocols = ['nats:', 'tls:'];

/**
 * Read the addresses of the servers of one cluster.
 *
 * @throws TypeError that says what was expected, without repeating what may be a password
 */
export function parseServers(text: string): readonly [URL, ...URL[]] {
  const [first = '', ...more] = text.split(',');
  const servers = [parse(first), ...more.map(parse)] as const;
  const isOther = ({ username, password }: URL) =>
    username !== '' && (username !== servers[0].username || password !== servers[0].password);
  if (servers.some(isOther)) throw new TypeError('the same user and password for all servers');
  return [...servers] as [URL, ...URL[]];
}

function parse(text: string): URL {
  const url = URL.parse(text.trim());
  if (url !== null && protocols.includes(url.protocol) && url.hostname !== '') {
    if (['', '/'].includes(url.pathname) && url.search === '' && url.hash === '') return url;
  }
  throw new TypeError('nats://HOST:PORT or tls://HOST:PORT, several with commas between them');
}
