import { randomBytes, randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { AuditRecorded } from '@svc/contracts/common/v1/audit'
import type { Caller } from '@svc/grpc'
import { sweep } from '@svc/lifecycle'
import { eventually, merchantCaller } from '@svc/testing'
import pg from 'pg'
import { expiredSignups } from '../src/db/cloud-signups.ts'
import { APP, type CloudIngestion, cloudIngestion } from './cloud-ingestion.ts'
import { startIngestion } from './start-ingestion.ts'

let ingestion: CloudIngestion
beforeAll(async () => {
  ingestion = await cloudIngestion()
})
afterAll(() => ingestion?.stop())

const newCode = (kind = 'one') => `${kind}-${randomUUID()}`

const merchant = (merchantId: string = randomUUID(), caller: Partial<Caller> = {}) => ({
  merchantId,
  cloud: ingestion.cloud.as(merchantCaller({ merchantId, isTest: false, ...caller })),
})

/** What the provider was asked about a number, oldest first. */
async function askedAbout(phoneNumberId: string): Promise<Array<{ method: string; path: string; body: any }>> {
  const { requests } = await ingestion.control('requests')
  return requests.filter(({ path }: { path: string }) => path.includes(phoneNumberId))
}

interface Asset {
  waba_id: string
  phone_number_id: string
}

/** The candidates of a signup that has granted several numbers, with its id. */
async function severalOf({ cloud }: ReturnType<typeof merchant>, code = newCode('many')) {
  const refusal = await cloud.exchangeCloudToken({ code }).then(
    () => null,
    (error: { code: string; details: { candidates: Asset[]; signup_id: string } }) => error,
  )
  expect(refusal).toMatchObject({ code: 'asset_selection_required' })
  return refusal!.details
}

const rowsOf = async (table: 'cloud_connections' | 'cloud_signups', merchantId: string) =>
  (
    await ingestion.sql<{ text: string }>(`SELECT t::text AS text FROM ${table} t WHERE merchant_id = $1`, [merchantId])
  ).map(({ text }) => text)

const actsOf = async (merchantId: string) => {
  const rows = await ingestion.sql<{ payload: Buffer }>(
    `SELECT payload FROM outbox WHERE type = 'audit.recorded' AND merchant_id = $1 ORDER BY seq`,
    [merchantId],
  )
  return rows.map(({ payload }) => AuditRecorded.decode(payload))
}

describe('a signup that has granted one phone number', () => {
  test('connects it at once, registered and subscribed, and nothing shows what the provider gave for it', async () => {
    const { merchantId, cloud } = merchant()
    expect((await cloud.getCloudStatus({})).status).toMatchObject({ state: 'not_connected', meta_oauth_pending: false })
    const answer = await cloud.exchangeCloudToken({ code: newCode() })
    const { connection } = answer.status!
    expect(answer.status).toMatchObject({ state: 'connected', meta_oauth_pending: false })
    expect(connection).toMatchObject({
      waba_id: expect.stringMatching(/^\d+$/),
      phone_number_id: expect.stringMatching(/^\d+$/),
      display_phone_number: expect.stringContaining('+234'),
      verified_name: 'Shop A1',
      connected_at: expect.any(String),
    })
    expect(await cloud.getCloudStatus({})).toEqual(answer)
    const asked = await askedAbout(connection!.phone_number_id)
    expect(asked.map(({ method, body }) => [method, body])).toEqual([
      ['POST', { messaging_product: 'whatsapp', pin: expect.stringMatching(/^\d{6}$/) }],
    ])
    expect((await askedAbout(connection!.waba_id)).map(({ path }) => path)).toEqual([
      `/v21.0/${connection!.waba_id}/phone_numbers`,
      `/v21.0/${connection!.waba_id}/subscribed_apps`,
    ])

    const acts = await actsOf(merchantId)
    expect(acts.map(({ action, resource_id }) => [action, resource_id])).toEqual([
      ['merchant.messaging_app_connect', connection!.phone_number_id],
    ])
    const [row] = await rowsOf('cloud_connections', merchantId)
    for (const text of [JSON.stringify(answer), JSON.stringify(acts), row!]) {
      expect(text).not.toContain('EAA')
      expect(text).not.toContain(`"${asked[0]!.body.pin}"`)
    }
    expect(row!.split(',')).not.toContain(asked[0]!.body.pin)
    expect(await rowsOf('cloud_signups', merchantId)).toEqual([])
  })

  test('takes the place of the connection before, which the audit row names', async () => {
    const { merchantId, cloud } = merchant()
    const before = (await cloud.exchangeCloudToken({ code: newCode() })).status!.connection!
    const after = (await cloud.exchangeCloudToken({ code: newCode() })).status!.connection!
    expect(after.phone_number_id).not.toBe(before.phone_number_id)
    expect(await rowsOf('cloud_connections', merchantId)).toHaveLength(1)
    const [, act] = await actsOf(merchantId)
    expect(JSON.parse(act!.before_json!)).toEqual({
      waba_id: before.waba_id,
      phone_number_id: before.phone_number_id,
    })
  })

  test('or none at all, is told so, and may go on once there is one', async () => {
    const { cloud } = merchant()
    await expect(cloud.exchangeCloudToken({ code: newCode('none') })).rejects.toMatchObject({
      code: 'invalid_state',
      details: { reason: 'no_phone_number' },
    })
    expect((await cloud.getCloudStatus({})).status).toMatchObject({ state: 'meta_oauth_pending' })
    expect((await cloud.listCloudCandidates({})).candidates).toEqual([])
  })
})

describe('a signup that has granted several', () => {
  test('waits for the choice of one of them, and connects that', async () => {
    const of = merchant()
    const details = await severalOf(of)
    expect(details.candidates).toHaveLength(3)
    expect(new Set(details.candidates.map(({ waba_id }) => waba_id)).size).toBe(2)
    expect((await of.cloud.getCloudStatus({})).status).toMatchObject({
      state: 'meta_oauth_pending',
      meta_oauth_pending: true,
      signup_id: details.signup_id,
    })
    expect(await of.cloud.listCloudCandidates({})).toEqual(details)
    const [, , chosen] = details.candidates
    const { phone_number_id, waba_id } = chosen!
    const { status } = await of.cloud.selectCloudAsset({ phone_number_id, waba_id, signup_id: details.signup_id })
    expect(status).toMatchObject({ state: 'connected', connection: { phone_number_id, waba_id } })
    expect(await of.cloud.listCloudCandidates({})).toEqual({ candidates: [] })
  })

  test('connects the one that is named with the code', async () => {
    const shop = newCode('many')
    const { candidates } = await severalOf(merchant(), `${shop}.1`)
    const { cloud } = merchant()
    const { phone_number_id } = candidates[1]!
    const answer = await cloud.exchangeCloudToken({ code: `${shop}.2`, phone_number_id })
    expect(answer.status).toMatchObject({ state: 'connected', connection: { phone_number_id } })
  })

  test('of an account that is named offers the numbers of that account', async () => {
    const shop = newCode('many')
    const [first] = (await severalOf(merchant(), `${shop}.1`)).candidates
    await expect(
      merchant().cloud.exchangeCloudToken({ code: `${shop}.2`, waba_id: first!.waba_id }),
    ).rejects.toMatchObject({
      code: 'asset_selection_required',
      details: { candidates: [{ waba_id: first!.waba_id }, { waba_id: first!.waba_id }] },
    })
  })

  test('connects none that it has not granted: the field is named, and the choice stays open', async () => {
    const of = merchant()
    const foreign = (await merchant().cloud.exchangeCloudToken({ code: newCode() })).status!.connection!
    const { candidates } = await severalOf(of)
    const { waba_id, phone_number_id } = foreign
    for (const [choice, field] of [
      [{ phone_number_id }, 'phone_number_id'],
      [{ phone_number_id: candidates[0]!.phone_number_id, waba_id }, 'waba_id'],
    ] as const)
      await expect(of.cloud.selectCloudAsset(choice)).rejects.toMatchObject({
        code: 'validation_error',
        details: { field },
      })
    const [chosen] = candidates
    const answer = await of.cloud.selectCloudAsset({ phone_number_id: chosen!.phone_number_id })
    expect(answer.status).toMatchObject({ state: 'connected' })
  })

  test('is nobody else’s: another merchant has nothing to choose from', async () => {
    const { candidates, signup_id } = await severalOf(merchant())
    const [{ phone_number_id }] = candidates as [Asset]
    const stranger = merchant()
    expect(await stranger.cloud.listCloudCandidates({})).toEqual({ candidates: [] })
    for (const selection of [{ phone_number_id }, { phone_number_id, signup_id }])
      await expect(stranger.cloud.selectCloudAsset(selection)).rejects.toMatchObject({
        code: 'invalid_state',
        details: { reason: 'no_pending_signup' },
      })
  })

  test('runs out after a quarter of an hour, and its token is removed', async () => {
    const of = merchant()
    const { candidates } = await severalOf(of)
    const [{ phone_number_id }] = candidates as [Asset]
    const [row] = await ingestion.sql<{ minutes: number }>(
      `SELECT extract(epoch FROM expires_at - app_now())::float8 / 60 AS minutes FROM cloud_signups WHERE merchant_id = $1`,
      [of.merchantId],
    )
    expect(row!.minutes).toBeGreaterThan(5)
    expect(row!.minutes).toBeLessThanOrEqual(15)
    await ingestion.sql('UPDATE cloud_signups SET expires_at = app_now() WHERE merchant_id = $1', [of.merchantId])
    expect((await of.cloud.getCloudStatus({})).status).toMatchObject({ state: 'not_connected' })
    expect(await of.cloud.listCloudCandidates({})).toEqual({ candidates: [] })
    await expect(of.cloud.selectCloudAsset({ phone_number_id })).rejects.toMatchObject({ code: 'invalid_state' })
    await sweep({ query: async (text) => ({ rows: await ingestion.sql<any>(text) }) }, [expiredSignups])
    expect(await rowsOf('cloud_signups', of.merchantId)).toEqual([])
  })
})

describe('two tabs at once', () => {
  test('that choose the same number connect it once, and both are told so', async () => {
    const of = merchant()
    const { candidates } = await severalOf(of)
    const [{ phone_number_id }] = candidates as [Asset]
    const answers = await Promise.all(Array.from({ length: 10 }, () => of.cloud.selectCloudAsset({ phone_number_id })))
    expect(new Set(answers.map(({ status }) => status!.connection!.connected_at)).size).toBe(1)
    expect(await actsOf(of.merchantId)).toHaveLength(1)
    expect(new Set((await askedAbout(phone_number_id)).map(({ body }) => body.pin)).size).toBe(1)
  })

  test('of which one waits until the other has connected the number are told the same', async () => {
    const of = merchant()
    const { candidates } = await severalOf(of)
    const [{ phone_number_id }] = candidates as [Asset]
    const holder = new pg.Client({ connectionString: ingestion.database.workerUrl })
    await holder.connect()
    try {
      await holder.query('BEGIN')
      await holder.query('SELECT FROM cloud_signups WHERE merchant_id = $1 FOR UPDATE', [of.merchantId])
      const tabs = [1, 2].map(() => of.cloud.selectCloudAsset({ phone_number_id }))
      await eventually(async () => {
        const waiting = await ingestion.sql(
          `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%cloud_signups%' AND datname = current_database()`,
        )
        return waiting.length === 2
      })
      await holder.query('COMMIT')
      const [one, other] = await Promise.all(tabs)
      expect(one!.status!.connection).toEqual(other!.status!.connection)
    } finally {
      await holder.end()
    }
  })

  test('that finish a signup each end with one of them connected, and none that failed', async () => {
    const of = merchant()
    const ended = await Promise.allSettled(
      ['a', 'b', 'c'].map((tab) => of.cloud.exchangeCloudToken({ code: newCode(tab) })),
    )
    const connected = ended.flatMap((end) => (end.status === 'fulfilled' ? [end.value.status!.connection!] : []))
    expect(connected.length).toBeGreaterThan(0)
    const reasons = ended.flatMap((end) => (end.status === 'rejected' ? [end.reason.details] : []))
    expect(reasons).toEqual(reasons.map(() => ({ reason: 'authorization_ended' })))
    const { status } = await of.cloud.getCloudStatus({})
    expect(connected.map(({ phone_number_id }) => phone_number_id)).toContain(status!.connection!.phone_number_id)
    expect(await actsOf(of.merchantId)).toHaveLength(connected.length)
  })

  test('of which one began later: the choice of the first is refused, whatever it names', async () => {
    const of = merchant()
    const first = await severalOf(of)
    const second = await severalOf(of)
    const [chosen] = first.candidates
    const selection = { phone_number_id: chosen!.phone_number_id, signup_id: first.signup_id }
    await expect(of.cloud.selectCloudAsset(selection)).rejects.toMatchObject({
      details: { reason: 'another_pending_signup' },
    })
    const { phone_number_id } = second.candidates[0]!
    await of.cloud.selectCloudAsset({ phone_number_id, signup_id: second.signup_id })
  })
})

test('a number that is another merchant’s stays with that merchant', async () => {
  const shop = newCode()
  const { cloud } = merchant()
  const { phone_number_id } = (await cloud.exchangeCloudToken({ code: `${shop}.1` })).status!.connection!
  const other = merchant()
  const tries = [2, 3, 4].map((n) => other.cloud.exchangeCloudToken({ code: `${shop}.${n}` }))
  for (const tried of await Promise.allSettled(tries))
    expect(tried).toMatchObject({ status: 'rejected', reason: { code: 'already_exists' } })
  expect((await cloud.getCloudStatus({})).status).toMatchObject({ connection: { phone_number_id } })
  expect((await other.cloud.getCloudStatus({})).status).toMatchObject({ connection: undefined })
})

describe('a code', () => {
  test('that the provider refuses, or that was used, is not valid: nothing is kept', async () => {
    const { merchantId, cloud } = merchant()
    const used = newCode()
    await cloud.exchangeCloudToken({ code: used })
    for (const code of [newCode('expired'), used])
      await expect(cloud.exchangeCloudToken({ code })).rejects.toMatchObject({
        code: 'validation_error',
        details: { field: 'code', rule: 'refused' },
      })
    expect(await rowsOf('cloud_signups', merchantId)).toEqual([])
  })

  test.each([
    ['code', { code: '' }],
    ['code', { code: 'x'.repeat(2_049) }],
    ['waba_id', { code: 'x', waba_id: '../123' }],
    ['phone_number_id', { code: 'x', phone_number_id: '1'.repeat(33) }],
  ])('is refused before the provider hears of it where %s is malformed', async (field, request) => {
    await expect(merchant().cloud.exchangeCloudToken(request)).rejects.toMatchObject({
      code: 'validation_error',
      details: { field },
    })
  })

  test('is taken from live credentials of the merchant itself that may write', async () => {
    const code = newCode()
    const forbidden = { code: 'forbidden' }
    for (const caller of [{ isTest: true }, { scopes: ['orders:read'] }, { actingFor: randomUUID() }]) {
      const { cloud } = merchant(randomUUID(), caller)
      await expect(cloud.exchangeCloudToken({ code })).rejects.toMatchObject(forbidden)
      await expect(cloud.selectCloudAsset({ phone_number_id: '1' })).rejects.toMatchObject(forbidden)
    }
    const rehearsing = merchant(randomUUID(), { isTest: true })
    await expect(rehearsing.cloud.getCloudStatus({})).rejects.toMatchObject(forbidden)
    await expect(rehearsing.cloud.listCloudCandidates({})).rejects.toMatchObject(forbidden)
  })
})

describe('where the provider fails', () => {
  const fault = (path: string, mode: object, count: number) =>
    ingestion.control('faults', { provider: 'cloud', match: { path }, count, ...mode })

  test.each([
    ['asks for patience', { mode: 'status', status: 429 }],
    ['is down', { mode: 'status', status: 503 }],
    ['answers with a page', { mode: 'html_500' }],
    ['breaks off', { mode: 'reset_before' }],
  ])('because it %s once, it is asked again', async (_what, mode) => {
    for (const path of ['/v21.0/oauth/access_token', '/v21.0/debug_token']) await fault(path, mode, 1)
    const { cloud } = merchant()
    expect((await cloud.exchangeCloudToken({ code: newCode() })).status).toMatchObject({ state: 'connected' })
  })

  test.each([
    ['asks for patience', { mode: 'status', status: 429 }],
    ['is down', { mode: 'html_500' }],
    ['breaks off when it has done it', { mode: 'reset_after_commit' }],
    ['cannot be understood', { mode: 'garbage_json' }],
    ['does not answer in time', { mode: 'delay', delayMs: 60_000 }],
  ])('because it %s, the merchant is told to come again, and goes on with the same signup', async (_what, mode) => {
    const of = merchant()
    await fault('/v21.0/debug_token', mode, 2)
    await expect(of.cloud.exchangeCloudToken({ code: newCode() })).rejects.toMatchObject({
      code: 'service_unavailable',
    })
    const { candidates } = await of.cloud.listCloudCandidates({})
    const [{ phone_number_id, waba_id }] = candidates as [Asset]
    await fault(`/v21.0/${phone_number_id}/register`, mode.mode === 'delay' ? { mode: 'html_500' } : mode, 2)
    await expect(of.cloud.selectCloudAsset({ phone_number_id })).rejects.toMatchObject({ code: 'service_unavailable' })
    await fault(`/v21.0/${waba_id}/subscribed_apps`, { mode: 'status', status: 429 }, 2)
    await expect(of.cloud.selectCloudAsset({ phone_number_id })).rejects.toMatchObject({ code: 'service_unavailable' })
    const { status } = await of.cloud.selectCloudAsset({ phone_number_id })
    expect(status).toMatchObject({ state: 'connected', connection: { phone_number_id } })
    expect(new Set((await askedAbout(phone_number_id)).map(({ body }) => body.pin)).size).toBe(1)
  })

  test('before it has given a token, nothing is kept', async () => {
    const { merchantId, cloud } = merchant()
    await fault('/v21.0/oauth/access_token', { mode: 'status', status: 503 }, 2)
    await expect(cloud.exchangeCloudToken({ code: newCode() })).rejects.toMatchObject({ code: 'service_unavailable' })
    expect(await rowsOf('cloud_signups', merchantId)).toEqual([])
  })
})

test('a signup whose process dies once the code is used goes on from there', async () => {
  const of = merchant()
  ingestion.service.context.failpoint = (name) => {
    if (name === 'cloud.exchanged') throw new Error('the process dies here')
  }
  try {
    await expect(of.cloud.exchangeCloudToken({ code: newCode() })).rejects.toMatchObject({ code: 'internal_error' })
  } finally {
    ingestion.service.context.failpoint = () => undefined
  }
  const [{ phone_number_id }] = (await of.cloud.listCloudCandidates({})).candidates as [Asset]
  expect((await of.cloud.selectCloudAsset({ phone_number_id })).status).toMatchObject({ state: 'connected' })
})

test('a number with a PIN that somebody else has set is told as such', async () => {
  const shop = newCode()
  await merchant().cloud.exchangeCloudToken({ code: `${shop}.1` })
  await ingestion.sql(`DELETE FROM cloud_connections`)
  await expect(merchant().cloud.exchangeCloudToken({ code: `${shop}.2` })).rejects.toMatchObject({
    code: 'invalid_state',
    details: { reason: 'two_step_pin_set' },
  })
})

test('what the browser is started with holds no secret, and where nothing is configured there is none', async () => {
  const config = await merchant().cloud.getCloudSdkConfig({})
  expect(config).toEqual({ app_id: APP.id, config_id: APP.config, api_version: 'v21.0' })
  const bare = await startIngestion({ KEY_ENCRYPTION_KEY: `k1:${randomBytes(32).toString('base64')}` })
  try {
    const cloud = bare.cloud.as(merchantCaller({ isTest: false }))
    const none = { code: 'messaging_app_not_configured' }
    await expect(cloud.getCloudSdkConfig({})).rejects.toMatchObject(none)
    await expect(cloud.exchangeCloudToken({ code: 'x' })).rejects.toMatchObject(none)
    expect((await cloud.getCloudStatus({})).status).toMatchObject({ state: 'not_connected' })
  } finally {
    await bare.stop()
  }
})
