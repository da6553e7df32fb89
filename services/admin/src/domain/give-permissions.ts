import { ServiceError } from '@svc/errors'

/** Who calls, as far as it says what may be given; a command of ours may give everything. */
interface Giver {
  kind: string
  permissions?: readonly string[]
}

/** Throws forbidden, naming what is missing, unless the operator holds all that it gives or takes away. */
export function assertMayGive({ kind, permissions = [] }: Giver, given: readonly string[]): void {
  if (kind === 'system') return
  const missing = new Set(given.filter((permission) => !permissions.includes(permission)))
  if (missing.size > 0) throw new ServiceError('forbidden', { details: { required: [...missing] } })
}
