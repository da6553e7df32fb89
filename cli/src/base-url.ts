import { EXIT, Failure } from './failure.ts'

export const LOCAL = 'http://127.0.0.1:8080'

/** The address where it is: https, or on this machine. A key must not travel in the clear. */
export function safeBaseUrl(url: string): string {
  if (!/^https:\/\/|^http:\/\/(127\.0\.0\.1|localhost)(:|\/|$)/.test(url))
    throw new Failure(
      `${url}: where the API is begins with https://, or is on this machine: a key must not travel in the clear.`,
      EXIT.usage,
    )
  return url
}
