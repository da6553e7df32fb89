/** How many characters (code points) a text has. */
export function characterCount(text: string): number {
  return Array.from(text).length
}
