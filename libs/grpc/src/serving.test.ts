import { describe, expect, test } from '@jest/globals'
import * as z from 'zod'
import { type Access, merchant } from './access.ts'
import { systemBy } from './by.ts'
import type { Caller } from './caller.ts'
import type { ServiceDefinition, UnaryMethod } from './definition.ts'
import { rpc, served, serving } from './serving.ts'

const method = { path: '/svc.test.v1.TestService/Echo' } as UnaryMethod<{ id: string }, { text: string }>
const definition = { echo: method } satisfies ServiceDefinition
const caller: Caller = {
  kind: 'merchant',
  merchantId: 'm',
  isTest: true,
  scopes: ['orders:read'],
  actor: { type: 'merchant_key', id: 'k' },
  requestId: 'r',
}
const { deadline, signal } = systemBy('test')
const call = { caller, deadline, signal }

const echo = (access: Access, input?: z.ZodType<{ id: string }, { id: string }>) =>
  serving<{ prefix: string }>()(definition, {
    echo: rpc({
      access,
      ...(input && { input }),
      handle: async (ctx, by, { id }) => ({ text: `${ctx.prefix}${id}${by.caller.kind}` }),
    }),
  })
const serveEcho = (...args: Parameters<typeof echo>) => served(echo(...args), { prefix: '>' })[1].echo

describe('a served rpc', () => {
  test('handles the request of a caller whom its access admits', async () => {
    await expect(serveEcho(merchant('orders:read'))({ id: '1' }, call)).resolves.toEqual({ text: '>1merchant' })
  })

  test('refuses any other caller before it looks at the request', async () => {
    const judged: unknown[] = []
    const input = z.object({ id: z.string() }).refine((value) => judged.push(value) > 0)
    await expect(serveEcho(merchant('orders:write'), input)({ id: '1' }, call)).rejects.toMatchObject({
      code: 'forbidden',
    })
    expect(judged).toEqual([])
  })

  test('refuses a request that its input refuses, by the name of the field', async () => {
    const input = z.object({ id: z.string().max(1) })
    await expect(serveEcho(merchant(), input)({ id: '12' }, call)).rejects.toMatchObject({
      code: 'validation_error',
      details: { field: 'id' },
    })
  })

  test('does not start where nothing says who may call it', () => {
    expect(() => serveEcho({ grants: [] })).toThrow('echo does not say who may call it')
  })
})
