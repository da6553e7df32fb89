import { defineEntity, p } from '@mikro-orm/core'
import type { Credential } from '@svc/credentials'

/** How long the predecessor of the present token returns the present pair again, for a client whose reply was lost. */
const REPLAY_MS = 10_000

const SessionSchema = defineEntity({
  name: 'Session',
  tableName: 'sessions',
  properties: {
    id: p.uuid().primary(),
    /** Null for a rider of no merchant. */
    merchantId: p.uuid().nullable(),
    credential: p.text().$type<Credential>(),
    /** Set for riders, whose credential lives in both environments. */
    isTest: p.boolean().nullable(),
    /** How long each access token lives; null: as long as the operator has configured. */
    accessTtlSeconds: p.integer().nullable(),
    /** `key:<id>`: of a rider's family that a merchant's key asked for. */
    mintedBy: p.text().$type<`key:${string}`>().nullable(),
    /** Which refresh token of the family is the present one. */
    generation: p.integer(),
    /** When the present pair was made, by the clock of decisions. */
    rotatedAt: p.datetime(),
    /** When the present pair was made, by the clock of tokens: its `iat`. */
    issuedAt: p.datetime(),
    /** No refresh extends it. */
    expiresAt: p.datetime(),
    revokedAt: p.datetime().nullable(),
    epoch: p.integer(),
    /** Those of its key when the family began; 0 for any other holder. */
    keyRotations: p.integer(),
    /** The merchant for which the family acts, and the epoch of its grant; null where for its own. */
    grantorMerchantId: p.uuid().nullable(),
    grantEpoch: p.integer().nullable(),
    createdAt: p.datetime(),
  },
})

/** What the presentation of a refresh token means. */
export type Presentation = 'rotate' | 'replay' | 'reuse'

/** A family of refresh tokens, each good for one use. */
export class Session extends SessionSchema.class {
  /** Judges the token of the given generation; anything but the present one and its predecessor just rotated is reuse. */
  judge(generation: number, now: Date): Presentation {
    if (generation === this.generation) return 'rotate'
    const replayable = generation === this.generation - 1 && now.getTime() - this.rotatedAt.getTime() <= REPLAY_MS
    return replayable ? 'replay' : 'reuse'
  }

  rotate(now: Date, issuedAt: Date): void {
    this.generation += 1
    this.rotatedAt = now
    this.issuedAt = issuedAt
  }

  revoke(now: Date): void {
    this.revokedAt = now
    this.epoch += 1
  }
}

SessionSchema.setClass(Session)
