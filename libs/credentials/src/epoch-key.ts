/**
 * What a token or key stands on. `key` takes the 12 characters inside an API key, `user`, `rider` and `operator` a uuid,
 * `session` the id of a refresh family,
 * `grant` the ids of the merchant that gave it and of the one that has it, with a colon between.
 */
export type Credential =
  | `key:${string}`
  | `user:${string}`
  | `rider:${string}`
  | `operator:${string}`
  | `session:${string}`
  | `grant:${string}`

/** Where Redis keeps the epoch of a credential (the process's key prefix comes before it). */
export function epochKey(credential: Credential): string {
  return `epoch:${credential}`
}
