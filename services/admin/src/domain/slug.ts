const MAX_LENGTH = 48

/** A name as a piece of an URL: `Mama Put & Co.` becomes `mama-put-co`; a name without a Latin letter becomes `merchant`. */
export function slugOf(name: string): string {
  const slug = name
    .normalize('NFKD')
    .toLowerCase()
    .replace(/\p{M}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_LENGTH)
    .replace(/^-+|-+$/g, '')
  return slug || 'merchant'
}
