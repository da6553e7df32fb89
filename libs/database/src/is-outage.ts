/**
 * SQLSTATEs that say nothing about what was asked: connection, resources, operator intervention; a lock, a deadlock, a
 * serialization failure, a transaction that idled too long (a frozen replica's, or our own), a database that only reads.
 */
const OUTAGE_STATE = /^(08|53|57P|55P03|40P01|40001|25P03|25006)/
const QUERY_CANCELED = '57014'
const OUTAGE_TEXT =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/
const SOCKET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'])

/**
 * True when the service's own database is not there, or other transactions are in the way there: nothing that was asked
 * is at fault, and waiting is all that helps.
 */
export const isOutage = (error: unknown): boolean => causes(error).some(tellsOutage)

/** True when a statement took too long: the database may be busy, or too much was asked of it. */
export const isTimeout = (error: unknown): boolean => causes(error).some(({ code }) => code === QUERY_CANCELED)

interface Failure extends Error {
  code?: unknown
  syscall?: unknown
}

function tellsOutage({ code, syscall, message }: Failure): boolean {
  if (typeof code === 'string' && OUTAGE_STATE.test(code)) return true
  if (typeof code === 'string' && SOCKET_CODES.has(code) && syscall !== undefined) return true
  return OUTAGE_TEXT.test(message)
}

/** The error, and what caused it: use cases wrap what the database says. */
function causes(error: unknown): Failure[] {
  const found: Failure[] = []
  for (let at = error; at instanceof Error && !found.includes(at); at = at.cause) found.push(at)
  return found
}
