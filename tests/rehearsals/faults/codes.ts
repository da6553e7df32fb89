import { newPhone } from '../../journeys/fleet.ts'
import { Api, answered } from '../../journeys/merchant.ts'
import type { Fault } from '../fault.ts'
import type { Stage } from '../stage.ts'

/** Each waits for the cooldown between two codes of its own; together they ask for more than the budget. */
const RIDERS = 110
const PER_ADDRESS = 10
const EVERY_MS = 70

/** So many riders that nobody is, from addresses enough: invites are redeemed ten times a minute from one. */
async function inventRiders(stage: Stage, live: Api): Promise<string[]> {
  const ids: string[] = []
  let thief = new Api(stage.system.baseUrl)
  for (let turn = 0; turn < RIDERS; turn++) {
    if (turn % PER_ADDRESS === 0) thief = thief.callingFrom(`127.77.2.${1 + turn / PER_ADDRESS}`)
    const { code } = answered(201, await live.post('/v1/me/fleet/invite-codes', {})).body
    const joiner = { code, name: 'Nobody', phone: newPhone(), vehicle_type: 'motorcycle' }
    const joined = await thief.post('/v1/public/riders/fleet-invite/redeem', joiner)
    ids.push(answered(200, joined).body.rider_id)
  }
  return ids
}

export const CODES: readonly Fault[] = [
  {
    name: 'codes-pumped',
    what: 'who has the live key of a merchant invents riders, and has codes sent to one number after another for them',
    watched: [{ alert: 'CodesSpend', section: 'dispatch.md#codes-cost-more-than-they-should' }],
    async cause(stage) {
      const { live, merchantId } = await stage.liveMerchant()
      const riders = await inventRiders(stage, live)
      let turn = 0
      const end = stage.repeat(EVERY_MS, () =>
        live.post(`/v1/riders/${riders[turn++ % RIDERS]}/phone-otp/request`, { phone: newPhone() }),
      )
      return async () => {
        const operator = await stage.operator()
        const operator_token = operator.headers['authorization']!.slice('Bearer '.length)
        await stage.follow('dispatch.md#codes-cost-more-than-they-should', { merchant_id: merchantId, operator_token })
        // The page ended it: who has the key is still there, and goes on asking until the alert has ended.
        const refused = await live.post(`/v1/riders/${riders[0]}/phone-otp/request`, { phone: newPhone() })
        if (refused.status !== 403) stage.failures.push(`a key that was taken away is answered ${refused.status}`)
        end()
      }
    },
  },
]
