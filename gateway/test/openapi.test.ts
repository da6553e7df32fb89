import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { call } from './call.ts'
import { type Running, startGateway, startUpstream, type Upstream } from './fixture.ts'
import { createVault } from './vault.ts'

let upstream: Upstream
let running: Running
beforeAll(async () => {
  upstream = await startUpstream(await createVault())
  running = await startGateway(upstream)
})
afterAll(async () => {
  await running?.gateway.stop()
  await upstream?.stop()
})

interface Document {
  paths: Record<string, Record<string, { operationId: string; tags: string[] }>>
  webhooks?: Record<string, object>
  tags: Array<{ name: string }>
  'x-tagGroups': Array<{ name: string; tags: string[] }>
  components: Record<string, Record<string, unknown>>
}

const read = async (query = ''): Promise<Document> => (await call(running.url, 'GET', `/openapi.json${query}`)).body
const operationsOf = ({ paths }: Document) => Object.values(paths).flatMap((methods) => Object.values(methods))
const idsOf = (document: Document) => operationsOf(document).map(({ operationId }) => operationId)
const referencesOf = (value: unknown) => JSON.stringify(value).match(/(?<="\$ref":"#\/)[^"]+/g) ?? []

const AUDIENCES = { merchant: 'Merchants', rider: 'Riders', operator: 'Operators', provider: 'Providers' }

describe('the API description', () => {
  test('has each tag in one group, and each operation below one tag, merchants first', async () => {
    const whole = await read()
    const grouped = whole['x-tagGroups'].flatMap(({ tags }) => tags)
    expect(whole['x-tagGroups'].map(({ name }) => name)).toEqual(Object.values(AUDIENCES))
    expect(whole.tags.map(({ name }) => name)).toEqual(grouped)
    expect(new Set(grouped).size).toBe(grouped.length)
    expect([...new Set(operationsOf(whole).map(({ tags }) => String(tags)))].toSorted()).toEqual(grouped.toSorted())
  })

  test('of each audience is a whole document of its operations alone, and all of them together are everything', async () => {
    const whole = await read()
    const parts = await Promise.all(Object.keys(AUDIENCES).map((audience) => read(`?audience=${audience}`)))
    expect(parts.flatMap(idsOf).toSorted()).toEqual(idsOf(whole).toSorted())
    for (const [i, part] of parts.entries()) {
      expect(part['x-tagGroups']).toEqual([whole['x-tagGroups'][i]])
      for (const reference of referencesOf(part)) {
        const [, kind = '', name = ''] = reference.split('/')
        expect([reference, part.components[kind]?.[name]]).toEqual([reference, expect.any(Object)])
      }
    }
    const [merchant, ...others] = parts
    expect(merchant?.webhooks).toEqual(whole.webhooks)
    expect(others.map(({ webhooks }) => webhooks)).toEqual([undefined, undefined, undefined])
    expect(Object.keys(merchant?.components['schemas'] ?? {})).not.toContain('ScimError')
  })

  test('of an audience has an ETag of its own, and one that there is not is 400 naming those there are', async () => {
    const [whole, part] = await Promise.all(
      ['', '?audience=rider'].map((q) => call(running.url, 'GET', `/openapi.json${q}`)),
    )
    const etag = part?.headers.get('etag') as string
    expect(etag).not.toBe(whole?.headers.get('etag'))
    const known = { headers: { 'if-none-match': etag } }
    expect((await call(running.url, 'GET', '/openapi.json?audience=rider', known)).status).toBe(304)
    const refused = await call(running.url, 'GET', '/openapi.json?audience=everybody')
    expect([refused.status, refused.body.error, refused.body.details]).toMatchObject([
      400,
      'validation_error',
      { field: 'audience', rule: 'enum', allowed: Object.keys(AUDIENCES) },
    ])
    const { paths } = (await read()) as any
    expect(Object.keys(paths['/openapi.json'].get.responses)).toContain('400')
    expect(Object.keys(paths['/asyncapi.json'].get.responses)).not.toContain('400')
    const ignored = await call(running.url, 'GET', '/openapi.json?audiance=rider')
    expect([ignored.status, ignored.headers.get('x-ignored-query')]).toEqual([200, 'audiance'])
  })
})
