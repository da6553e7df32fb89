import type { Database, Tenant } from '@svc/database'
import type { Tx } from '@svc/transact'
import { PEPPER_OF_PASSWORD } from './pepper-counts.ts'

/** What counts as left of other peppers than the first. */
export interface Former {
  /** The name of the first. */
  first: string
  /** What was made before digests named their pepper was made by another one. */
  isUnnamed: boolean
  /** Not used for so many days, nor younger than that. */
  unusedDays: number
}

const PAGE = 500

const isFormer = (pepper: string, used: string) =>
  `coalesce(${pepper} <> $1, $2) AND coalesce(${used}, created_at) <= (SELECT app_now() - make_interval(days => $3))`

const values = ({ first, isUnnamed, unusedDays }: Former): unknown[] => [first, isUnnamed, unusedDays]

export interface FormerKey {
  id: string
  merchantId: string
}

/** The keys behind this one that are not revoked and that other peppers have made, in the order of their ids. */
export async function findFormerKeys({ worker }: Database, former: Former, after: string): Promise<FormerKey[]> {
  const { rows } = await worker.query<FormerKey>(
    `SELECT id, merchant_id AS "merchantId" FROM api_keys
      WHERE revoked_at IS NULL AND ${isFormer('secret_pepper', 'last_used_at')} AND id > $4 ORDER BY id LIMIT ${PAGE}`,
    [...values(former), after],
  )
  return rows
}

export interface FormerPassword {
  id: string
  /** Null for an operator. */
  merchantId: Tenant['merchantId'] | null
}

/** Puts this hash in the place of those behind this account that other peppers have made; whose they were. */
export async function replaceFormerPasswords(
  tx: Tx,
  table: 'users' | 'operators',
  { former, after, passwordHash }: { former: Former; after: string; passwordHash: string },
): Promise<FormerPassword[]> {
  const { rows } = await tx.sql<FormerPassword>(
    `WITH former AS (
       SELECT id FROM ${table} WHERE ${isFormer(PEPPER_OF_PASSWORD, 'last_login_at')} AND id > $4
        ORDER BY id LIMIT ${PAGE} FOR NO KEY UPDATE),
     replaced AS (
       UPDATE ${table} SET password_hash = $5 FROM former WHERE ${table}.id = former.id
       RETURNING ${table}.id, ${table === 'users' ? 'merchant_id' : 'NULL::uuid'} AS "merchantId")
     SELECT * FROM replaced ORDER BY id`,
    [...values(former), after, passwordHash],
  )
  return rows
}
