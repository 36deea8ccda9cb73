import type { Route } from '#contract/surface/route';
import type { BoundRoute } from '#contract/surface/surface';

/** What a path takes that is served, though not with every method. */
export interface KnownPath {
  /** The methods, as the header Allow lists them. */
  readonly allow: string;
  /** How errors are told there. */
  readonly errors: Route['errors'];
}

/** Make what says how a path is served; nothing where no route has it. */
export function pathFinder(routes: readonly BoundRoute[]): (path: string) => KnownPath | undefined {
  const known = routes.map(({ route }) => ({ route, pattern: patternOf(route) }));
  return (path) => {
    const plain = decodeURI(path);
    const found = known.flatMap(({ route, pattern }) => (pattern.test(plain) ? [route] : []));
    if (found.length === 0) return undefined;
    const methods = found.flatMap(({ method }) => (method === 'GET' ? [method, 'HEAD'] : [method]));
    const [first, ...others] = found.map(({ errors }) => errors);
    return {
      allow: [...new Set([...methods, 'OPTIONS'])].join(', '),
      errors: others.every((each) => each === first) ? first : undefined,
    };
  };
}

/** Make what says whether a path is answered also when there is more to do than can be done. */
export function vitalPaths(routes: readonly BoundRoute[]): (path: string) => boolean {
  const vital = new Set(routes.flatMap(({ route }) => (route.isVital ? [route.path] : [])));
  return (path) => vital.has(path);
}

/** Matches the paths of one route; no parameter of a path is ever empty. */
function patternOf({ path, parameters = [] }: Route): RegExp {
  const rest = new Set(parameters.flatMap(({ name, rest }) => (rest ? [name] : [])));
  const pattern = path.replaceAll(/\{(\w+)\}|[^{}]+/g, (text: string, name: string | undefined) => {
    if (name === undefined) return RegExp.escape(text);
    return rest.has(name) ? '.+' : '[^/]+';
  });
  return new RegExp(`^${pattern}$`, 's');
}
