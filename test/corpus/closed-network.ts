import dns from 'node:dns';
import net from 'node:net';

/** Let every attempt to open a socket or to resolve a name fail, and count them. */
export function closeNetwork(): { readonly attempts: string[]; reopen(): void } {
  const attempts: string[] = [];
  const { connect } = net.Socket.prototype;
  const { lookup } = dns;
  const { lookup: lookUpPromised } = dns.promises;
  const refuse = (what: string) => () => {
    attempts.push(what);
    throw new Error(`${what}: there is no network in this test`);
  };
  net.Socket.prototype.connect = refuse('connect') as typeof connect;
  dns.lookup = refuse('lookup') as unknown as typeof lookup;
  dns.promises.lookup = refuse('lookup') as unknown as typeof lookUpPromised;
  return {
    attempts,
    reopen() {
      net.Socket.prototype.connect = connect;
      dns.lookup = lookup;
      dns.promises.lookup = lookUpPromised;
    },
  };
}
