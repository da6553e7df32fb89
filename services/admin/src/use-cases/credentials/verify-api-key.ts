import { digestEquals } from '@svc/credentials'
import type { By } from '@svc/grpc'
import type { Context } from '../../context.ts'
import { type KeyVerdict, readKeyVerdict } from '../../db/verdicts.ts'
import { keyDigest } from '../../security/key-digest.ts'

const NO_DIGEST = Buffer.alloc(32)

/** Judges a key; its epoch stands in Redis before the verdict is out. Only the right secret gets more than `invalid`. */
export async function verifyApiKey(
  ctx: Context,
  _by: By<'every tenant'>,
  { keyId, secretSha256 }: { keyId: string; secretSha256: Uint8Array },
): Promise<KeyVerdict> {
  const row = await readKeyVerdict(ctx.database, keyId)
  const digest = keyDigest(ctx.config.apiKeyPepper, secretSha256)
  if (!digestEquals(digest, row?.secret_hmac ?? NO_DIGEST) || !row) return { verdict: 'invalid' }
  await ctx.epochs.publish([{ credential: `key:${keyId}`, epoch: row.epoch }])
  if (row.revoked) return { verdict: 'revoked', row }
  if (row.suspended) return { verdict: 'suspended', row }
  ctx.keyUse.note(keyId)
  return { verdict: 'active', row }
}
