import { validationError } from '@svc/errors'

const MAX_LENGTH = 2048
const LOCAL_HOSTS = ['localhost', '127.0.0.1']

/**
 * Where a payer's browser is sent afterwards: an https URL without credentials; where `allowsLocal`, also http on this
 * machine. Throws for any other.
 */
export function requireCallbackUrl(
  url: string | undefined,
  { allowsLocal }: { allowsLocal: boolean },
): string | undefined {
  if (url === undefined) return undefined
  const parsed = url.length <= MAX_LENGTH && /^[\x21-\x7e]+$/.test(url) ? URL.parse(url) : null
  const isAllowed = parsed?.protocol === 'https:' || (allowsLocal && isLocal(parsed))
  if (parsed && isAllowed && parsed.username === '' && parsed.password === '') return url
  const message = `callback_url must be an https URL of at most ${MAX_LENGTH} characters, without credentials.`
  throw validationError([{ field: 'callback_url', rule: 'url', limit: MAX_LENGTH, message }])
}

const isLocal = (url: URL | null): boolean => url?.protocol === 'http:' && LOCAL_HOSTS.includes(url.hostname)
