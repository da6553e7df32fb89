const MIB = 1024 * 1024

/** Requests are small; a list reply may be large. */
export const MAX_REQUEST_BYTES = 4 * MIB
export const MAX_RESPONSE_BYTES = 32 * MIB
