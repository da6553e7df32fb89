import { randomUUID } from 'node:crypto'
import { beforeAll, describe, expect, test } from '@jest/globals'
import { eventually } from '@svc/testing'
import { codeSentTo, newPhone } from '../journeys/fleet.ts'
import { Api, answered, signUp } from '../journeys/merchant.ts'
import { type World, world } from './world.ts'

let the: World
let replicas: Api[]

beforeAll(async () => {
  the = await world()
  replicas = the.system.baseUrls.map((baseUrl) => new Api(baseUrl))
})

const ORDERS = '/v1/orders'
const OFFERS = '/v1/riders/me/dispatch-offers'

/** Uses the tokens at every replica, so that each has judged them, revokes what they stand for, and uses them until all are refused. */
async function untilRefused(
  what: string,
  tokens: Readonly<Record<string, string>>,
  before: number,
  revoke: () => Promise<unknown>,
): Promise<void> {
  const uses = Object.entries(tokens).flatMap(([token, path]) =>
    replicas.map((api) => async () => {
      const { status, body } = await api.bearing(token).get(path)
      return status === 401 ? `401 ${body.details.reason}` : status
    }),
  )
  const useAll = () => Promise.all(uses.map((use) => use()))
  expect(replicas).toHaveLength(2)
  const served = uses.map(() => before)
  await eventually(async () => expect(await useAll()).toEqual(served))
  await revoke()
  const revokedAt = performance.now()
  const refused = uses.map(() => '401 revoked')
  let tries = 0
  await eventually(async () => {
    tries++
    expect(await useAll()).toEqual(refused)
  })
  const ms = Math.round(performance.now() - revokedAt)
  process.stdout.write(`${what}: refused by both gateways ${ms} ms after it was revoked, at try ${tries}\n`)
}

async function newMerchant() {
  const merchant = await signUp(the.system.baseUrl)
  const made = await merchant.owner.post('/v1/me/api-keys', { is_test: true })
  const { id, api_key: key } = answered(201, made).body as { id: string; api_key: string }
  const { access_token: exchanged } = answered(200, await the.anyone.bearing(key).post('/v1/auth/token')).body
  return { merchant, id, key, exchanged: exchanged as string }
}

async function newRider(): Promise<{ id: string; token: string }> {
  const phone = newPhone()
  const start = { name: 'Efe Okafor', phone, vehicle_type: 'motorcycle' }
  const { rider_id: id } = answered(200, await the.anyone.post('/v1/public/riders/register/start', start)).body
  answered(200, await the.anyone.post('/v1/auth/rider/phone-otp/request', { phone }))
  const proof = { phone, code: await codeSentTo(the.system, phone) }
  const login = answered(200, await the.anyone.post('/v1/auth/rider/phone-otp/verify', proof))
  return { id, token: login.body.access_token }
}

describe('what was revoked through one gateway is refused by both, though both had just served it:', () => {
  test('a key, with the token exchanged for it', async () => {
    const { merchant, id, key, exchanged } = await newMerchant()
    await untilRefused('a key and its token', { [key]: ORDERS, [exchanged]: ORDERS }, 200, async () =>
      answered(200, await merchant.owner.delete(`/v1/me/api-keys/${id}`)),
    )
  })

  test('a log-in, by another password', async () => {
    const { owner, email, password } = await signUp(the.system.baseUrl)
    const login = answered(200, await the.anyone.post('/v1/public/login', { email, password }))
    const body = { current_password: password, new_password: `another horse ${randomUUID()}` }
    await untilRefused('a log-in', { [login.body.access_token]: ORDERS }, 200, async () =>
      answered(200, await owner.post('/v1/auth/change-password', body)),
    )
  })

  test("a rider's token", async () => {
    const { id, token } = await newRider()
    await untilRefused("a rider's token", { [token]: OFFERS }, 200, async () =>
      answered(200, await the.operator.post(`/v1/admin/riders/${id}/revoke-access-tokens`)),
    )
  })

  test('an operator, whose identity is deleted', async () => {
    const credentials = { email: `operator-${randomUUID()}@example.com`, password: 'a long enough password' }
    const made = answered(201, await the.operator.post('/v1/admin/rbac/identities', credentials))
    const login = answered(200, await the.anyone.post('/v1/admin/rbac/token', credentials))
    // It has no role, so that it is known and may read nothing.
    await untilRefused('an operator', { [login.body.access_token]: '/v1/admin/orders' }, 403, async () =>
      answered(200, await the.operator.delete(`/v1/admin/rbac/identities/${made.body.identity.id}`)),
    )
  })
})
