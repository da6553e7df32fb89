/**
 * Says of every number of a document how wide it is: `double`, and `int64` of whole ones that no bound keeps within 32 bits.
 * Generators of clients take what has no format for 32 bits wide: sums of money do not fit, and points are metres off.
 */
export function formatNumbers(value: unknown): void {
  if (typeof value !== 'object' || value === null) return
  const format = formatOf(value)
  if (format) Object.assign(value, { format })
  for (const [name, inner] of Object.entries(value)) if (name !== 'example' && name !== 'examples') formatNumbers(inner)
}

interface Bounded {
  type?: unknown
  minimum?: unknown
  maximum?: unknown
}

function formatOf({ type, minimum, maximum }: Bounded): string | undefined {
  const types = [type].flat().filter((one) => one !== 'null')
  if (types.length !== 1) return undefined
  if (types[0] === 'number') return 'double'
  if (types[0] !== 'integer') return undefined
  const isNarrow = Number(minimum ?? Number.NaN) >= -(2 ** 31) && Number(maximum ?? Number.NaN) < 2 ** 31
  return isNarrow ? undefined : 'int64'
}
