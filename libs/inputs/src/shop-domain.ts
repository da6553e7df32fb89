const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/

/** How many merchants may say that a shop is theirs: a hook of it is tried by the secrets of all. */
export const MAX_SHOP_CLAIMS = 8

/** By which name the hooks of one of them are counted. */
export const shopClaim = (domain: string, number: number): string => `${domain}#${number}`

/** The domain of a shop in its one spelling, without scheme, port and trailing dot; null for what is none. */
export function shopDomain(text: string): string | null {
  if (text.length > 300) return null
  const domain = text
    .trim()
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/\/$/, '')
    .replace(/:\d+$/, '')
    .replace(/\.$/, '')
  return DOMAIN.test(domain) ? domain : null
}
