/** SQLSTATE classes: connection, resources, operator intervention. */
const OUTAGE_STATE = /^(08|53|57P)/
const OUTAGE_TEXT =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/
const SOCKET_CODES = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND'])

/** True when the service's own database is not there: nobody's fact is at fault, waiting is all that helps. */
export function isOutage(error: unknown): boolean {
  if (!(error instanceof Error)) return false
  const { code, syscall } = error as { code?: unknown; syscall?: unknown }
  if (typeof code === 'string' && OUTAGE_STATE.test(code)) return true
  if (typeof code === 'string' && SOCKET_CODES.has(code) && syscall !== undefined) return true
  return OUTAGE_TEXT.test(error.message)
}
