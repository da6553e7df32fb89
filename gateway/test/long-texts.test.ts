import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import * as z from 'zod'
import { routes } from '../src/routes/index.ts'
import { bodies } from '../src/samples/requests.ts'
import { call } from './call.ts'
import { type Running, startGateway, startUpstream, type Upstream } from './fixture.ts'
import { createVault } from './vault.ts'

const LONG = `${'a.'.repeat(450_000)}@`

/** Every schema inside one, itself included. */
function* within(schema: z.core.$ZodType, seen = new Set<unknown>()): Generator<z.core.$ZodType> {
  if (seen.has(schema)) return
  seen.add(schema)
  yield schema
  const {
    shape,
    element,
    innerType,
    in: from,
    out,
    options = [],
    left,
    right,
    keyType,
    valueType,
  } = schema._zod.def as unknown as Record<string, z.core.$ZodType> & { options?: z.core.$ZodType[] }
  const named = [element, innerType, from, out, left, right, keyType, valueType, ...Object.values(shape ?? {})]
  for (const inner of [...named, ...options]) if (inner instanceof z.core.$ZodType) yield* within(inner, seen)
}

const taken = routes.flatMap(({ operationId, params, query, headers, body }) =>
  [{ ...params, ...query, ...headers, body }].flatMap((parts) =>
    Object.entries(parts as Record<string, z.ZodType | undefined>).flatMap(([name, schema]) =>
      schema ? [...within(schema)].map((part) => ({ name: `${operationId} ${name}`, part })) : [],
    ),
  ),
)
const isText = (part: z.core.$ZodType): part is z.ZodString => part._zod.def.type === 'string'
function isFormed({ _zod: { def } }: z.core.$ZodType): boolean {
  const { format, checks = [] } = def as { format?: string; checks?: z.core.$ZodCheck[] }
  return format !== undefined || checks.some(({ _zod }) => _zod.def.check === 'string_format')
}

describe('a text that is too long', () => {
  const formed = taken.filter(({ part }) => isText(part) && isFormed(part))

  test('is refused by its length, wherever there is a form: no pattern runs over it', () => {
    expect(formed.length).toBeGreaterThan(100)
    const late = formed.filter(({ part }) => {
      const { error } = (part as z.ZodString).safeParse(LONG)
      return error?.issues.some(({ code }) => code !== 'too_big') ?? true
    })
    expect(late.map(({ name }) => name)).toEqual([])
  })

  test('by a piece whose form is judged first would be found', () => {
    const issuesOf = (schema: z.ZodType) => schema.safeParse(LONG).error?.issues.map(({ code }) => code)
    expect(issuesOf(z.string().regex(/^b$/).max(64))).toContain('invalid_format')
    expect(isFormed(z.email().max(64))).toBe(true)
  })
})

describe('over HTTP', () => {
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

  test('an e-mail address of 900 kB is refused naming the field and its bound', async () => {
    const body = { ...bodies['signUpMerchant'], email: LONG }
    const answer = await call(running.url, 'POST', '/v1/public/merchants/signup', { body })
    expect([answer.status, answer.body.details]).toMatchObject([400, { field: 'email', rule: 'max', limit: 320 }])
  })
})
