const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\],:]/g;

/** Whether any object in a text, which is JSON, has two members of one name. */
export function saysTwice(json: string): boolean {
  /** The names of each object that is open, and nothing for each list. */
  const open: (Set<string> | undefined)[] = [];
  let text = '';
  for (const [token] of json.matchAll(tokens)) {
    if (token === '{') open.push(new Set());
    else if (token === '[') open.push(undefined);
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') {
      // Letters can be escaped: the names as they are read.
      const name = String(JSON.parse(text));
      const names = open.at(-1);
      if (names?.has(name)) return true;
      names?.add(name);
    } else text = token;
  }
  return false;
}
