/** The page on which somebody signs in before they see the page at `path`. */
export function signInPath(path: string): string {
  return `/sign-in?return_to=${encodeURIComponent(path)}`;
}
