/**
 * For how long a call is left to the worker that makes it: what a killed process left is taken up within half a minute. A
 * call to a slow provider may last longer than that; then two are at it, and the stamps of what was sent keep them apart.
 */
export const CALL_LEASE_SECONDS = 25
