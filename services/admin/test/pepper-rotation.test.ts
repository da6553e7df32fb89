import { randomBytes } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { parseApiKey } from '@svc/credentials'
import type { Database } from '@svc/database'
import { systemBy } from '@svc/grpc'
import { eventually } from '@svc/testing'
import { readConfig } from '../src/config.ts'
import { storeDigests } from '../src/db/key-digests.ts'
import { movePassword } from '../src/db/password-hashes.ts'
import { createPasswords } from '../src/security/passwords.ts'
import { countPeppers } from '../src/use-cases/system/count-peppers.ts'
import { endFormerSecrets } from '../src/use-cases/system/end-former-secrets.ts'
import { type MailingAdmin, mailingAdmin } from './mailing-admin.ts'
import { type Admin, PASSWORD, publicCaller, refusal, signUp, startReplica, verify } from './start-admin.ts'

let admin: MailingAdmin
let steps: NodeJS.ProcessEnv[]
const next = { API_KEY_PEPPER: randomBytes(32).toString('base64'), PASSWORD_PEPPER: randomBytes(32).toString('base64') }

beforeAll(async () => {
  admin = await mailingAdmin()
  const inOrder = (order: (old: string, fresh: string) => string) =>
    Object.fromEntries(Object.entries(next).map(([name, fresh]) => [name, order(admin.env[name]!, fresh)]))
  // Those of docs/deploy/keys.md.
  steps = [{}, inOrder((old, fresh) => `${old},${fresh}`), inOrder((old, fresh) => `${fresh},${old}`), next]
})
afterAll(() => admin?.stop())

type Replica = Pick<Admin, 'credentials' | 'accounts' | 'merchants'>

async function onReplicas<T>(settings: NodeJS.ProcessEnv[], work: (...replicas: Replica[]) => Promise<T>): Promise<T> {
  const replicas = await Promise.all(
    settings.map((one, n) => startReplica(admin, { INSTANCE: `replica-${n}`, ...one })),
  )
  try {
    return await work(...replicas)
  } finally {
    // Each stores what it has noted.
    for (const { stop } of replicas) await stop()
  }
}

const logIn = (on: Replica, email: string, { ip = '203.0.113.7', password = PASSWORD } = {}) =>
  on.credentials.as({ ...publicCaller(), ip }).logIn({ email, password })
const verdictOf = async (on: Replica, apiKey: string) => (await verify(on, apiKey)).verdict
const counted = (settings: NodeJS.ProcessEnv) =>
  countPeppers({ config: readConfig({ ...admin.env, ...settings }), database: { worker: admin.worker } as Database })

test('at each step every replica takes what each other has made: keys, passwords and links of mails', async () => {
  for (const [n, before] of steps.slice(0, -1).entries()) {
    await onReplicas([before, steps[n + 1]!], async (behind, ahead) => {
      for (const maker of [behind!, ahead!]) {
        const made = await signUp(maker)
        for (const judge of [behind!, ahead!, behind!]) {
          expect(await verdictOf(judge, made.api_key)).toBe('active')
          expect((await logIn(judge, made.email)).tokens).toBeDefined()
        }
      }
    })
  }
})

describe('once the new pepper comes first', () => {
  test('what is used moves to it, so that the old one may go; what is not is counted, and nobody gets in by it then', async () => {
    const [used, unused] = [await signUp(admin), await signUp(admin)]
    const both = steps[2]!
    const start = await counted(both)
    expect(start.users.named[1]).toBeGreaterThanOrEqual(2)
    await onReplicas([both], async (replica) => {
      expect(await verdictOf(replica!, used.api_key)).toBe('active')
      await logIn(replica!, used.email)
    })
    const moved = await counted(both)
    for (const table of ['api_keys', 'users'] as const) {
      const [first, second] = start[table].named as [number, number]
      expect(moved[table]).toEqual({ ...start[table], named: [first + 1, second - 1] })
    }
    expect((await counted(next)).users).toEqual({
      named: [moved.users.named[0]],
      unnamed: 0,
      lost: moved.users.named[1],
    })
    await onReplicas([next], async (replica) => {
      expect(await verdictOf(replica!, used.api_key)).toBe('active')
      expect((await logIn(replica!, used.email)).tokens).toBeDefined()
      expect(await verdictOf(replica!, unused.api_key)).toBe('invalid')
      await expect(logIn(replica!, unused.email)).rejects.toEqual(refusal('unauthorized'))
    })
  })

  test('what is used twice moves once, and what was made before peppers had names moves too', async () => {
    const { api_key: apiKey, email } = await signUp(admin)
    const { keyId } = parseApiKey(apiKey)!
    await admin.worker.query('UPDATE api_keys SET secret_pepper = NULL WHERE key_id = $1', [keyId])
    await admin.worker.query(
      `UPDATE users SET password_hash = regexp_replace(password_hash, ',keyid=[^$]+', '') WHERE email = $1`,
      [email],
    )
    const before = await counted(steps[2]!)
    expect([before.api_keys.unnamed, before.users.unnamed]).toEqual([1, 1])
    for (let round = 0; round < 2; round++)
      await onReplicas([steps[2]!], async (replica) => {
        expect(await verdictOf(replica!, apiKey)).toBe('active')
        await logIn(replica!, email)
      })
    const after = await counted(steps[2]!)
    expect([after.api_keys.unnamed, after.users.unnamed]).toEqual([0, 0])
    expect(after.api_keys.named[0]).toBe(before.api_keys.named[0]! + 1)
    await onReplicas([next], async (replica) => expect(await verdictOf(replica!, apiKey)).toBe('active'))
  })

  test('what is used moves also at a process whose clock is not that of the database', async () => {
    const { api_key: apiKey, email } = await signUp(admin)
    const before = await counted(steps[2]!)
    await admin.database.shiftClock(600_000)
    try {
      await onReplicas([steps[2]!], async (replica) => {
        expect(await verdictOf(replica!, apiKey)).toBe('active')
        await logIn(replica!, email)
      })
    } finally {
      await admin.database.shiftClock(0)
    }
    const after = await counted(steps[2]!)
    for (const table of ['api_keys', 'users'] as const) expect(after[table].named[0]).toBe(before[table].named[0]! + 1)
  })

  test('ten log-ins at once get in, while the password moves under them, at replicas that put another pepper first', async () => {
    const { email } = await signUp(admin)
    await onReplicas([steps[1]!, steps[2]!], async (behind, ahead) => {
      const logIns = Array.from({ length: 10 }, (_, n) => logIn(n % 2 ? behind! : ahead!, email))
      for (const { tokens } of await Promise.all(logIns)) expect(tokens).toBeDefined()
    })
  })

  test('a network from which somebody has logged in is known as before', async () => {
    const { email } = await signUp(admin)
    await logIn(admin, email)
    await onReplicas([steps[2]!], async (replica) => {
      for (let n = 0; n < 10; n++)
        await logIn(replica!, email, { ip: `198.51.${n}.1`, password: 'wrong' }).catch(() => undefined)
      await expect(logIn(replica!, email, { ip: '198.51.99.1' })).rejects.toEqual(refusal('rate_limited'))
      expect((await logIn(replica!, email)).tokens).toBeDefined()
    })
  })

  test('a link of before is good while the pepper that made it is named, and no longer', async () => {
    const { email } = await signUp(admin)
    const token = await eventually(async () => (await admin.mailsTo(email, 'email_verification'))[0]!.token!)
    const confirm = (on: Replica) => on.accounts.as(publicCaller()).confirmEmailVerification({ token })
    await onReplicas([next, steps[2]!], async (alone, both) => {
      await expect(confirm(alone!)).rejects.toEqual(refusal('invalid_token'))
      await confirm(both!)
    })
  })
})

describe('what is left of a former pepper', () => {
  /** As the command does it, with the peppers of a step. */
  async function end(step: NodeJS.ProcessEnv, unusedDays: number) {
    const config = readConfig({ ...admin.env, ...step })
    const passwords = await createPasswords(config.passwordPepper)
    return endFormerSecrets({ ...admin.service.context, config, passwords }, systemBy('test'), unusedDays)
  }
  const unusedSince = (email: string, days: number) =>
    admin.worker.query(
      `WITH aged AS (
         UPDATE users SET created_at = created_at - $2 * interval '1 day', last_login_at = last_login_at - $2 * interval '1 day'
          WHERE email = $1 RETURNING merchant_id)
       UPDATE api_keys k SET created_at = k.created_at - $2 * interval '1 day', last_used_at = k.last_used_at - $2 * interval '1 day'
         FROM aged WHERE k.merchant_id = aged.merchant_id`,
      [email, days],
    )
  const hashOf = async (email: string): Promise<string> =>
    (await admin.worker.query('SELECT password_hash FROM users WHERE email = $1', [email])).rows[0].password_hash

  test('ends where nobody has used it for long: no pepper opens it again, and its person chooses another password', async () => {
    const [idle, unnamed, lately, moved] = [
      await signUp(admin),
      await signUp(admin),
      await signUp(admin),
      await signUp(admin),
    ]
    await admin.worker.query('UPDATE api_keys SET secret_pepper = NULL WHERE merchant_id = $1', [unnamed.merchantId])
    await admin.worker.query(
      `UPDATE users SET password_hash = regexp_replace(password_hash, ',keyid=[^$]+', '') WHERE email = $1`,
      [unnamed.email],
    )
    await onReplicas([steps[2]!], async (replica) => {
      await verdictOf(replica!, moved.api_key)
      await logIn(replica!, moved.email)
    })
    for (const { email } of [idle, unnamed, moved]) await unusedSince(email, 31)
    await unusedSince(lately.email, 29)
    const kept = [await hashOf(lately.email), await hashOf(moved.email)]
    // Alone, a pepper is taken for the one that made what names none.
    expect(await end(next, 30)).toEqual({ api_keys: 1, users: 1, operators: 0 })
    expect(await hashOf(unnamed.email)).not.toContain('keyid=')
    expect(await end(steps[2]!, 30)).toEqual({ api_keys: 1, users: 1, operators: 0 })
    expect(await end(steps[2]!, 30)).toEqual({ api_keys: 0, users: 0, operators: 0 })
    expect([await hashOf(lately.email), await hashOf(moved.email)]).toEqual(kept)
    await onReplicas([steps[1]!], async (replica) => {
      for (const { api_key, email } of [idle, unnamed]) {
        expect(await verdictOf(replica!, api_key)).toBe('revoked')
        await expect(logIn(replica!, email)).rejects.toEqual(refusal('unauthorized'))
      }
      expect(await verdictOf(replica!, lately.api_key)).toBe('active')
      await logIn(replica!, lately.email)
    })
    await admin.accounts.as(publicCaller()).requestPasswordReset({ email: idle.email })
    const token = await eventually(async () => (await admin.mailsTo(idle.email, 'password_reset'))[0]!.token!)
    await admin.accounts.as(publicCaller()).confirmPasswordReset({ token, password: 'another password of theirs' })
    expect((await logIn(admin, idle.email, { password: 'another password of theirs' })).tokens).toBeDefined()
  })
})

describe('a process that comes late with what it has made anew', () => {
  const ago = (ms: number) => new Date(Date.now() - ms)
  const MINUTE = 60_000

  test('leaves the key another secret that it got meanwhile, and does nothing after a minute', async () => {
    const { api_key: apiKey, caller, key } = await signUp(admin)
    const { keyId } = parseApiKey(apiKey)!
    const kept = async (): Promise<Buffer> =>
      (await admin.worker.query('SELECT secret_hmac FROM api_keys WHERE key_id = $1', [keyId])).rows[0].secret_hmac
    const former = await kept()
    const madeAnew = { keyId, former, secretHmac: randomBytes(32), secretPepper: 'another' }
    await storeDigests(admin.worker, [{ ...madeAnew, askedAt: ago(MINUTE + 1) }])
    expect(await kept()).toEqual(former)
    await admin.apiKeys.as(caller).rotateApiKey({ id: key!.id })
    const rotated = await kept()
    await storeDigests(admin.worker, [{ ...madeAnew, askedAt: ago(0) }])
    expect(await kept()).toEqual(rotated)
    await storeDigests(admin.worker, [{ ...madeAnew, former: rotated, askedAt: ago(0) }])
    expect(await kept()).toEqual(madeAnew.secretHmac)
  })

  test('leaves people the password that they have chosen meanwhile, and does nothing after a minute', async () => {
    const { email } = await signUp(admin)
    const kept = async (): Promise<{ id: string; password_hash: string }> =>
      (await admin.worker.query('SELECT id, password_hash FROM users WHERE email = $1', [email])).rows[0]
    const { id, password_hash: former } = await kept()
    const move = (from: string, askedAt: Date) =>
      movePassword({ worker: admin.worker } as Database, 'merchant', {
        id,
        former: from,
        passwordHash: 'moved',
        askedAt,
      })
    await move(former, ago(MINUTE + 1))
    await move('chosen since', ago(0))
    expect((await kept()).password_hash).toBe(former)
    await move(former, ago(0))
    expect((await kept()).password_hash).toBe('moved')
  })
})
