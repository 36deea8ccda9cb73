/** Whether a server is of this version or a later one; where it says nothing, it is none of them. */
export function isAtLeast(version: string | undefined, major: number, minor: number): boolean {
  const [foundMajor = 0, foundMinor = 0] = (version ?? '').split('.').map(Number);
  return foundMajor > major || (foundMajor === major && foundMinor >= minor);
}
