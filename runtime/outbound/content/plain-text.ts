/** What is left of HTML without its tags: all that can be had of HTML that resists a parser. */
export function withoutTags(html: string): string {
  return html
    .replace(/<[^<>]*>/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}
