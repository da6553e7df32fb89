import { execFileSync } from 'node:child_process'
import { globSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { eventually, type Mesh, mesh, type Receiver, receiver } from '@svc/testing'
import { Api, orderBody, signUp } from './merchant.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const build = join(root, '.local/build')
const PROCESSES = [...readdirSync(join(root, 'services')), 'gateway']

/** What tests, builds and local runs need, and no process that is deployed. */
const NOT_DEPLOYED =
  /^(@svc\+(testing|mesh|servers|local|images)|jest|@jest|testcontainers|fast-check|autocannon|socket\.io-client|@swc|typescript|@biomejs|knip|oxlint|ts-proto|@bufbuild\+buf)@/

let system: Mesh
let target: Receiver

beforeAll(async () => {
  execFileSync(process.execPath, ['--conditions=source', 'deploy/images/src/build.ts'], { cwd: root })
  target = await receiver()
  system = await mesh({ built: true, spans: false })
}, 300_000)

afterAll(async () => {
  await system?.stop()
  await target?.close()
})

test.each(PROCESSES)('what is deployed of %s holds no sources, no tests and nothing that only these need', (name) => {
  const packages = readdirSync(join(build, name, 'node_modules/.pnpm'))
  expect(packages.filter((found) => NOT_DEPLOYED.test(found))).toEqual([])
  const own = globSync('{.,node_modules/.pnpm/@svc*/node_modules/@svc/*}/{src,test}', { cwd: join(build, name) })
  expect(own).toEqual([])
  expect(globSync('dist/**/*.{ts,test.js}', { cwd: join(build, name) })).toEqual([])
})

test.each(PROCESSES)('the list of the packages of %s names each with its version and licence', (name) => {
  const sbom = JSON.parse(readFileSync(join(build, name, 'sbom.json'), 'utf8'))
  expect(sbom).toMatchObject({ bomFormat: 'CycloneDX', metadata: { component: { type: 'application', name } } })
  const listed = sbom.components.map(({ purl }: { purl: string }) => purl)
  expect(listed).toContain('pkg:npm/%40opentelemetry/api@1.10.0')
  expect(listed.filter((purl: string) => /testcontainers|fast-check|\/jest@/.test(purl))).toEqual([])
})

test('a mesh of what is deployed takes an order and sends its signed webhooks', async () => {
  const merchant = await signUp(system.baseUrl)
  const created = await merchant.owner.post('/v1/me/api-keys', { label: 'deployed', is_test: true })
  const api = new Api(system.baseUrl).bearing(created.body.api_key)
  expect(await api.patch('/v1/me/outbound-webhook', { url: target.url, enabled: true })).toMatchObject({ status: 200 })
  const order = await api.post('/v1/orders', orderBody())
  expect(order.status).toBe(201)
  for (const action of ['accept', 'pickup', 'deliver'])
    expect(await api.post('/v1/test/simulator/rider-action', { order_id: order.body.order.id, action })).toMatchObject({
      status: 200,
    })
  await eventually(() => {
    const events = target.requests.map(({ headers }) => headers['x-service-event'])
    expect(events).toEqual(expect.arrayContaining(['order.created', 'order.delivered']))
  })
})

test('the page of the API reference, its bundle and the guides are served from what is deployed', async () => {
  const page = await fetch(`${system.baseUrl}/docs`)
  const [, script] = /<script src="(\/docs\/standalone[^"]+)"/.exec(await page.text()) ?? []
  expect([page.status, script]).toEqual([200, expect.any(String)])
  const bundle = await fetch(`${system.baseUrl}${script}`)
  expect([bundle.status, (await bundle.text()).length > 1_000_000]).toEqual([200, true])
  for (const [path, words] of [
    ['webhooks', '<h1 id="webhooks">'],
    ['verify-webhook/receiver.mjs', 'createServer'],
  ]) {
    const guide = await fetch(`${system.baseUrl}/docs/guides/${path}`)
    expect([guide.status, await guide.text()]).toEqual([200, expect.stringContaining(words as string)])
  }
})
