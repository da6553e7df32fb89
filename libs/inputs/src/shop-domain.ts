const DOMAIN = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)+$/

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
