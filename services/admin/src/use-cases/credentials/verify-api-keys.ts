import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { type KeyVerdict, readKeyVerdicts } from '../../db/verdicts.ts'
import { keptDigest, pepperOf } from '../../security/key-digest.ts'

const NO_DIGEST = Buffer.alloc(32)

export interface KeyToJudge {
  keyId: string
  secretSha256: Uint8Array
}

/** Judges keys, in their order; their epochs stand in Redis before the verdicts are out. Only the right secret gets more than `invalid`. */
export async function verifyApiKeys(
  ctx: Context,
  _by: By<'every tenant'>,
  keys: readonly KeyToJudge[],
): Promise<KeyVerdict[]> {
  const { apiKeyPepper } = ctx.config
  const rows = await readKeyVerdicts(
    ctx.database,
    keys.map(({ keyId }) => keyId),
  )
  const rowOf = new Map(rows.map((row) => [row.key_id, row]))
  const verdicts = keys.map(({ keyId, secretSha256 }): KeyVerdict => {
    const row = rowOf.get(keyId)
    const place = pepperOf(apiKeyPepper, secretSha256, row?.secret_hmac ?? NO_DIGEST)
    if (place < 0 || !row) return { verdict: 'invalid' }
    if (place > 0) {
      const { secret_hmac: former, asked_at: askedAt } = row
      ctx.keyUse.noteFormer({ keyId, former, askedAt, ...keptDigest(apiKeyPepper, secretSha256) })
    }
    return { verdict: row.revoked ? 'revoked' : row.suspended ? 'suspended' : 'active', row }
  })
  const known = verdicts.flatMap((judged) => ('row' in judged ? [judged] : []))
  await ctx.epochs.publish(known.map(({ row }) => ({ credential: `key:${row.key_id}`, epoch: row.epoch })))
  for (const { verdict, row } of known) if (verdict === 'active') ctx.keyUse.note(row.key_id)
  return verdicts
}
