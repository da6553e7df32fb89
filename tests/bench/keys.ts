import type { Mesh } from '@svc/testing'
import { Api, type SignedUp, signUp } from '../journeys/merchant.ts'
import { topUp } from '../journeys/money.ts'

interface Wanted {
  /** Live keys may make 300 calls a minute, test keys 60. */
  isTest: boolean
  webhookUrl?: string
}

/** So many that they come to their own limits before their merchant comes to its ceiling. */
const PER_MERCHANT = 50

/** Mints API keys through the public API, for merchants whose webhooks go to `webhookUrl` where one is given. */
export async function mintKeys(system: Mesh, count: number, { isTest, webhookUrl }: Wanted): Promise<string[]> {
  const keys: string[] = []
  for (let merchant = 0; keys.length < count; merchant++) {
    const signedUp = await signUp(system.baseUrl, `127.0.10.${1 + merchant}`)
    if (!isTest) {
      await approve(system, signedUp)
      // Orders of whoever has nothing are refused.
      await topUp(system, signedUp.owner, 1_000_000)
    }
    if (webhookUrl) await signedUp.owner.patch('/v1/me/outbound-webhook', { url: webhookUrl, enabled: true })
    for (let i = 0; i < PER_MERCHANT && keys.length < count; i++) {
      const created = await signedUp.owner.post('/v1/me/api-keys', {
        is_test: isTest,
        scopes: ['orders:read', 'orders:write'],
      })
      if (created.status !== 201)
        throw new Error(`minting a key answered ${created.status}: ${JSON.stringify(created.body)}`)
      keys.push(created.body.api_key)
    }
  }
  return keys
}

/** Lets a merchant trade with live keys. */
export async function approve(
  system: Pick<Mesh, 'baseUrl' | 'adminStaticToken'>,
  { merchantId }: SignedUp,
): Promise<void> {
  const anyone = new Api(system.baseUrl)
  const { body } = await anyone.bearing(system.adminStaticToken).post('/v1/admin/auth/token')
  const approval = { kyb_status: 'verified', business_approval_status: 'approved' }
  const approved = await anyone.bearing(body.access_token).patch(`/v1/admin/merchants/${merchantId}`, approval)
  if (approved.status !== 200)
    throw new Error(`approving answered ${approved.status}: ${JSON.stringify(approved.body)}`)
}
