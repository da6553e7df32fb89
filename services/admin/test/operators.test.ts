import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { PERMISSIONS, verifyToken } from '@svc/credentials'
import { adminCaller, eventually, waitingFor } from '@svc/testing'
import { createLocalJWKSet } from 'jose'
import { type Admin, gatewayCaller, PASSWORD, publicCaller, refusal, STATIC_TOKEN, startAdmin } from './start-admin.ts'

let admin: Admin
beforeAll(async () => {
  admin = await startAdmin()
})
afterAll(() => admin.stop())

const open = (on: Admin = admin) => on.operators.as(publicCaller())
const manage = () => admin.operators.as(adminCaller())
const address = () => `${randomUUID()}@ops.example`
const verifySession = (credential: string) =>
  admin.credentials.as(gatewayCaller()).verifySession({ credential, session_id: '' })

async function claimsOf(token: string) {
  const { jwks_json } = await admin.credentials.as(gatewayCaller()).getJwks({})
  const verified = await verifyToken('admin', token, createLocalJWKSet(JSON.parse(jwks_json)))
  if (!verified.ok) throw new Error(verified.reason)
  return verified.claims
}

/** What is answered to a call that waits for the operator's row, which its holder changes meanwhile. */
async function overtaken<T>(id: string, call: () => Promise<T>, change: string): Promise<T> {
  const holder = await admin.worker.connect()
  try {
    await holder.query('BEGIN')
    await holder.query('SELECT FROM operators WHERE id = $1 FOR UPDATE', [id])
    const answer = call()
    answer.catch(() => {})
    await eventually(async () => (await waitingFor(holder)) === 1)
    await holder.query(change, [id])
    await holder.query('COMMIT')
    return await answer
  } finally {
    holder.release(true)
  }
}

const ANOTHER_PASSWORD = "UPDATE operators SET epoch = epoch + 1, password_hash = 'of another one' WHERE id = $1"
const AN_END = 'DELETE FROM operators WHERE id = $1'

describe('the static token', () => {
  test('becomes an admin token with every permission, and the exchange is audited', async () => {
    const { token } = await open().exchangeAdminToken({ token: STATIC_TOKEN })
    expect(token).toMatchObject({ expires_in: 3600, permissions: PERMISSIONS })
    expect(await claimsOf(token!.access_token)).toMatchObject({
      sub: 'static',
      role: 'admin',
      auth: 'static',
      permissions: PERMISSIONS,
      credential: 'operator:static',
    })
    expect((await verifySession('operator:static')).verdict).toBe('active')
    const { rows } = await admin.worker.query(
      "SELECT encode(payload, 'escape') AS payload FROM outbox WHERE type = 'audit.recorded'",
    )
    expect(rows.some(({ payload }) => payload.includes('admin_token.mint'))).toBe(true)
    expect(rows.some(({ payload }) => payload.includes(STATIC_TOKEN))).toBe(false)
  })

  test.each(['', 'x', `${STATIC_TOKEN}x`, STATIC_TOKEN.slice(0, -1)])('is not %j', async (token) => {
    await expect(open().exchangeAdminToken({ token })).rejects.toEqual(refusal('unauthorized'))
  })

  test('may be another, beside that of before for as long as both are named', async () => {
    const next = 'the-static-token-that-comes-after-it'
    const both = await startAdmin({ ADMIN_STATIC_TOKEN: `${next},${STATIC_TOKEN}` })
    try {
      for (const token of [next, STATIC_TOKEN])
        expect((await open(both).exchangeAdminToken({ token })).token?.permissions).toEqual(PERMISSIONS)
      for (const token of [`${next},${STATIC_TOKEN}`, ','])
        await expect(open(both).exchangeAdminToken({ token })).rejects.toEqual(refusal('unauthorized'))
    } finally {
      await both.stop()
    }
  })

  test('does not exist where none is configured, and a short one is no configuration', async () => {
    const without = await startAdmin({ ADMIN_STATIC_TOKEN: '', RBAC_ENABLED: 'false' })
    try {
      await expect(open(without).exchangeAdminToken({ token: '' })).rejects.toEqual(refusal('not_found'))
      await expect(open(without).exchangeAdminToken({ token: STATIC_TOKEN })).rejects.toEqual(refusal('not_found'))
      await expect(open(without).logInOperator({ email: 'a@b.c', password: PASSWORD })).rejects.toEqual(
        refusal('feature_disabled'),
      )
    } finally {
      await without.stop()
    }
    await expect(startAdmin({ ADMIN_STATIC_TOKEN: ' , ' })).rejects.toThrow(/ADMIN_STATIC_TOKEN: /)
    await expect(startAdmin({ ADMIN_STATIC_TOKEN: 'short' })).rejects.toThrow(
      /ADMIN_STATIC_TOKEN.0: must have at least 32 bytes/,
    )
  })
})

describe('identities', () => {
  test('an administrator may do everything, one without a role logs in and may do nothing', async () => {
    const [boss, guest] = [address(), address()]
    const created = await manage().createIdentity({
      email: boss.toUpperCase(),
      password: PASSWORD,
      role: 'administrator',
    })
    expect(created.identity).toMatchObject({ email: boss, role: 'administrator', permissions: PERMISSIONS })
    await manage().createIdentity({ email: guest, password: PASSWORD })

    const { token } = await open().logInOperator({ email: boss, password: PASSWORD })
    expect(await claimsOf(token!.access_token)).toMatchObject({
      sub: created.identity!.id,
      auth: 'rbac',
      permissions: PERMISSIONS,
      credential: `operator:${created.identity!.id}`,
    })
    expect((await open().logInOperator({ email: guest, password: PASSWORD })).token!.permissions).toEqual([])
    const { items } = await manage().listIdentities({ limit: 0, offset: 0 })
    expect(items.find(({ email }) => email === guest)).toMatchObject({ role: undefined, permissions: [] })
    expect(items.find(({ email }) => email === boss)!.last_login_at).toMatch(/^\d{4}-/)
  })

  test('take admin.rbac.manage', async () => {
    const weak = admin.operators.as(
      adminCaller({ permissions: PERMISSIONS.filter((one) => one !== 'admin.rbac.manage') }),
    )
    const forbidden = refusal('forbidden', { required: ['admin.rbac.manage'] })
    await expect(weak.listIdentities({ limit: 0, offset: 0 })).rejects.toEqual(forbidden)
    await expect(weak.createIdentity({ email: address(), password: PASSWORD })).rejects.toEqual(forbidden)
    await expect(weak.deleteIdentity({ id: randomUUID() })).rejects.toEqual(forbidden)
  })

  test('are unique by address and have a role that exists', async () => {
    const email = address()
    await manage().createIdentity({ email, password: PASSWORD })
    await expect(manage().createIdentity({ email: email.toUpperCase(), password: PASSWORD })).rejects.toEqual(
      refusal('already_exists'),
    )
    await expect(manage().createIdentity({ email: address(), password: PASSWORD, role: 'king' })).rejects.toEqual(
      refusal('validation_error', { field: 'role', allowed: ['administrator'] }),
    )
    await expect(manage().createIdentity({ email: address(), password: 'short' })).rejects.toEqual(
      refusal('validation_error', { field: 'password' }),
    )
  })

  test('a deleted operator is out at once', async () => {
    const email = address()
    const { identity } = await manage().createIdentity({ email, password: PASSWORD })
    const credential = `operator:${identity!.id}` as const
    expect((await verifySession(credential)).verdict).toBe('active')
    await manage().deleteIdentity({ id: identity!.id })
    expect(await admin.epochOf(credential)).toBe('1')
    expect((await verifySession(credential)).verdict).toBe('revoked')
    await expect(open().logInOperator({ email, password: PASSWORD })).rejects.toEqual(refusal('unauthorized'))
    await expect(manage().deleteIdentity({ id: identity!.id })).rejects.toEqual(refusal('not_found'))
  })

  test('an operator chooses another password: the old one and every token are dead at once', async () => {
    const email = address()
    const { identity } = await manage().createIdentity({ email, password: PASSWORD })
    const { id } = identity!
    const credential = `operator:${id}` as const
    const mine = admin.operators.as(adminCaller({ permissions: [], actor: { type: 'admin', id }, credential }))
    const another = 'another correct horse'
    await expect(
      mine.changeOperatorPassword({ current_password: 'not the password', new_password: another }),
    ).rejects.toEqual(refusal('unauthorized', { reason: 'invalid' }))
    await expect(mine.changeOperatorPassword({ current_password: PASSWORD, new_password: 'short' })).rejects.toEqual(
      refusal('validation_error', { field: 'new_password' }),
    )
    const before = await open().logInOperator({ email, password: PASSWORD })
    expect(await claimsOf(before.token!.access_token)).toMatchObject({ ep: 0 })

    await mine.changeOperatorPassword({ current_password: PASSWORD, new_password: another })
    expect(await admin.epochOf(credential)).toBe('1')
    await expect(open().logInOperator({ email, password: PASSWORD })).rejects.toEqual(refusal('unauthorized'))
    const after = await open().logInOperator({ email, password: another })
    expect(await claimsOf(after.token!.access_token)).toMatchObject({ ep: 1 })
    await admin.forgetEpoch(credential)
    expect(await verifySession(credential)).toMatchObject({ verdict: 'active', epoch: 1 })
    expect(await admin.epochOf(credential)).toBe('1')
  })

  describe.each([
    ['has another password', ANOTHER_PASSWORD],
    ['has ended', AN_END],
  ])('an operator who %s since its password was judged', (_what, change) => {
    const judged = async () => {
      const email = address()
      const { identity } = await manage().createIdentity({ email, password: PASSWORD })
      const { id } = identity!
      const caller = adminCaller({ permissions: [], actor: { type: 'admin', id }, credential: `operator:${id}` })
      return { id, email, mine: admin.operators.as({ ...caller, credentialEpoch: 0 }) }
    }

    test('gets no token by it', async () => {
      const { id, email } = await judged()
      await expect(overtaken(id, () => open().logInOperator({ email, password: PASSWORD }), change)).rejects.toEqual(
        refusal('unauthorized', { reason: 'invalid' }),
      )
    })

    test('chooses no other by it', async () => {
      const { id, mine } = await judged()
      const asked = { current_password: PASSWORD, new_password: 'another correct horse' }
      await expect(overtaken(id, () => mine.changeOperatorPassword(asked), change)).rejects.toEqual(
        refusal('unauthorized', { reason: 'invalid' }),
      )
      const { rows } = await admin.worker.query('SELECT epoch, password_hash FROM operators WHERE id = $1', [id])
      expect(rows).toEqual(change === AN_END ? [] : [{ epoch: 1, password_hash: 'of another one' }])
    })
  })

  test('an operator whose token has ended since the gateway judged it chooses no password with it', async () => {
    const email = address()
    const { identity } = await manage().createIdentity({ email, password: PASSWORD })
    const { id } = identity!
    const judged = { ...adminCaller({ actor: { type: 'admin', id } }), credentialEpoch: 0 }
    await admin.worker.query('UPDATE operators SET epoch = epoch + 1 WHERE id = $1', [id])
    const asked = { current_password: PASSWORD, new_password: 'another correct horse' }
    await expect(admin.operators.as(judged).changeOperatorPassword(asked)).rejects.toEqual(
      refusal('unauthorized', { reason: 'revoked' }),
    )
    expect((await open().logInOperator({ email, password: PASSWORD })).token).toBeDefined()
  })

  test('the static token has no password to change', async () => {
    const static_ = admin.operators.as(adminCaller({ actor: { type: 'admin', id: 'static' } }))
    await expect(
      static_.changeOperatorPassword({ current_password: PASSWORD, new_password: PASSWORD }),
    ).rejects.toEqual(refusal('forbidden', { reason: 'no_password' }))
  })

  test('who made one, and gave it role and password, is kept beyond the life of both', async () => {
    const [maker, made] = [randomUUID(), address()]
    const managing = admin.operators.as(adminCaller({ actor: { type: 'admin', id: maker } }))
    const { identity } = await managing.createIdentity({ email: made, password: PASSWORD, role: 'administrator' })
    const { id } = identity!
    await managing.deleteIdentity({ id })
    const { rows } = await admin.worker.query(
      'SELECT maker_id, gave FROM operator_makers WHERE operator_id = $1 ORDER BY gave',
      [id],
    )
    expect(rows).toEqual(['identity', 'password', 'role'].map((gave) => ({ maker_id: maker, gave })))
    const second = admin.operators.as(adminCaller({ actor: { type: 'admin', id } }))
    const existed_before = new Date(Date.now() + 60_000).toISOString()
    const asked = { first_approver_id: randomUUID(), existed_before }
    expect(await second.checkSecondApprover(asked)).toEqual({ is_second_person: false })
  })

  test('two whom one operator made, itself or through another, approve as one person; two of different makers as two', async () => {
    const acting = (id: string) => admin.operators.as(adminCaller({ actor: { type: 'admin', id } }))
    const makeBy = async (maker: string): Promise<string> => {
      const { identity } = await acting(maker).createIdentity({ email: address(), password: PASSWORD })
      return identity!.id
    }
    const existed_before = new Date(Date.now() + 60_000).toISOString()
    const areTwo = async (first_approver_id: string, second: string) =>
      (await acting(second).checkSecondApprover({ first_approver_id, existed_before })).is_second_person
    const [maker, other] = [randomUUID(), randomUUID()]
    const [one, two, stranger] = [await makeBy(maker), await makeBy(maker), await makeBy(other)]
    const grandchild = await makeBy(one)
    expect([await areTwo(one, two), await areTwo(two, one), await areTwo(two, grandchild)]).toEqual([
      false,
      false,
      false,
    ])
    expect([await areTwo(one, stranger), await areTwo(stranger, grandchild)]).toEqual([true, true])
  })

  test('a wrong password and an unknown address are one answer, and are limited apart from merchants', async () => {
    const email = address()
    await manage().createIdentity({ email, password: PASSWORD })
    for (const tried of [email, address()]) {
      for (let failure = 1; failure <= 10; failure++)
        await expect(open().logInOperator({ email: tried, password: 'not the password' })).rejects.toEqual(
          refusal('unauthorized', { reason: 'invalid' }),
        )
      await expect(open().logInOperator({ email: tried, password: PASSWORD })).rejects.toEqual(refusal('rate_limited'))
    }
    await expect(admin.credentials.as(publicCaller()).logIn({ email, password: PASSWORD })).rejects.toEqual(
      refusal('unauthorized'),
    )
  })
})

test('the last administrator stays, even when two try to delete each other', async () => {
  const alone = await startAdmin()
  try {
    const managing = alone.operators.as(adminCaller())
    const ids = await Promise.all(
      [address(), address()].map(async (email) => {
        const { identity } = await managing.createIdentity({ email, password: PASSWORD, role: 'administrator' })
        return identity!.id
      }),
    )
    const deletions = await Promise.allSettled(ids.map((id) => managing.deleteIdentity({ id })))
    expect(deletions.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
    const refused = deletions.find((deletion) => deletion.status === 'rejected')
    expect(refused?.reason).toEqual(refusal('forbidden', { reason: 'last_administrator' }))
    expect((await managing.listIdentities({ limit: 0, offset: 0 })).total).toBe(1)
  } finally {
    await alone.stop()
  }
})
