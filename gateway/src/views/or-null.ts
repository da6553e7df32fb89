/** Turns what a message leaves out into the null that the public contract promises. */
export const orNull = <T>(value: T | undefined): T | null => value ?? null

/** The message inside a reply. Without it the service broke its contract, which is a fault of ours. */
export function present<T>(message: T | undefined): T {
  if (message === undefined) throw new Error('a reply came without its message')
  return message
}
