/**
 * What a token or key stands on. `key` takes the 12 characters inside an API key, `user`, `rider` and `operator` a uuid,
 * `session` the id of a refresh family.
 */
export type Credential =
  | `key:${string}`
  | `user:${string}`
  | `rider:${string}`
  | `operator:${string}`
  | `session:${string}`

/** Where Redis keeps the epoch of a credential (the process's key prefix comes before it). */
export function epochKey(credential: Credential): string {
  return `epoch:${credential}`
}
