export const MAX_LABEL = 200

/** Whether a text can name something: 1 to 200 characters, none of them a control character, not only blanks. */
export const isLabel = (text: string): boolean =>
  text.trim() !== '' && Array.from(text).length <= MAX_LABEL && !/\p{Cc}/u.test(text)
