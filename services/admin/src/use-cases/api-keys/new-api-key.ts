import { randomUUID } from 'node:crypto'
import type { MerchantScope, MintedApiKey } from '@svc/credentials'
import type { Tx } from '@svc/outbox'
import type { Context } from '../../context.ts'
import { ApiKey } from '../../domain/api-key.ts'
import { keyDigest } from '../../security/key-digest.ts'

interface NewKey {
  merchantId: string
  label: string | null
  scopes: MerchantScope[]
  minted: MintedApiKey
}

/** The row of a minted key; its text is not in it. */
export function newApiKey(ctx: Context, tx: Tx, { merchantId, label, scopes, minted }: NewKey): ApiKey {
  return tx.em.create(ApiKey, {
    id: randomUUID(),
    merchantId,
    keyId: minted.keyId,
    secretHmac: keyDigest(ctx.config.apiKeyPepper, minted.secretSha256),
    prefix: minted.prefix,
    last4: minted.last4,
    label,
    scopes,
    isTest: minted.isTest,
    enterpriseTier: false,
    epoch: 1,
    createdAt: tx.now,
  })
}
