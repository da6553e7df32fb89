import { endOfString } from './end-of-string.ts'

const [QUOTE, BRACKET, BRACE] = [34, 91, 123]

/**
 * How many arrays and objects a JSON text begins; of more than `most` it says no more than that. One pass that makes
 * nothing: parsing a text of brackets takes ten times as long as parsing one of text.
 */
export function countContainers(text: string, most: number): number {
  let found = 0
  for (let at = 0; at < text.length && found <= most; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) at = endOfString(text, at)
    else if (code === BRACKET || code === BRACE) found++
  }
  return found
}
