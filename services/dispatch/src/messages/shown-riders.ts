import type { By } from '@svc/grpc'
import type { Config } from '../config.ts'
import type { NearQuery, NearRider } from '../db/near-riders.ts'
import type { Point } from '../domain/coverage.ts'
import { asStranger } from '../domain/stranger.ts'

/** Which riders a list shows the caller: freelancers only to operators and to merchants that may trade live. */
export function ridersShownTo(
  config: Pick<Config, 'requireKybForOrders'>,
  { caller }: By,
  isTest: boolean,
): NearQuery['who'] {
  if (isTest) return 'sandbox rider'
  const { kybStatus, businessApprovalStatus } = caller.standing ?? {}
  const isVerified = kybStatus === 'verified' && businessApprovalStatus === 'approved'
  const isOpen = caller.kind === 'admin' || !config.requireKybForOrders || isVerified
  return isOpen ? 'fleet and freelancers' : 'fleet'
}

/** The rider as the caller may see it: operators, the merchant of the fleet or of an order of the rider see all. */
export const shownTo = ({ caller }: By, rider: NearRider, seenFrom: Point): NearRider =>
  caller.kind === 'admin' || caller.isTest === true || rider.isKnown ? rider : asStranger(rider, seenFrom)
