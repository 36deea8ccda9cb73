const longestList = 600;

/** As many names as a model should read before it has a question. */
export function shortList(names: readonly string[]): string {
  let text = '';
  for (const [index, name] of names.entries()) {
    if (text.length + name.length > longestList) return `${text} and ${names.length - index} more`;
    text += index === 0 ? name : `, ${name}`;
  }
  return text;
}
