import { randomInt } from 'node:crypto'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { codeSentTo, joinFleet, PICKUP, ping, placed, type TestRider } from '../journeys/fleet.ts'
import { type Api, answered, type Reply } from '../journeys/merchant.ts'
import { topUp } from '../journeys/money.ts'
import { type Trading, tradingMerchant, type World, world } from './world.ts'

let the: World
let victim: Trading
let attacker: Trading

beforeAll(async () => {
  the = await world()
  victim = await tradingMerchant(the)
  attacker = await tradingMerchant(the)
  await topUp(the.system, attacker.live, 10_000_000)
  await topUp(the.system, victim.live, 10_000_000)
})

const seen = ({ status, body }: Reply) => [status, body]
const newPhone = () => `+23481${String(randomInt(10 ** 8)).padStart(8, '0')}`

/** Registers, proves the phone, is approved and goes online: a rider of no fleet. */
async function freelancer(name: string): Promise<TestRider> {
  const phone = newPhone()
  const registered = await the.anyone.post('/v1/public/riders/register/start', {
    name,
    phone,
    vehicle_type: 'motorcycle',
  })
  const id = answered(200, registered).body.rider_id as string
  answered(200, await the.operator.patch(`/v1/admin/riders/${id}`, { kyc_status: 'approved' }))
  const api = await loggedIn(phone)
  answered(200, await api.patch(`/v1/riders/${id}/online`, { is_online: true }))
  await ping(api, id, { lat: PICKUP.lat + 0.001, lng: PICKUP.lng })
  return { id, phone, api }
}

async function loggedIn(phone: string): Promise<Api> {
  answered(200, await the.anyone.post('/v1/auth/rider/phone-otp/request', { phone }))
  const proof = { phone, code: await codeSentTo(the.system, phone) }
  return the.anyone.bearing(
    answered(200, await the.anyone.post('/v1/auth/rider/phone-otp/verify', proof)).body.access_token,
  )
}

describe('a rider who has proven a phone joins a fleet by a code sent to that phone, and by nothing else', () => {
  let rider: TestRider

  test('an invite redeemed with the phone of another leaves that rider as it was', async () => {
    rider = await freelancer('Efe Okafor')
    const invite = answered(201, await attacker.live.post('/v1/me/fleet/invite-codes', {}))
    const redeemed = await the.anyone.post('/v1/public/riders/fleet-invite/redeem', {
      code: invite.body.code,
      name: 'Efe Okafor',
      phone: rider.phone,
    })
    expect(seen(redeemed)).toMatchObject([200, { ok: true, membership: 'pending' }])
    expect((await rider.api.get('/v1/riders/me/dispatch-offers')).status).toBe(200)
    expect((await attacker.live.get(`/v1/me/riders/${rider.id}/location/history`)).status).toBe(404)
    const near = `/v1/me/riders/near?lat=${PICKUP.lat}&lng=${PICKUP.lng}&metres=5000`
    const shown = (await victim.live.get(near)).body.items.find(
      (item: { rider_id: string }) => item.rider_id === rider.id,
    )
    expect(shown).toMatchObject({ phone: null, name: 'Efe' })
  })

  test('a log-in by code accepts no membership', async () => {
    rider.api = await loggedIn(rider.phone)
    expect((await attacker.live.get(`/v1/me/riders/${rider.id}/location/history`)).status).toBe(404)
  })

  test('a merchant moves no phone that a rider has proven', async () => {
    const member = await joinFleet({ ...the, live: victim.live }, 'Fola Member', 0.01)
    const moved = await victim.live.post(`/v1/riders/${member.id}/phone-otp/request`, { phone: newPhone() })
    expect(seen(moved)).toMatchObject([403, { error: 'forbidden' }])
    const foreign = await attacker.live.post(`/v1/riders/${member.id}/phone-otp/request`, { phone: newPhone() })
    expect(foreign.status).toBe(404)
  })
})

describe('a token minted for a rider reaches what its key reaches, and ends with the key', () => {
  test('a key for locations mints a token that sees no money and changes no bank account', async () => {
    const member = await joinFleet({ ...the, live: victim.live }, 'Gbenga Member', 0.02)
    const key = answered(201, await victim.owner.post('/v1/me/api-keys', { scopes: ['riders:location'] }))
    const located = the.anyone.bearing(key.body.api_key)
    const minted = answered(200, await located.post('/v1/auth/rider/token', { rider_id: member.id }))
    const token = the.anyone.bearing(minted.body.access_token)
    const account = { bank_code: '058', account_number: '0123456789', account_name: 'Thief' }
    expect((await token.get('/v1/riders/me/ledger')).status).toBe(403)
    expect((await token.post('/v1/riders/me/payout-instruments', account)).status).toBe(403)
    expect((await token.get('/v1/riders/me/dispatch-offers')).status).toBe(200)

    answered(200, await victim.owner.delete(`/v1/me/api-keys/${key.body.id}`))
    expect((await token.get('/v1/riders/me/dispatch-offers')).status).toBe(401)
  })
})

describe('a freelancer is asked, never seized', () => {
  let rider: TestRider
  const orders: string[] = []

  test('assignments that the rider never accepted take none of its capacity from others', async () => {
    rider = await freelancer('Hadiza Bello')
    for (let n = 0; n < 5; n++) {
      const { id } = answered(201, await attacker.live.post('/v1/orders', placed())).body.order
      answered(200, await attacker.live.post(`/v1/orders/${id}/rider-assignment`, { rider_id: rider.id }))
      orders.push(id)
    }
    const { id } = answered(201, await victim.live.post('/v1/orders', placed())).body.order
    const assigned = await victim.live.post(`/v1/orders/${id}/rider-assignment`, { rider_id: rider.id })
    expect(assigned.status).toBe(200)
    orders.push(id)
  })

  test('the rider gives them back and goes offline', async () => {
    for (const id of orders) {
      expect((await rider.api.post(`/v1/riders/me/orders/${id}/decline`)).status).toBe(200)
    }
    expect((await rider.api.patch(`/v1/riders/${rider.id}/online`, { is_online: false })).status).toBe(200)
  })

  test('a merchant reports no position of a rider outside its fleet', async () => {
    const ahead = new Date(Date.now() + 55_000).toISOString()
    const report = { lat: 9.07, lng: 7.49, recorded_at: ahead }
    expect((await attacker.live.post(`/v1/riders/${rider.id}/location`, report)).status).toBe(404)
  })
})
