import { defineEntity, p } from '@mikro-orm/core'
import type { MerchantScope } from '@svc/credentials'
import { ServiceError } from '@svc/errors'

const WorkspaceGrantSchema = defineEntity({
  name: 'WorkspaceGrant',
  tableName: 'workspace_grants',
  properties: {
    id: p.uuid().primary(),
    grantorMerchantId: p.uuid(),
    granteeMerchantId: p.uuid(),
    scopes: p.array().$type<MerchantScope[]>(),
    /** Given by a test credential: it reaches the sandbox alone. */
    isTest: p.boolean(),
    epoch: p.integer(),
    createdAt: p.datetime(),
    revokedAt: p.datetime().nullable(),
  },
})

export interface Given {
  scopes: MerchantScope[]
  isTest: boolean
}

/** One merchant lets another act for it. Each pair has one, which is given and revoked again and again. */
export class WorkspaceGrant extends WorkspaceGrantSchema.class {
  credential(): `grant:${string}` {
    return grantCredential(this.grantorMerchantId, this.granteeMerchantId)
  }

  status(): 'active' | 'revoked' {
    return this.revokedAt ? 'revoked' : 'active'
  }

  /** Gives it again, as it is asked for now. Throws grant_exists for one that was not revoked. */
  giveAgain({ scopes, isTest }: Given): void {
    if (!this.revokedAt) throw new ServiceError('grant_exists', { details: { grant_id: this.id } })
    this.scopes = scopes
    this.isTest = isTest
    this.revokedAt = null
    this.epoch += 1
  }

  /** Returns false for one that was revoked before. */
  revoke(now: Date): boolean {
    if (this.revokedAt) return false
    this.revokedAt = now
    this.epoch += 1
    return true
  }
}

WorkspaceGrantSchema.setClass(WorkspaceGrant)

/** What the right of one merchant to act for another stands on. */
export const grantCredential = (grantorMerchantId: string, granteeMerchantId: string): `grant:${string}` =>
  `grant:${grantorMerchantId}:${granteeMerchantId}`
