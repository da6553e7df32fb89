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
 * person to another account; `other` where either is, `first` where no provider knew the account before.
 */
export async function bindSubject(
  tx: Tx,
  { audience, id }: Account,
  { issuer, subject }: Subject,
): Promise<'first' | 'bound' | 'known' | 'other'> {
  const { rows } = await tx.sql<Subject>(
    `SELECT issuer, subject FROM sign_on_subjects WHERE ${COLUMN[audience]} = $1`,
    [id],
  )
  const known = rows.find((row) => row.issuer === issuer)
  if (known) return known.subject === subject ? 'known' : 'other'
  const { rowCount } = await tx.sql(
    `INSERT INTO sign_on_subjects (audience, issuer, subject, ${COLUMN[audience]}) VALUES ($1, $2, $3, $4)
     ON CONFLICT DO NOTHING`,
    [audience, issuer, subject, id],
  )
  if (rowCount === 0) return 'other'
  return rows.length === 0 ? 'first' : 'bound'
}

/** Lets the next log-in at a provider bind the user anew. */
export async function forgetSubjects(tx: Tx, userId: string): Promise<void> {
  await tx.sql('DELETE FROM sign_on_subjects WHERE user_id = $1', [userId])
}
