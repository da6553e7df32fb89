import { isUuid, type Page } from '@svc/inputs'
import type { Tx } from '@svc/outbox'
import type { InviteCode } from '../domain/invite.ts'
import { type Listed, listed } from './listed.ts'

const COLUMNS = `i.id, i.merchant_id AS "merchantId", i.code, i.expires_at AS "expiresAt", i.revoked_at AS "revokedAt",
  i.redeemed_at AS "redeemedAt", i.created_at AS "createdAt"`

/** The new code; null when another has the same characters. */
export async function insertInviteCode(
  tx: Tx,
  { merchantId, code, expiresAt }: Pick<InviteCode, 'merchantId' | 'code' | 'expiresAt'>,
): Promise<InviteCode | null> {
  const { rows } = await tx.sql<InviteCode>(
    `INSERT INTO invite_codes AS i (id, merchant_id, code, expires_at, created_at)
     VALUES (gen_random_uuid(), $1, $2, $3, $4) ON CONFLICT (code) DO NOTHING RETURNING ${COLUMNS}`,
    [merchantId, code, expiresAt, tx.now],
  )
  return rows[0] ?? null
}

/** Newest first: those by which somebody may still join. */
export function listActiveCodes(tx: Tx, merchantId: string, page: Page): Promise<Listed<InviteCode>> {
  return listed<InviteCode>(
    { query: tx.sql },
    {
      columns: COLUMNS,
      from: 'invite_codes i',
      where: {
        'i.merchant_id = ? AND i.revoked_at IS NULL AND i.redeemed_at IS NULL': merchantId,
        'i.expires_at > ?': tx.now,
      },
      orderBy: 'i.created_at DESC, i.id DESC',
      page,
    },
  )
}

/** The merchant's code, held against other writers, or null. */
export async function lockInviteCode(tx: Tx, merchantId: string, id: string): Promise<InviteCode | null> {
  if (!isUuid(id)) return null
  const { rows } = await tx.sql<InviteCode>(
    `SELECT ${COLUMNS} FROM invite_codes i WHERE merchant_id = $1 AND id = $2 FOR UPDATE`,
    [merchantId, id],
  )
  return rows[0] ?? null
}

/** The code as redeemers type it, of whichever merchant, held against other redeemers, or null. */
export async function lockTypedCode(tx: Tx, code: string): Promise<InviteCode | null> {
  const { rows } = await tx.sql<InviteCode>(`SELECT ${COLUMNS} FROM invite_codes i WHERE code = $1 FOR UPDATE`, [code])
  return rows[0] ?? null
}
