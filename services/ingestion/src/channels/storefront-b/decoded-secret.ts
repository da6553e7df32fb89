const CHARACTERS: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' }

/** Of numbered ones these alone; zeros before the number count for nothing. */
const ENTITY = /&(?:(amp|lt|gt|quot)|#0*(38|60|62|34|39)|#x0*(26|3c|3e|22|27));/gi

/** The key of a secret: the storefront decodes the entities that stand in it, once, before it signs. */
export const decodedSecret = (secret: string): string =>
  secret.replaceAll(ENTITY, (entity, name?: string, decimal?: string, hex?: string) => {
    if (name !== undefined) return CHARACTERS[name] ?? entity
    return String.fromCodePoint(decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal))
  })
