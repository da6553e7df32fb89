import { type RunningMesh, sharedMesh } from '@svc/testing'
import { openRateCard, openZone } from '../journeys/fleet.ts'
import { Api, answered, type SignedUp, signUp } from '../journeys/merchant.ts'

export interface World {
  system: RunningMesh
  /** Without credentials. */
  anyone: Api
  operator: Api
}

/** A merchant that may trade live, with a live key of every scope. */
export interface Trading extends SignedUp {
  live: Api
}

/** The mesh under attack, with an operator and a price for every delivery. */
export async function world(): Promise<World> {
  const system = sharedMesh('security')
  const anyone = new Api(system.baseUrl)
  const minted = await anyone.post('/v1/admin/auth/token', { token: system.adminStaticToken })
  const operator = anyone.bearing(answered(200, minted).body.access_token)
  await openRateCard(operator)
  return { system, anyone, operator }
}

/** Signs a merchant up, from an address of its own where one is given, approves it, opens a zone for it and mints a live key. */
export async function tradingMerchant({ system, anyone, operator }: World, localAddress?: string): Promise<Trading> {
  const merchant = await signUp(system.baseUrl, localAddress)
  const approval = { kyb_status: 'verified', business_approval_status: 'approved' }
  answered(200, await operator.patch(`/v1/admin/merchants/${merchant.merchantId}`, approval))
  await openZone(operator, merchant.merchantId)
  const key = answered(201, await merchant.owner.post('/v1/me/api-keys', { label: 'live' }))
  return { ...merchant, live: anyone.bearing(key.body.api_key) }
}
