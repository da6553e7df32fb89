/** Every scope that a merchant's credential can carry. All of them are assignable to a key. */
export const SCOPES = ['orders:read', 'orders:write', 'keys:manage', 'webhooks:manage', 'riders:location'] as const

export type MerchantScope = (typeof SCOPES)[number]

/** Whether the text names a scope. */
export function isScope(text: string): text is MerchantScope {
  return (SCOPES as readonly string[]).includes(text)
}
