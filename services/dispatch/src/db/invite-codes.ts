import { isUuid, type Page } from '@svc/inputs'
import type { Tx } from '@svc/transact'
import type { InviteCode } from '../domain/invite.ts'
import { type Listed, listed } from './listed.ts'
import { rowOf, write } from './rows.ts'

const COLUMNS =
  'i.id, i.merchant_id, i.code, i.expires_at, i.revoked_at, i.redeemed_at, i.held_for, i.held_until, i.created_at'

/** The new code; null when another has the same characters. */
export const insertInviteCode = (
  tx: Tx,
  { merchantId, code, expiresAt }: Pick<InviteCode, 'merchantId' | 'code' | 'expiresAt'>,
): Promise<InviteCode | null> =>
  rowOf<InviteCode>(
    tx,
    `INSERT INTO invite_codes AS i (id, merchant_id, code, expires_at, created_at)
     VALUES (gen_random_uuid(), $1, $2, $3, $4) ON CONFLICT (code) DO NOTHING RETURNING ${COLUMNS}`,
    [merchantId, code, expiresAt, tx.now],
  )

/** The codes by which a rider may still join, newest first. */
export const pageOfActiveCodes = (tx: Tx, merchantId: string, page: Page): Promise<Listed<InviteCode>> =>
  listed<InviteCode>(tx, {
    columns: COLUMNS,
    from: 'invite_codes i',
    where: {
      'i.merchant_id = ? AND i.revoked_at IS NULL AND i.redeemed_at IS NULL': merchantId,
      'i.expires_at > ?': tx.now,
    },
    orderBy: 'i.created_at DESC, i.id DESC',
    page,
  })

/** The merchant's code, held against other writers, or null. */
export const lockInviteCode = (tx: Tx, merchantId: string, id: string): Promise<InviteCode | null> =>
  isUuid(id)
    ? rowOf<InviteCode>(tx, `SELECT ${COLUMNS} FROM invite_codes i WHERE merchant_id = $1 AND id = $2 FOR UPDATE`, [
        merchantId,
        id,
      ])
    : Promise.resolve(null)

/** The code as redeemers type it, of whichever merchant, held against other redeemers, or null. */
export const lockTypedCode = (tx: Tx, code: string): Promise<InviteCode | null> =>
  rowOf<InviteCode>(tx, `SELECT ${COLUMNS} FROM invite_codes i WHERE code = $1 FOR UPDATE`, [code])

export async function revokeCode(tx: Tx, id: string): Promise<void> {
  await write(tx, 'UPDATE invite_codes SET revoked_at = $2 WHERE id = $1', [id, tx.now])
}

/** Holds the code for the rider until then. */
export async function holdCode(tx: Tx, id: string, riderId: string, until: Date): Promise<void> {
  await write(tx, 'UPDATE invite_codes SET held_for = $2, held_until = $3 WHERE id = $1', [id, riderId, until])
}

/** The rider joined by the code, which is used up. */
export async function redeemCode(tx: Tx, id: string, riderId: string): Promise<void> {
  await write(tx, 'UPDATE invite_codes SET redeemed_at = $2, redeemed_by = $3 WHERE id = $1', [id, tx.now, riderId])
}
