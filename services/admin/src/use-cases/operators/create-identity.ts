import { randomUUID } from 'node:crypto'
import { UniqueConstraintViolationException } from '@mikro-orm/core'
import { PERMISSIONS } from '@svc/credentials'
import { ServiceError } from '@svc/errors'
import type { By } from '@svc/grpc'
import { auditOf } from '@svc/transact'
import type { Context } from '../../context.ts'
import { keepMaker } from '../../db/operator-makers.ts'
import { lockPermitting } from '../../db/operators.ts'
import { normalizedEmail } from '../../domain/email.ts'
import { assertMayGive } from '../../domain/give-permissions.ts'
import { Operator, type Role } from '../../domain/operator.ts'
import { assertPassword } from '../../domain/password-policy.ts'

interface CreateIdentity {
  email: string
  password: string
  /** Absent: an operator who may do nothing yet. */
  role?: Role | undefined
}

/** Makes an operator, who may do nothing that the caller may not; an e-mail address is one operator at most. */
export async function createIdentity(
  ctx: Pick<Context, 'transact' | 'passwords'>,
  by: By<'every tenant'>,
  input: CreateIdentity,
): Promise<Operator> {
  const email = normalizedEmail(input.email)
  const role = input.role ?? null
  if (role !== null) assertMayGive(by.caller, PERMISSIONS)
  assertPassword(input.password)
  const passwordHash = await ctx.passwords.hash(input.password)
  try {
    return await ctx.transact(by.scope, async (tx) => {
      await lockPermitting(tx, by.caller)
      const operator = tx.em.create(Operator, {
        id: randomUUID(),
        email,
        passwordHash,
        role,
        epoch: 0,
        createdAt: tx.now,
      })
      await tx.em.flush()
      const given = role === null ? (['identity', 'password'] as const) : (['identity', 'password', 'role'] as const)
      await keepMaker(tx, operator.id, by.caller.actor.id, given)
      tx.publish(
        auditOf(by.caller, {
          action: 'operator.create',
          resourceType: 'operator',
          resourceId: operator.id,
          after: { email, role },
        }),
      )
      return operator
    })
  } catch (error) {
    if (!(error instanceof UniqueConstraintViolationException)) throw error
    throw new ServiceError('already_exists', { details: { field: 'email' } })
  }
}
