import { type ApiOperation, listOf } from '../../model/schema/api-operations.ts';
import { unsupportedFeatures } from '../../model/vendor/unsupported-features.ts';
import type { ApiDocument } from '../../read/document/api-document.ts';
import { demandsOf, guessAuth, hasNothing, readSchemes } from '../guess/guess-auth.ts';
import { guessServer, usableServer } from '../guess/guess-server.ts';

/** What of a description its operations are held against. */
interface Described {
  readonly id: string;
  readonly document: ApiDocument;
  readonly origin: string | undefined;
}

/**
 * Find why requests of an operation would be wrong as they are drafted: what it demands and no tool
 * sends, a credential that no text can carry, a server of its own.
 */
export function obstacles({
  id,
  document,
  origin,
}: Described): (operation: ApiOperation) => string | undefined {
  const schemes = readSchemes(document, id);
  const { schemes: sent = [] } = guessAuth(document, id);
  const { url: usual } = guessServer(document, id, origin);
  const isNamed = (document.root.servers ?? []).length > 0;
  const unsent = ({ node }: ApiOperation) => {
    const security = node['security'] ?? document.root.security;
    const isFree = hasNothing(security);
    const demands = demandsOf(security);
    if (sent.length === 0 || isFree || demands.length === 0) return undefined;
    // An entry of its own carries one scheme; several together are the usual credential or none.
    const isPossible = demands.some(
      ([name = '', ...others]) => others.length === 0 && schemes.has(name),
    );
    if (isPossible || demands.some((set) => set.some((name) => sent.includes(name))))
      return undefined;
    return `it takes ${demands.map((set) => set.join(' and ')).join(' or ')}, which tools cannot send`;
  };
  const elsewhere = ({ node, pathItem }: ApiOperation) => {
    const places = [node, pathItem.node].map((place) => listOf(place['servers']));
    const own = places.find((servers) => servers.length > 0) ?? [];
    const urls = own.flatMap((server) => usableServer(server, origin ?? `${usual}/`)?.url ?? []);
    const [first] = urls;
    if (!isNamed || first === undefined || urls.includes(usual)) return undefined;
    return `its server is ${first}: give that an id in servers, and name it in from.server`;
  };
  return (operation) => {
    const [feature] = unsupportedFeatures(document, operation).filter(({ prevents }) => prevents);
    return feature?.message ?? unsent(operation) ?? elsewhere(operation);
  };
}
