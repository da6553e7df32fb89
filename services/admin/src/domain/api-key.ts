import { defineEntity, p } from '@mikro-orm/core'
import type { MerchantScope, MintedApiKey } from '@svc/credentials'

const ApiKeySchema = defineEntity({
  name: 'ApiKey',
  tableName: 'api_keys',
  properties: {
    id: p.uuid().primary(),
    merchantId: p.uuid(),
    /** The 12 characters inside the key. */
    keyId: p.text(),
    secretHmac: p.blob(),
    /** Names the pepper that made it; null: the only one there was. */
    secretPepper: p.text().nullable(),
    prefix: p.text(),
    last4: p.text().name('last4'),
    label: p.text().nullable(),
    scopes: p.array().$type<MerchantScope[]>(),
    isTest: p.boolean(),
    enterpriseTier: p.boolean(),
    /** The operator who was shown its secret, or that of the key by which it was made; null: its merchant alone was. */
    madeByOperator: p.text().nullable(),
    epoch: p.integer(),
    /** How many secrets it had before the present one. */
    rotations: p.integer(),
    /** A worker is to end families that are dead by now. */
    hasDeadFamilies: p.boolean(),
    createdAt: p.datetime(),
    lastUsedAt: p.datetime().nullable(),
    revokedAt: p.datetime().nullable(),
  },
})

/** What is kept of the text of a key, and the name of the pepper that made it. */
export interface KeptDigest {
  secretHmac: Buffer
  secretPepper: string
}

interface NewSecret {
  digest: KeptDigest
  madeByOperator: string | null
  label: string | undefined
}

/** An integration key. Its text left once; here is only a keyed digest of it. */
export class ApiKey extends ApiKeySchema.class {
  credential(): `key:${string}` {
    return `key:${this.keyId}`
  }

  /** Puts a new secret in the place of the old one, which is dead from then on with every token made from it. */
  rotate(minted: MintedApiKey, { digest, madeByOperator, label }: NewSecret): void {
    this.secretHmac = digest.secretHmac
    this.secretPepper = digest.secretPepper
    this.last4 = minted.last4
    this.madeByOperator = madeByOperator
    this.label = label ?? this.label
    this.epoch += 1
    this.rotations += 1
    this.hasDeadFamilies = true
  }

  /** Returns false where it has that tier. What was made by the key lives on: the tier is asked for where it is used. */
  changeTier(enterpriseTier: boolean): boolean {
    if (this.enterpriseTier === enterpriseTier) return false
    this.enterpriseTier = enterpriseTier
    return true
  }

  /** Returns false for a key that was revoked before. */
  revoke(now: Date): boolean {
    if (this.revokedAt) return false
    this.revokedAt = now
    this.epoch += 1
    this.hasDeadFamilies = true
    return true
  }
}

ApiKeySchema.setClass(ApiKey)
