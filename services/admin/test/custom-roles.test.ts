import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import { PERMISSIONS, type Permission } from '@svc/credentials'
import { adminCaller } from '@svc/testing'
import { type Admin, gatewayCaller, PASSWORD, publicCaller, refusal, STATIC_TOKEN, startAdmin } from './start-admin.ts'

let admin: Admin
beforeAll(async () => {
  admin = await startAdmin()
})
afterAll(() => admin.stop())

const page = { limit: 0, offset: 0 }
const address = () => `${randomUUID()}@ops.example`
const label = () => `Role ${randomUUID()}`
const holding = (...permissions: Permission[]) =>
  admin.operators.as(adminCaller({ permissions: ['admin.rbac.manage', ...permissions] }))
const manage = (on: Admin = admin) => on.operators.as(adminCaller())
const logIn = (email: string, on: Admin = admin) =>
  on.operators.as(publicCaller()).logInOperator({ email, password: PASSWORD })
const permissionsAfterLogIn = async (email: string) => (await logIn(email)).token!.permissions
const verdictOn = (id: string, on: Admin = admin) =>
  on.credentials.as(gatewayCaller()).verifySession({ credential: `operator:${id}`, session_id: '' })

async function operator(role?: 'administrator', on: Admin = admin) {
  const email = address()
  const { identity } = await manage(on).createIdentity({ email, password: PASSWORD, ...(role && { role }) })
  return { email, id: identity!.id }
}

async function role(permission_keys: readonly Permission[], on: Admin = admin) {
  return (await manage(on).createCustomRole({ label: label(), permission_keys: [...permission_keys] })).custom_role!
}

describe('a custom role', () => {
  test('is made of permissions that there are, changed, listed and removed, each on record', async () => {
    const keys = ['admin.riders.read', 'admin.orders.read', 'admin.riders.read']
    const name = label()
    const { custom_role: made } = await manage().createCustomRole({ label: name, permission_keys: keys })
    expect(made).toMatchObject({ label: name, permission_keys: ['admin.orders.read', 'admin.riders.read'] })
    const { id } = made!
    expect((await manage().listCustomRoles(page)).items.find((one) => one.id === id)).toEqual(made)
    const { custom_role: changed } = await manage().updateCustomRole({
      id,
      permission_keys: { values: ['admin.orders.read'] },
    })
    expect(changed).toMatchObject({ id, label: name, permission_keys: ['admin.orders.read'] })
    await manage().deleteCustomRole({ id })
    await expect(manage().deleteCustomRole({ id })).rejects.toEqual(refusal('not_found'))
    await expect(manage().updateCustomRole({ id, label: label() })).rejects.toEqual(refusal('not_found'))
    const { rows } = await admin.worker.query<{ payload: string }>(
      `SELECT encode(payload, 'escape') AS payload FROM outbox WHERE type = 'audit.recorded' ORDER BY shard, seq`,
    )
    const actions = rows.flatMap(({ payload }) =>
      payload.includes(id) ? (/custom_role\.[a-z]+/.exec(payload) ?? []) : [],
    )
    expect(actions.toSorted()).toEqual(['custom_role.create', 'custom_role.delete', 'custom_role.update'])
  })

  test('has a name of its own, in whichever case, and none of a role that is built in', async () => {
    const { label: taken } = await role([])
    for (const one of [taken, taken.toUpperCase()])
      await expect(manage().createCustomRole({ label: one, permission_keys: [] })).rejects.toEqual(
        refusal('already_exists', { field: 'label' }),
      )
    const other = await role([])
    await expect(manage().updateCustomRole({ id: other.id, label: taken })).rejects.toEqual(refusal('already_exists'))
    expect((await manage().updateCustomRole({ id: other.id, label: other.label.toLowerCase() })).custom_role).toEqual(
      expect.objectContaining({ label: other.label.toLowerCase() }),
    )
    await expect(manage().createCustomRole({ label: 'Administrator', permission_keys: [] })).rejects.toEqual(
      refusal('validation_error', { field: 'label', rule: 'reserved' }),
    )
    await expect(manage().createCustomRole({ label: 'x'.repeat(65), permission_keys: [] })).rejects.toEqual(
      refusal('validation_error', { field: 'label' }),
    )
    await expect(
      manage().createCustomRole({ label: label(), permission_keys: ['admin.orders.read', 'admin.everything'] }),
    ).rejects.toEqual(refusal('validation_error', { field: 'permission_keys[1]', allowed: [...PERMISSIONS] }))
  })

  test('takes admin.rbac.manage for all that is done with it', async () => {
    const weak = admin.operators.as(
      adminCaller({ permissions: PERMISSIONS.filter((one) => one !== 'admin.rbac.manage') }),
    )
    const forbidden = refusal('forbidden', { required: ['admin.rbac.manage'] })
    const { id } = await role([])
    for (const call of [
      weak.listCustomRoles(page),
      weak.createCustomRole({ label: label(), permission_keys: [] }),
      weak.updateCustomRole({ id, label: label() }),
      weak.deleteCustomRole({ id }),
      weak.assignCustomRole({ email: address(), role_id: id }),
    ])
      await expect(call).rejects.toEqual(forbidden)
  })
})

describe('an operator who is given a role', () => {
  test('may do what it permits after another log-in, in the place of what it could do before', async () => {
    const { email, id } = await operator()
    expect(await permissionsAfterLogIn(email)).toEqual([])
    const support = await role(['admin.orders.read', 'admin.riders.read'])
    const before = await verdictOn(id)
    const { identity } = await manage().assignCustomRole({ email: email.toUpperCase(), role_id: support.id })
    expect(identity).toMatchObject({ id, custom_role_id: support.id, permissions: support.permission_keys })
    expect(await admin.epochOf(`operator:${id}`)).toBe('1')
    expect((await verdictOn(id)).epoch).toBe(before.epoch + 1)
    expect(await permissionsAfterLogIn(email)).toEqual(['admin.orders.read', 'admin.riders.read'])
    // The same again changes nothing.
    await manage().assignCustomRole({ email, role_id: support.id })
    expect(await admin.epochOf(`operator:${id}`)).toBe('1')
    await manage().assignCustomRole({ email })
    expect(await permissionsAfterLogIn(email)).toEqual([])
  })

  test('may do no more than it permits though an administrator, until it is taken away', async () => {
    const { email } = await operator('administrator')
    await operator('administrator')
    const narrow = await role(['admin.orders.read'])
    await manage().assignCustomRole({ email, role_id: narrow.id })
    expect(await permissionsAfterLogIn(email)).toEqual(['admin.orders.read'])
    await expect(manage().deleteCustomRole({ id: narrow.id })).rejects.toEqual(refusal('role_in_use'))
    await manage().assignCustomRole({ email })
    expect(await permissionsAfterLogIn(email)).toEqual([...PERMISSIONS])
    await manage().deleteCustomRole({ id: narrow.id })
  })

  test('has the permissions of the role as it is now, after another log-in', async () => {
    const { email, id } = await operator()
    const { id: roleId } = await role(['admin.orders.read'])
    await manage().assignCustomRole({ email, role_id: roleId })
    await manage().updateCustomRole({ id: roleId, label: label() })
    expect(await admin.epochOf(`operator:${id}`)).toBe('1')
    await manage().updateCustomRole({ id: roleId, permission_keys: { values: ['admin.ledger.read'] } })
    expect(await admin.epochOf(`operator:${id}`)).toBe('2')
    expect(await permissionsAfterLogIn(email)).toEqual(['admin.ledger.read'])
  })

  test('is an operator, and the role one, that there is', async () => {
    const { email } = await operator()
    const { id } = await role([])
    await expect(manage().assignCustomRole({ email: address(), role_id: id })).rejects.toEqual(
      refusal('not_found', { field: 'email' }),
    )
    for (const role_id of [randomUUID(), 'no-uuid'])
      await expect(manage().assignCustomRole({ email, role_id })).rejects.toEqual(refusal('not_found'))
  })

  test('is one person with who gave it, or changed what it permits', async () => {
    const [giver, changer] = [randomUUID(), randomUUID()]
    const acting = (id: string) => admin.operators.as(adminCaller({ actor: { type: 'admin', id } }))
    const { email, id } = await operator()
    const { id: roleId } = await role(['admin.withdrawals.read'])
    await acting(giver).assignCustomRole({ email, role_id: roleId })
    await acting(changer).updateCustomRole({ id: roleId, permission_keys: { values: ['admin.withdrawals.write'] } })
    const existed_before = new Date(Date.now() + 60_000).toISOString()
    for (const first_approver_id of [giver, changer])
      expect(await acting(id).checkSecondApprover({ first_approver_id, existed_before })).toEqual({
        is_second_person: false,
      })
    expect(await acting(id).checkSecondApprover({ first_approver_id: randomUUID(), existed_before })).toEqual({
      is_second_person: true,
    })
  })
})

describe('nobody gives or takes what it does not hold', () => {
  test('by a role, its permissions, or who has it', async () => {
    const lacking = refusal('forbidden', { required: ['admin.withdrawals.write'] })
    const mine = holding('admin.orders.read')
    const paying: Permission[] = ['admin.orders.read', 'admin.withdrawals.write']
    await expect(mine.createCustomRole({ label: label(), permission_keys: paying })).rejects.toEqual(lacking)
    const { id: strong } = await role(paying)
    const { email } = await operator()
    await expect(mine.assignCustomRole({ email, role_id: strong })).rejects.toEqual(lacking)
    const { id: weak } = await role(['admin.orders.read'])
    await expect(mine.updateCustomRole({ id: weak, permission_keys: { values: paying } })).rejects.toEqual(lacking)
    await expect(mine.updateCustomRole({ id: strong, permission_keys: { values: [] } })).rejects.toEqual(lacking)
    await mine.assignCustomRole({ email, role_id: weak })
    expect(await permissionsAfterLogIn(email)).toEqual(['admin.orders.read'])
  })

  test('by making an administrator, ending one, or giving a role back that was covered', async () => {
    const mine = holding('admin.orders.read')
    const { email, id } = await operator('administrator')
    await operator('administrator')
    await expect(mine.createIdentity({ email: address(), password: PASSWORD, role: 'administrator' })).rejects.toEqual(
      refusal('forbidden'),
    )
    await expect(mine.deleteIdentity({ id })).rejects.toEqual(refusal('forbidden'))
    const { id: roleId } = await role(['admin.orders.read'])
    await expect(mine.assignCustomRole({ email, role_id: roleId })).rejects.toEqual(refusal('forbidden'))
    await manage().assignCustomRole({ email, role_id: roleId })
    await expect(mine.assignCustomRole({ email })).rejects.toEqual(refusal('forbidden'))
    expect(await permissionsAfterLogIn(email)).toEqual(['admin.orders.read'])
  })

  test('by a token of before: whose role was taken since the gateway looked gives nothing', async () => {
    const { email, id } = await operator()
    const { id: roleId } = await role(['admin.rbac.manage', 'admin.orders.read'])
    await manage().assignCustomRole({ email, role_id: roleId })
    const late = admin.operators.as(
      adminCaller({
        permissions: ['admin.rbac.manage', 'admin.orders.read'],
        actor: { type: 'admin', id },
        credentialEpoch: 1,
      }),
    )
    await late.createCustomRole({ label: label(), permission_keys: ['admin.orders.read'] })
    await manage().assignCustomRole({ email })
    const revoked = refusal('unauthorized', { reason: 'revoked' })
    await expect(late.createCustomRole({ label: label(), permission_keys: [] })).rejects.toEqual(revoked)
    await expect(late.assignCustomRole({ email, role_id: roleId })).rejects.toEqual(revoked)
    await expect(late.createIdentity({ email: address(), password: PASSWORD })).rejects.toEqual(revoked)
  })
})

describe('somebody stays who can give what is missing', () => {
  test('the last administrator is neither covered by a role nor deleted, however many try at once', async () => {
    const alone = await startAdmin()
    try {
      const both = [await operator('administrator', alone), await operator('administrator', alone)]
      const { id: roleId } = await role(['admin.rbac.manage'], alone)
      const covered = await Promise.allSettled(
        both.map(({ email }) => manage(alone).assignCustomRole({ email, role_id: roleId })),
      )
      expect(covered.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected'])
      const refused = covered.find((one) => one.status === 'rejected')
      expect(refused?.reason).toEqual(refusal('forbidden', { reason: 'last_administrator' }))
      const { items } = await manage(alone).listIdentities(page)
      const last = items.find(({ permissions }) => permissions.length === PERMISSIONS.length)!
      await expect(manage(alone).deleteIdentity({ id: last.id })).rejects.toEqual(
        refusal('forbidden', { reason: 'last_administrator' }),
      )
    } finally {
      await alone.stop()
    }
  })

  test('the last who may manage operators does not lose it, by whichever way', async () => {
    const alone = await startAdmin()
    try {
      // Made by the static token: there is no administrator.
      const { email, id } = await operator(undefined, alone)
      const managing = await role(['admin.rbac.manage'], alone)
      const other = await role(['admin.orders.read'], alone)
      await manage(alone).assignCustomRole({ email, role_id: managing.id })
      const last = refusal('forbidden', { reason: 'last_manager' })
      const ways = [
        () => manage(alone).assignCustomRole({ email }),
        () => manage(alone).assignCustomRole({ email, role_id: other.id }),
        () => manage(alone).updateCustomRole({ id: managing.id, permission_keys: { values: [] } }),
        () => manage(alone).deleteIdentity({ id }),
      ]
      for (const way of ways) await expect(way()).rejects.toEqual(last)
      const { token } = await logIn(email, alone)
      expect(token!.permissions).toEqual(['admin.rbac.manage'])
      expect((await verdictOn(id, alone)).epoch).toBe(1)
    } finally {
      await alone.stop()
    }
  })
})

test('with RBAC off tokens of operators are dead, and the static token does everything', async () => {
  const off = await startAdmin({ RBAC_ENABLED: 'false' })
  try {
    const { email, id } = await operator('administrator', off)
    expect((await verdictOn(id, off)).verdict).toBe('revoked')
    await expect(logIn(email, off)).rejects.toEqual(refusal('feature_disabled'))
    const { token } = await off.operators.as(publicCaller()).exchangeAdminToken({ token: STATIC_TOKEN })
    expect(token!.permissions).toEqual([...PERMISSIONS])
    const kept = await off.credentials
      .as(gatewayCaller())
      .verifySession({ credential: 'operator:static', session_id: '' })
    expect(kept.verdict).toBe('active')
  } finally {
    await off.stop()
  }
})
