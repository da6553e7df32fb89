import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { CredentialServiceService } from '@svc/contracts/admin/v1/credential_service'
import { mintApiKey } from '@svc/credentials'
import { grpcClient } from '@svc/grpc'
import { adminCaller, eventually, freePort, TEST_SECRET } from '@svc/testing'
import {
  type Admin,
  gatewayCaller,
  PASSWORD,
  publicCaller,
  refusal,
  signUp,
  startAdmin,
  verify,
} from './start-admin.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url))

let admin: Admin
beforeAll(async () => {
  admin = await startAdmin()
})
afterAll(() => admin.stop())

function launch(script: string, args: string[] = [], env: NodeJS.ProcessEnv = {}) {
  return spawn(process.execPath, ['--conditions=source', `services/admin/src/${script}`, ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, LOG_LEVEL: 'info', ...admin.env, ...env },
  })
}

async function command(script: string, args: string[], input: string, env?: NodeJS.ProcessEnv) {
  const child = launch(script, args, env)
  child.stdin.end(input)
  const [output, errors, [code]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'exit')])
  return { output, errors, code: code as number }
}

describe('the first operator', () => {
  test('is made from the command line, with a password given or generated', async () => {
    const given = await command('commands/create-operator.ts', ['--email', 'First@Ops.example'], `${PASSWORD}\n`)
    expect(given).toMatchObject({ code: 0, output: expect.stringContaining('first@ops.example is an administrator') })
    expect(given.output).not.toContain(PASSWORD)
    const logIn = (email: string, password: string) =>
      admin.operators.as(publicCaller()).logInOperator({ email, password })
    expect((await logIn('first@ops.example', PASSWORD)).token!.permissions).toContain('admin.rbac.manage')

    const generated = await command('commands/create-operator.ts', ['--email', 'second@ops.example'], '')
    const password = /shown once: (\S+)/.exec(generated.output)![1]!
    expect((await logIn('second@ops.example', password)).token).toBeDefined()
  })

  test('and a second one who is made so approves beside the first, as the guide of operators promises', async () => {
    for (const name of ['ada', 'bayo'])
      await command('commands/create-operator.ts', ['--email', `${name}@two.example`], '')
    const { rows } = await admin.worker.query(
      "SELECT id FROM operators WHERE email LIKE '%@two.example' ORDER BY email",
    )
    const [ada, bayo] = rows as [{ id: string }, { id: string }]
    const asBayo = admin.operators.as(adminCaller({ actor: { type: 'admin', id: bayo.id } }))
    const existed_before = new Date(Date.now() + 60_000).toISOString()
    expect(await asBayo.checkSecondApprover({ first_approver_id: ada.id, existed_before })).toEqual({
      is_second_person: true,
    })
  })

  test('needs an address', async () => {
    expect(await command('commands/create-operator.ts', [], '')).toMatchObject({
      code: 2,
      errors: expect.stringContaining('--email'),
    })
  })
})

describe('the demonstration', () => {
  const seed = {
    merchant: { id: randomUUID(), name: 'Demo', email: 'demo@example.com', password: PASSWORD },
    test_api_key: mintApiKey({ isTest: true, seed: 'demo' }).text,
    live_api_key: mintApiKey({ isTest: false, seed: 'demo' }).text,
    operators: [
      { email: 'boss@example.com', password: PASSWORD, role: 'administrator' },
      { email: 'guest@example.com', password: PASSWORD, role: null },
    ],
  }
  const run = (env: NodeJS.ProcessEnv = { NODE_ENV: 'development' }) =>
    command('commands/seed.ts', [], JSON.stringify(seed), env)
  const everything = async () => {
    const { rows } = await admin.worker.query(
      `SELECT (SELECT json_agg(m ORDER BY id) FROM merchants m)::text || (SELECT json_agg(to_jsonb(k) - 'last_used_at' ORDER BY id) FROM api_keys k)::text
           || (SELECT json_agg(u ORDER BY id) FROM users u)::text || (SELECT json_agg(o ORDER BY id) FROM operators o)::text
           || (SELECT count(*) FROM outbox)::text AS state`,
    )
    return rows[0].state as string
  }

  test('trades live with exactly its keys, has its operators, and a second run changes nothing', async () => {
    expect(await run()).toMatchObject({ code: 0, errors: '' })
    const standing = { merchant_id: seed.merchant.id, kyb_status: 'verified', business_approval_status: 'approved' }
    expect(await verify(admin, seed.test_api_key)).toMatchObject({ verdict: 'active', is_test: true, standing })
    expect(await verify(admin, seed.live_api_key)).toMatchObject({ verdict: 'active', is_test: false, standing })
    const as = admin.credentials.as(publicCaller())
    expect((await as.logIn({ email: seed.merchant.email, password: PASSWORD })).tokens!.merchant_id).toBe(
      seed.merchant.id,
    )
    const operators = admin.operators.as(publicCaller())
    const permissions = async (email: string) =>
      (await operators.logInOperator({ email, password: PASSWORD })).token!.permissions
    expect((await permissions('boss@example.com')).length).toBeGreaterThan(20)
    expect(await permissions('guest@example.com')).toEqual([])

    const before = await everything()
    expect(await run()).toMatchObject({ code: 0 })
    expect(await everything()).toBe(before)
  })

  test.each(['production', undefined])(
    'has no place in production, nor where nothing is said: NODE_ENV=%s',
    async (name) => {
      const { code, errors } = await run({ NODE_ENV: name })
      expect({ code, errors }).toEqual({ code: 1, errors: expect.stringContaining('NODE_ENV=development') })
    },
  )
})

describe('the process', () => {
  test('serves, and on SIGTERM stops cleanly', async () => {
    const port = await freePort()
    const child = launch('main.ts', [], { INSTANCE: 'process-under-test', GRPC_PORT: String(port) })
    const errors = text(child.stderr)
    child.stdout.resume()
    const client = grpcClient(CredentialServiceService, {
      address: `127.0.0.1:${port}`,
      from: 'gateway',
      to: 'admin',
      secret: TEST_SECRET,
    })
    try {
      const { jwks_json } = await eventually(() => client.as(gatewayCaller()).getJwks({}))
      expect(JSON.parse(jwks_json).keys).toHaveLength(1)
    } finally {
      client.close()
      child.kill('SIGTERM')
    }
    const [code] = await once(child, 'exit')
    expect({ code, errors: await errors }).toEqual({ code: 0, errors: '' })
  })

  test('names everything that is wrong with its configuration and does not start', async () => {
    const { code, errors } = await command('main.ts', [], '', {
      API_KEY_PEPPER: 'short',
      TOKEN_SIGNING_JWK: '{}',
      ACCESS_TOKEN_TTL_SECONDS: '5',
      REDIS_URL: '',
    })
    expect(code).toBe(1)
    for (const name of ['API_KEY_PEPPER', 'TOKEN_SIGNING_JWK', 'ACCESS_TOKEN_TTL_SECONDS', 'REDIS_URL'])
      expect(errors).toContain(name)
  })

  test('proves the audit chain, and that it still has a head that was written down', async () => {
    const verify = async (...args: string[]) => {
      const { code, output, errors } = await command('commands/verify-audit.ts', args, '')
      return { code, errors, verdict: code === 2 ? undefined : JSON.parse(output.trim().split('\n').at(-1)!) }
    }
    await signUp(admin)
    const entries = async () => (await admin.worker.query('SELECT FROM audit_log')).rowCount ?? 0
    await eventually(async () => (await entries()) > 0)
    const { code, verdict } = await verify()
    expect({ code, verdict }).toMatchObject({ code: 0, verdict: { intact: true } })
    expect(verdict.head).toMatch(/^\d+:[0-9a-f]{64}$/)
    expect(await verify('--expect-head', verdict.head.toUpperCase())).toMatchObject({ code: 0 })
    expect(await verify('--expect-head', verdict.head, '--expect-head', `1:${'ab'.repeat(32)}`)).toMatchObject({
      code: 1,
      verdict: { intact: false, brokenAtSeq: 1, problem: expect.stringContaining('written anew') },
    })
    expect(await verify('--expect-head', 'ab'.repeat(32))).toMatchObject({
      code: 2,
      errors: expect.stringContaining('--expect-head <number>:<hash>'),
    })
  })
})

test('an operator of the command line cannot exist twice', async () => {
  const email = `${randomUUID()}@ops.example`
  expect((await command('commands/create-operator.ts', ['--email', email], PASSWORD)).code).toBe(0)
  expect((await command('commands/create-operator.ts', ['--email', email], PASSWORD)).code).toBe(1)
  await expect(admin.operators.as(publicCaller()).logInOperator({ email, password: 'wrong password' })).rejects.toEqual(
    refusal('unauthorized'),
  )
})

test('an operator finds what an unreadable fact parked, and is told that it still cannot be handled', async () => {
  const parked = { consumer: 'audit-recorded', aggregate: randomUUID() }
  await admin.worker.query(
    `INSERT INTO parked (consumer, aggregate_id, event_id, headers, payload, error, attempts)
     VALUES ($1, $2, $2, '{"ce_type":"audit.recorded"}', '\\xff', 'RangeError', 5)`,
    [parked.consumer, parked.aggregate],
  )
  const listed = await command('commands/replay-parked.ts', [], '')
  expect(listed).toMatchObject({ code: 0, output: expect.stringContaining(parked.aggregate) })
  const replayed = await command('commands/replay-parked.ts', [parked.aggregate], '')
  expect(replayed).toMatchObject({ code: 1, output: expect.stringContaining('"error"') })
})
