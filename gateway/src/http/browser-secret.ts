import type { Config } from '../config.ts'

/** What a browser keeps of a log-in that it has begun, under a name for each kind of log-in. */
export interface BrowserSecret {
  set(secret: string, maxAgeSeconds: number): ReplyHeader
  clear(): ReplyHeader
  /** Empty where the browser keeps none, or two: who could plant one could plant another. */
  read(cookies: string | undefined): string
}

type ReplyHeader = { 'Set-Cookie': string }

/**
 * A cookie that no script reads, no other site sends along but by a link, and no neighbouring host writes. Where this server is
 * known by http alone, as in a local run, browsers keep no such cookie, and it is a plain one.
 */
export function browserSecret(
  name: string,
  { publicBaseUrl = 'https:' }: Pick<Config, 'publicBaseUrl'>,
): BrowserSecret {
  const isPlain = publicBaseUrl.startsWith('http:')
  const cookie = isPlain ? name : `__Host-${name}`
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isPlain ? '' : '; Secure'}`
  return {
    set: (secret, maxAgeSeconds) => ({ 'Set-Cookie': `${cookie}=${secret}; Max-Age=${maxAgeSeconds}; ${attributes}` }),
    clear: () => ({ 'Set-Cookie': `${cookie}=; Max-Age=0; ${attributes}` }),
    read(cookies = '') {
      const kept = cookies
        .split(';')
        .map((pair) => pair.trim())
        .filter((pair) => pair.startsWith(`${cookie}=`))
        .map((pair) => pair.slice(cookie.length + 1))
      return kept.length === 1 ? (kept[0] as string) : ''
    },
  }
}
