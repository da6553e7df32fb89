import type { Tx } from '@svc/transact'

interface Account {
  audience: 'merchant' | 'operator'
  id: string
}

interface Subject {
  issuer: string
  subject: string
}

const COLUMN = { merchant: 'user_id', operator: 'operator_id' } as const

/**
 * Binds the account, whose row is held, to the person of the provider where it is bound to none of that provider, nor the
 * person to another account; `other` where either is.
 */
export async function bindSubject(
  tx: Tx,
  { audience, id }: Account,
  { issuer, subject }: Subject,
): Promise<'bound' | 'known' | 'other'> {
  const { rows } = await tx.sql<{ subject: string }>(
    `SELECT subject FROM sign_on_subjects WHERE ${COLUMN[audience]} = $1 AND issuer = $2`,
    [id, issuer],
  )
  const [known] = rows
  if (known) return known.subject === subject ? 'known' : 'other'
  const { rowCount } = await tx.sql(
    `INSERT INTO sign_on_subjects (audience, issuer, subject, ${COLUMN[audience]}) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING`,
    [audience, issuer, subject, id],
  )
  return rowCount === 1 ? 'bound' : 'other'
}

/** Lets the next log-in at a provider bind the user anew. */
export async function forgetSubjects(tx: Tx, userId: string): Promise<void> {
  await tx.sql('DELETE FROM sign_on_subjects WHERE user_id = $1', [userId])
}
