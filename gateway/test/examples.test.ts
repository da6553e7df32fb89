import { afterAll, beforeAll, expect, test } from '@jest/globals'
import type { Route } from '../src/http/route.ts'
import { routes } from '../src/routes/index.ts'
import { addressOf, form } from '../src/samples/requests.ts'
import { call } from './call.ts'
import { type Running, startGateway, startUpstream, type Upstream } from './fixture.ts'
import { createVault, goodToken, type Vault } from './vault.ts'

interface Media {
  example?: unknown
  examples?: { example: { $ref: string } }
}
interface Described {
  paths: Record<string, Record<string, { requestBody: { content: Record<string, Media> } }>>
  components: { examples: Record<string, { value: unknown }> }
}

let vault: Vault
let upstream: Upstream
let running: Running
let described: Described

beforeAll(async () => {
  vault = await createVault()
  upstream = await startUpstream(vault)
  running = await startGateway(upstream)
  described = (await call(running.url, 'GET', '/openapi.json')).body
})

afterAll(async () => {
  await running?.gateway.stop()
  await upstream?.stop()
})

/** The body of the request as /openapi.json prints it; of a form the file is its example. */
function printed({ path, method }: Route): unknown {
  const { content } = described.paths[path]![method.toLowerCase()]!.requestBody
  const [[type, { example, examples }]] = Object.entries(content) as [[string, Media]]
  const { $ref } = examples?.example ?? {}
  const value = $ref ? described.components.examples[$ref.slice($ref.lastIndexOf('/') + 1)]?.value : example
  return type === 'multipart/form-data' ? form((value as { file: string }).file) : value
}

const taking = routes.filter(({ body, replies }) => body && Object.keys(replies).length > 0)

test.each(taking.map((route) => [`${route.method} ${route.path}`, route] as const))(
  '%s takes the body that its description shows',
  async (_name, route) => {
    const body = printed(route)
    expect(body).toBeDefined()
    const answer = await call(running.url, route.method, addressOf(route), {
      token: await goodToken(vault, route.auth),
      body,
    })
    expect([answer.body?.error, answer.body?.details]).toEqual([undefined, undefined])
    expect(Object.keys(route.replies)).toContain(String(answer.status))
  },
)
