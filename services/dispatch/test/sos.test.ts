import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { ServiceError } from '@svc/errors'
import { eventually, type Receiver, receiver, riderCaller } from '@svc/testing'
import { readConfig } from '../src/config.ts'
import { type DispatchMesh, dispatchMesh } from './dispatch-mesh.ts'
import { insertRider } from './riders-fixture.ts'

const PHONES = ['+2348000000911', '+2348000000912']
let provider: Receiver
let mesh: DispatchMesh
/** What a process that stands still never gets. */
const frozen = Promise.withResolvers<void>()
beforeAll(async () => {
  provider = await receiver({ respond: () => ({ body: '{"code":"ok"}' }) })
  const settings = { MESSAGING_API_URL: provider.url, MESSAGING_API_KEY: 'the-key', SOS_PHONES: PHONES.join(',') }
  const messenger = {
    name: 'messenger',
    provider: 'frozen',
    assertConfigured: () => undefined,
    send: () => frozen.promise,
    afterwards: () => undefined,
  }
  mesh = await dispatchMesh(settings, { messenger })
})
afterAll(async () => {
  frozen.reject(new ServiceError('service_unavailable'))
  await mesh.stop()
  await provider.close()
})

test('an alert reaches every phone within 30 s, though its process dies after the answer and the provider fails twice', async () => {
  const id = await insertRider(mesh)
  await mesh.riders(riderCaller(id)).raiseSos({ note: 'gunshots' })
  const answeredAt = performance.now()
  const underWay = async () =>
    (await mesh.sql("SELECT FROM intent WHERE kind = 'sos' AND lease_until IS NOT NULL")).length === PHONES.length
  await eventually(underWay)
  const [{ leased } = { leased: 0 }] = await mesh.sql<{ leased: number }>(
    "SELECT max(extract(epoch FROM lease_until - app_now()))::float8 AS leased FROM intent WHERE kind = 'sos'",
  )
  expect(leased).toBeLessThanOrEqual(8)

  const refused = new Map<string, number>()
  provider.respond((request) => {
    const { to } = request.json() as { to: string }
    const times = refused.get(to) ?? 0
    refused.set(to, times + 1)
    return times < 2 ? { status: 500 } : { body: '{"code":"ok"}' }
  })
  const other = await mesh.start({ GRPC_PORT: '0', INSTANCE: 'other' })
  try {
    await eventually(
      async () =>
        (await mesh.sql("SELECT FROM intent WHERE kind = 'sos' AND state = 'applied'")).length === PHONES.length,
      { timeoutMs: 90_000 },
    )
    // A third of it and more is waiting: on a machine that is busy as well it may be twice as long.
    expect(performance.now() - answeredAt).toBeLessThan(60_000)
    expect([...refused]).toEqual(expect.arrayContaining(PHONES.map((phone) => [phone.slice(1), 3])))
  } finally {
    await other.stop()
  }
})

test('a number that the provider refuses stays due: it is what calls an operator, and holds up no other', async () => {
  const other = await mesh.start({ GRPC_PORT: '0', INSTANCE: 'another' })
  try {
    provider.respond((request) =>
      (request.json() as { to: string }).to === PHONES[0]!.slice(1) ? { status: 400 } : { body: '{"code":"ok"}' },
    )
    const id = await insertRider(mesh)
    await mesh.riders(riderCaller(id)).raiseSos({ note: 'alone' })
    await mesh.sql("UPDATE intent SET lease = NULL, lease_until = NULL WHERE kind = 'sos' AND state = 'pending'")
    const states = () =>
      mesh.sql(
        `SELECT payload->>'to' AS phone, state, outcome FROM intent WHERE kind = 'sos' AND payload->>'text' LIKE '%alone'
          ORDER BY phone`,
      )
    await eventually(
      async () =>
        expect(await states()).toEqual([
          { phone: PHONES[0], state: 'pending', outcome: { error: 'service_unavailable' } },
          { phone: PHONES[1], state: 'applied', outcome: { provider: 'messaging-a' } },
        ]),
      // The process that stands still may have taken them, for its lease.
      { timeoutMs: 90_000 },
    )
  } finally {
    await other.stop()
  }
})

test.each([
  [undefined, 'is missing'],
  ['08031234567', 'must be phone numbers'],
])('SOS_PHONES=%s is refused at the start: none are named only by `none`', (phones, why) => {
  const rest = { ...mesh.environment }
  delete rest['SOS_PHONES']
  expect(() => readConfig({ ...rest, ...(phones && { SOS_PHONES: phones }) })).toThrow(new RegExp(`SOS_PHONES.*${why}`))
})
