const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i

/** Whether the text can be an id at all: one that cannot is as unknown as any other, and costs no query. */
export function isUuid(text: string): boolean {
  return UUID.test(text)
}
