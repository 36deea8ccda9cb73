/** A number with its noun: `1 tool`, `2 tools`. */
export function counted(number: number, noun: string, nouns = `${noun}s`): string {
  return `${number} ${number === 1 ? noun : nouns}`;
}
