import { randomUUID } from 'node:crypto'
import { type Permission, signToken } from '@svc/credentials'
import type { Context } from '../context.ts'

export interface AdminToken {
  accessToken: string
  expiresInSeconds: number
  permissions: readonly Permission[]
}

interface Bearer {
  /** The operator's id, or `static`. */
  id: string
  permissions: readonly Permission[]
  epoch: number
  auth: 'static' | 'rbac' | 'oidc'
}

/** A token for an operator; it cannot be refreshed. */
export async function adminToken(ctx: Context, { id, permissions, epoch, auth }: Bearer): Promise<AdminToken> {
  const expiresInSeconds = ctx.config.adminTokenTtlSeconds
  const iat = Math.floor(Date.now() / 1000)
  const accessToken = await signToken(
    'admin',
    {
      sub: id,
      permissions: [...permissions],
      role: 'admin',
      credential: `operator:${id}`,
      ep: epoch,
      auth,
      jti: randomUUID(),
      iat,
      exp: iat + expiresInSeconds,
    },
    ctx.signingKeys.current,
  )
  return { accessToken, expiresInSeconds, permissions }
}
