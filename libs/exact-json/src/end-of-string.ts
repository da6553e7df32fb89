const BACKSLASH = 92

/** Where the string ends whose opening quote stands at `start`: at its closing quote, or where the text ends. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let first = end
    while (text.charCodeAt(first - 1) === BACKSLASH) first--
    if ((end - first) % 2 === 0) return end
  }
  return text.length
}
