import type { IncomingMessage, ServerResponse } from 'node:http'
import { type FieldFault, ServiceError } from '@svc/errors'
import type { Shape } from './route.ts'

/** How many names are told of, and how much of each: a header must stay one that proxies pass. */
const MAX_NAMES = 5
const MAX_NAME_LENGTH = 64
/** RFC 7240; of a preference that comes twice the first counts. */
const HANDLING = /(?:^|,)\s*handling\s*=\s*"?([^\s",;]+)/i

/**
 * Query parameters; of a repeated one the last counts. Names that the route does not know are left out and told in
 * X-Ignored-Query; who sends `Prefer: handling=strict` is refused instead.
 */
export function readQuery(
  { url = '', headers }: IncomingMessage,
  response: ServerResponse,
  known: Shape,
): Record<string, string> {
  const prefer = headers['prefer']
  const isStrict = prefer !== undefined && HANDLING.exec(String(prefer))?.[1]?.toLowerCase() === 'strict'
  if (isStrict) response.setHeader('Preference-Applied', 'handling=strict')
  const start = url.indexOf('?')
  if (start === -1) return {}
  const query: Record<string, string> = Object.create(null)
  let ignored: Set<string> | undefined
  for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
    if (value.includes('\0')) {
      throw new ServiceError('validation_error', { details: { field: name, rule: 'nul_character' } })
    }
    if (Object.hasOwn(known, name)) query[name] = value
    else ignored = (ignored ?? new Set()).add(name)
  }
  if (!ignored) return query
  const names = [...ignored].slice(0, MAX_NAMES).map(cut)
  if (isStrict) throw unknownParameters(names, Object.keys(known))
  response.setHeader('X-Ignored-Query', names.map(encodeURIComponent).join(', '))
  return query
}

// No half of a surrogate pair, which could not be encoded.
const cut = (name: string): string => name.slice(0, MAX_NAME_LENGTH).toWellFormed()

function unknownParameters(names: readonly string[], allowed: readonly string[]): ServiceError {
  const faults = names.map((field): FieldFault => {
    const message = `${field} is not a query parameter of this request.`
    return { field, rule: 'unknown_parameter', message, allowed }
  })
  const [{ message, ...first }] = faults as [FieldFault]
  return new ServiceError('unknown_parameter', { message, details: { ...first, fields: faults } })
}
