import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { configSchema } from '../src/config.ts'
import { call } from './call.ts'
import { type Running, startGateway, startUpstream, type Upstream } from './fixture.ts'
import { createVault } from './vault.ts'

const TOKEN = 'sixteen-or-more-characters'
const NEXT_TOKEN = 'another-of-sixteen-or-more'
const CONFIGURATION = '/scim/v2/ServiceProviderConfig'
const USERS = '/scim/v2/Users'
const ERROR = 'urn:ietf:params:scim:api:messages:2.0:Error'

let upstream: Upstream
let on: Running
let off: Running

beforeAll(async () => {
  upstream = await startUpstream(await createVault())
  on = await startGateway(upstream, { scimToken: [NEXT_TOKEN, TOKEN], publicBaseUrl: 'https://api.example/' })
  off = await startGateway(upstream)
})

afterAll(async () => {
  await on?.gateway.stop()
  await off?.gateway.stop()
  await upstream?.stop()
})

describe('where SCIM is on', () => {
  test('a provisioning service reads what is offered, in the shape and media type of SCIM', async () => {
    const answer = await call(on.url, 'GET', CONFIGURATION, { token: TOKEN })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/scim+json'])
    expect(answer.body).toMatchObject({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:ServiceProviderConfig'],
      patch: { supported: false },
      bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
      filter: { supported: false, maxResults: 0 },
      authenticationSchemes: [expect.objectContaining({ type: 'oauthbearertoken' })],
      meta: {
        resourceType: 'ServiceProviderConfig',
        location: 'https://api.example/scim/v2/ServiceProviderConfig',
      },
    })
  })

  test('it finds no users, whatever it filters by', async () => {
    for (const query of ['', '?filter=userName%20eq%20%22a%22&startIndex=7&count=0']) {
      const answer = await call(on.url, 'GET', USERS + query, { token: TOKEN })
      expect([answer.status, answer.headers.get('content-type'), answer.body]).toEqual([
        200,
        'application/scim+json',
        {
          schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
          totalResults: 0,
          startIndex: 1,
          itemsPerPage: 0,
          Resources: [],
        },
      ])
    }
  })

  test('it makes none: 501 as SCIM spells errors, whatever it sends', async () => {
    for (const body of [{ userName: 'a' }, 'no json', undefined]) {
      const answer = await call(on.url, 'POST', USERS, { token: TOKEN, body })
      expect([answer.status, answer.headers.get('content-type')]).toEqual([501, 'application/scim+json'])
      expect(answer.body).toMatchObject({ schemas: [ERROR], status: '501', error: 'not_implemented' })
      expect(answer.body.detail).toBe(answer.body.message)
    }
  })

  test.each([
    ['GET', CONFIGURATION],
    ['GET', USERS],
    ['POST', USERS],
  ])('%s %s without the token, or with any other, is 401 as SCIM spells errors', async (method, path) => {
    const presented: Array<{ token?: string; headers?: Record<string, string> }> = [
      {},
      { token: TOKEN.slice(0, -1) },
      { token: `${TOKEN}x` },
      { token: 'x' },
      { headers: { authorization: `Basic ${TOKEN}` } },
      { headers: { 'x-api-key': TOKEN } },
    ]
    for (const credential of presented) {
      const answer = await call(on.url, method, path, credential)
      expect([answer.status, answer.headers.get('content-type')]).toEqual([401, 'application/scim+json'])
      expect(answer.headers.get('www-authenticate')).toBe('Bearer')
      expect(answer.body).toMatchObject({ schemas: [ERROR], status: '401', error: 'unauthorized' })
    }
  })

  test('each of the tokens counts, so that one takes the place of the other while both are presented', async () => {
    for (const token of [TOKEN, NEXT_TOKEN]) expect((await call(on.url, 'GET', USERS, { token })).status).toBe(200)
    for (const token of [`${NEXT_TOKEN},${TOKEN}`, `${TOKEN}${NEXT_TOKEN}`, ','])
      expect((await call(on.url, 'GET', USERS, { token })).status).toBe(401)
  })

  test('another method is 405, and calls are counted by address before their token is read', async () => {
    expect((await call(on.url, 'DELETE', USERS, { token: TOKEN })).status).toBe(405)
    const narrow = await startGateway(upstream, { scimToken: [TOKEN], rateScimPerMinute: 1 })
    try {
      expect((await call(narrow.url, 'GET', USERS, { token: 'a wrong one' })).status).toBe(401)
      const answer = await call(narrow.url, 'GET', USERS, { token: TOKEN })
      expect([answer.status, answer.body]).toEqual([429, expect.objectContaining({ schemas: [ERROR], status: '429' })])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    } finally {
      await narrow.gateway.stop()
    }
  })
})

test('where SCIM is off there is no such path, with or without a token', async () => {
  for (const [method, path] of [
    ['GET', CONFIGURATION],
    ['GET', USERS],
    ['POST', USERS],
    ['DELETE', USERS],
  ] as const) {
    const answer = await call(off.url, method, path, { token: TOKEN })
    expect([answer.status, answer.body.error]).toEqual([404, 'not_found'])
  }
})

test('a token of fewer than 16 characters, or of several words, is no configuration, alone or beside a good one', () => {
  const { scimToken } = configSchema.shape
  const [one, other] = ['x'.repeat(16), 'y'.repeat(16)]
  const wrong = ['short', 'x'.repeat(15), `${one} y`, `${one},short`, `short,${one}`, ',', ' ']
  expect(wrong.filter((text) => scimToken.safeParse(text).success)).toEqual([])
  expect([one, `${one},${other}`].map((text) => scimToken.parse(text))).toEqual([[one], [one, other]])
})
