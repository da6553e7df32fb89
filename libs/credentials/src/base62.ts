export const BASE62_DIGITS = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** Writes a whole number >= 0 in base 62, left-padded with `0` to the width. */
export function base62(value: number, width: number): string {
  let text = ''
  for (let rest = value; rest > 0; rest = Math.floor(rest / 62)) text = BASE62_DIGITS.charAt(rest % 62) + text
  return text.padStart(width, '0')
}
