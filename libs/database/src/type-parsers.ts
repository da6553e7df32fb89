import pg from 'pg'

const INT8 = 20
const INT8_ARRAY = 1016

function safeInteger(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`bigint ${text} is beyond 2^53-1`)
  return value
}

/** How result columns arrive: bigint as a number (throws beyond 2^53-1), timestamptz as a Date. */
export function typeParsers(): pg.CustomTypesConfig {
  const overrides = new pg.TypeOverrides()
  overrides.setTypeParser(INT8, safeInteger)
  overrides.setTypeParser(INT8_ARRAY, (text: string) =>
    text === '{}'
      ? []
      : text
          .slice(1, -1)
          .split(',')
          .map((item) => (item === 'NULL' ? null : safeInteger(item))),
  )
  return overrides
}
