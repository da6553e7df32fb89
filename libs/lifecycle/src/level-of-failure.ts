/** What passes by itself has passed by then: a peer that starts, a database that was switched over. */
const FOR_LONG_MS = 30_000

/** How a failure in a row is logged: the first as a warning, an error once it has gone on for long, in between as detail. */
export function levelOfFailure(failures: number, failingForMs: number): 'warn' | 'debug' | 'error' {
  if (failingForMs >= FOR_LONG_MS) return 'error'
  return failures === 1 ? 'warn' : 'debug'
}
