/** Strings (E'…' knows backslashes), dollar quotes, comments and numbers; one that never ends is cut off with the text. */
const LITERALS =
  /"[^"]*"|\bE'(?:[^'\\]|\\[^]|'')*(?:'|\\?$)|'(?:[^']|'')*(?:'|$)|\$([A-Za-z_]\w*|)\$[^]*?(?:\$\1\$|$)|--.*|\/\*[^]*?(?:\*\/|$)|(?<![\w$])\d[\w.]*/gi

/** A statement as it is without the values that stand in it; names in quotes and parameters such as $1 stay. */
export const withoutLiterals = (sql: string): string =>
  sql.replace(LITERALS, (found) => (found.startsWith('"') ? found : '?'))
