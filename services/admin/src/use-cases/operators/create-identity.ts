import { randomUUID } from 'node:crypto'
import { UniqueConstraintViolationException } from '@mikro-orm/core'
import { ServiceError } from '@svc/errors'
import type { Caller } from '@svc/grpc'
import { auditOf } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { normalizedEmail } from '../../domain/email.ts'
import { oneOf } from '../../domain/enumerations.ts'
import { Operator, ROLES } from '../../domain/operator.ts'
import { assertPassword } from '../../domain/password-policy.ts'

interface CreateIdentity {
  email: string
  password: string
  /** Absent: an operator who may do nothing yet. */
  role?: string
}

/** Makes an operator; an e-mail address is one operator at most. */
export async function createIdentity(
  ctx: Pick<Context, 'transact' | 'passwords'>,
  caller: Caller,
  input: CreateIdentity,
): Promise<Operator> {
  const email = normalizedEmail(input.email)
  const role = input.role === undefined ? null : oneOf('role', ROLES, input.role)
  assertPassword(input.password)
  const passwordHash = await ctx.passwords.hash(input.password)
  try {
    return await ctx.transact('every tenant', async (tx) => {
      const operator = tx.em.create(Operator, { id: randomUUID(), email, passwordHash, role, createdAt: tx.now })
      await tx.em.flush()
      tx.publish(
        auditOf(caller, {
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
