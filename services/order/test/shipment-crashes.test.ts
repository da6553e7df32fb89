import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals'
import type { Caller } from '@svc/grpc'
import { eventually, freePort, merchantCaller, onceAvailable } from '@svc/testing'
import { purgeTestOrders } from '../src/use-cases/purge-test-orders.ts'
import { acceptance, clientsOf, orderSurroundings, summary } from './order-mesh.ts'
import { type SettlementMesh, settlementMesh } from './settlement-mesh.ts'
import { draft, pricing } from './shipment-fixture.ts'

const FEE = 1_000

interface Child {
  id: string
  status: string
  version: number
  facts: number
}

const CHILDREN = `
  SELECT o.id, o.status, o.version,
         (SELECT count(*)::int FROM outbox f WHERE f.aggregate_id = o.id AND f.type = 'order.created') AS facts
    FROM orders o WHERE o.shipment_id = $1 ORDER BY o.shipment_row`

describe('with the wallet', () => {
  const fares = pricing()
  let mesh: SettlementMesh
  beforeAll(async () => {
    mesh = await settlementMesh({}, { dispatch: fares.dispatch })
  })
  afterAll(() => mesh?.stop())

  const children = (id: string) => mesh.rows<Child>(CHILDREN, [id])
  const submit = (caller: Caller, id: string) => mesh.shipments(caller).submitShipment({ id })
  const shipment = async (caller: Caller, id: string) => (await mesh.shipments(caller).getShipment({ id })).shipment
  const allBegun = (id: string, count: number) =>
    eventually(async () =>
      expect((await children(id)).filter(({ status }) => status === 'pending')).toHaveLength(count),
    )

  /** What the merchant can spend, and what is held of it. */
  async function money(merchantId: string): Promise<[available: number, held: number]> {
    const rows = await mesh.wallet.sql<{ purpose: string; minor: number }>(
      'SELECT purpose::text, balance_minor AS minor FROM accounts WHERE owner_id = $1 AND NOT is_test',
      [merchantId],
    )
    const of = (purpose: string) => rows.find((row) => row.purpose === purpose)?.minor ?? 0
    return [of('available'), of('held')]
  }

  const holds = (id: string) =>
    mesh.wallet.sql<{ state: string }>('SELECT state FROM holds WHERE subject_id = $1 ORDER BY placed_at, id', [id])
  const givenUp = (id: string, attempt = 1) =>
    eventually(async () =>
      expect(await mesh.intents(id)).toContainEqual({ kind: 'shipment_hold', state: 'aborted', attempt }),
    )

  test.each([
    ['shipment hold begun', 1, 5],
    ['shipment held', 1, 5],
    ['shipment held', 3, 5],
    ['shipment submitted', 1, 5],
    ['orders begun', 2, 51],
    ['orders told', 2, 51],
  ])(
    'a process that dies at "%s" (%i times) leaves a shipment that is submitted by asking again: held once, each order begun once, nothing held at the end',
    async (failpoint, times, count) => {
      const merchant = await mesh.merchant((count + 10) * FEE)
      const id = await draft(mesh, merchant, count)
      mesh.death.at(failpoint, times)
      await submit(merchant, id).catch(() => undefined)
      await onceAvailable(() => submit(merchant, id))
      await allBegun(id, count)
      expect((await children(id)).filter(({ version, facts }) => version !== 1 || facts !== 1)).toEqual([])
      expect(await money(merchant.merchantId)).toEqual([10 * FEE, count * FEE])
      expect(await shipment(merchant, id)).toMatchObject({ status: 'submitted', hold_minor: count * FEE })
      await Promise.all(
        (await children(id)).map((child) =>
          onceAvailable(() => mesh.orders(merchant).cancelOrder({ id: child.id, reason: 'other' })),
        ),
      )
      await eventually(async () => expect(await money(merchant.merchantId)).toEqual([(count + 10) * FEE, 0]))
      await eventually(async () => expect((await shipment(merchant, id))?.status).toBe('completed'))
    },
  )

  test.each(['shipment hold begun', 'shipment held'])(
    'a process that dies at "%s" leaves a draft of which nothing stays held, and which nobody but the merchant submits',
    async (failpoint) => {
      const merchant = await mesh.merchant(10 * FEE)
      const id = await draft(mesh, merchant, 3)
      mesh.death.at(failpoint)
      await expect(submit(merchant, id)).rejects.toMatchObject({})
      // Whoever waited is gone.
      await mesh.service.context.database.worker.query(
        `UPDATE intent SET payload = jsonb_set(payload::jsonb, '{until}', to_jsonb(now())) WHERE subject_id = $1`,
        [id],
      )
      await givenUp(id)
      expect(await money(merchant.merchantId)).toEqual([10 * FEE, 0])
      expect(await shipment(merchant, id)).toMatchObject({ status: 'draft', counts: { draft: 3 } })
      expect(await submit(merchant, id)).toMatchObject({ status: 'submitted', hold_minor: 3 * FEE })
    },
  )

  test('a submit that the wallet did not answer is not made up for later: its draft is cancelled or submitted again at once', async () => {
    const merchant = await mesh.merchant(20 * FEE)
    const [again, cancelled] = [await draft(mesh, merchant, 3), await draft(mesh, merchant, 3)]
    const away = Array<'unreachable'>(1_000).fill('unreachable')
    mesh.line.fail('giveUpShipment', ...away)
    try {
      for (const id of [again, cancelled]) {
        mesh.line.fail('holdShipment', 'reply lost')
        await expect(submit(merchant, id)).rejects.toMatchObject({ code: 'service_unavailable' })
        await expect(submit(merchant, id)).rejects.toMatchObject({ code: 'service_unavailable' })
      }
      expect(await mesh.shipments(merchant).cancelShipment({ id: cancelled })).toMatchObject({
        shipment: { status: 'cancelled' },
        already_cancelled: false,
      })
    } finally {
      mesh.line.fail('giveUpShipment')
    }
    await givenUp(again)
    await givenUp(cancelled)
    expect(await money(merchant.merchantId)).toEqual([20 * FEE, 0])
    expect(await shipment(merchant, again)).toMatchObject({ status: 'draft', counts: { draft: 3 } })
    expect(await submit(merchant, again)).toMatchObject({ status: 'submitted', hold_minor: 3 * FEE })
    expect(await money(merchant.merchantId)).toEqual([17 * FEE, 3 * FEE])
    await allBegun(again, 3)
  })

  test('a hold that reaches the wallet after its submit was answered with an error holds nothing', async () => {
    const merchant = await mesh.merchant(10 * FEE)
    const id = await draft(mesh, merchant, 3)
    const late: Array<Parameters<typeof mesh.line.line.holdShipment>> = []
    mesh.line.fail('holdShipment', async (...args: Parameters<typeof mesh.line.line.holdShipment>) => {
      late.push(args)
      throw new Error('unreachable')
    })
    await expect(submit(merchant, id)).rejects.toMatchObject({ code: 'service_unavailable' })
    await givenUp(id)
    await expect(mesh.line.line.holdShipment(...late[0]!)).rejects.toMatchObject({ code: 'invalid_state' })
    expect(await money(merchant.merchantId)).toEqual([10 * FEE, 0])
  })

  test('a shipment that the wallet cannot bear stays a draft, says both amounts, and is submitted once there is enough', async () => {
    const merchant = await mesh.merchant(3 * FEE)
    const id = await draft(mesh, merchant, 5)
    await expect(submit(merchant, id)).rejects.toMatchObject({
      code: 'wallet_insufficient',
      details: { required_minor: 5 * FEE, balance_minor: 3 * FEE },
    })
    expect(await shipment(merchant, id)).toMatchObject({ status: 'draft', counts: { draft: 5 } })
    await mesh.wallet.fund({ kind: 'merchant', id: merchant.merchantId }, 2 * FEE)
    expect(await submit(merchant, id)).toMatchObject({
      status: 'submitted',
      hold_minor: 5 * FEE,
      already_submitted: false,
    })
    expect(await money(merchant.merchantId)).toEqual([0, 5 * FEE])
  })

  test('ten submits at once hold once, and of a race with a cancel nothing stays held for what is cancelled', async () => {
    const merchant = await mesh.merchant(100 * FEE)
    const id = await draft(mesh, merchant, 20)
    await Promise.all(Array.from({ length: 10 }, () => onceAvailable(() => submit(merchant, id))))
    expect(await money(merchant.merchantId)).toEqual([80 * FEE, 20 * FEE])
    const raced = await draft(mesh, merchant, 10)
    const [made] = await Promise.allSettled([
      onceAvailable(() => submit(merchant, raced)),
      mesh.shipments(merchant).cancelShipment({ id: raced }),
    ])
    const held = made.status === 'fulfilled' ? 30 : 20
    expect(await money(merchant.merchantId)).toEqual([(100 - held) * FEE, held * FEE])
  })

  test('the rider of an order is paid from what is held for it, also where the merchant has nothing else', async () => {
    const merchant = await mesh.merchant(2 * FEE, { rules: [{ amount_minor: 600 }] })
    const id = await draft(mesh, merchant, 2)
    await submit(merchant, id)
    await allBegun(id, 2)
    const [first, second] = await children(id)
    const rider = summary()
    await mesh.fulfilment().commitAssignment(acceptance(first!.id, rider))
    await onceAvailable(() => mesh.orders(merchant).updateOrder({ id: first!.id, status: 'delivered' }))
    await eventually(async () => expect(await money(merchant.merchantId)).toEqual([FEE - 600, FEE]))
    expect((await mesh.balances(merchant.merchantId, rider.id)).rider).toBe(600)
    await onceAvailable(() => mesh.orders(merchant).cancelOrder({ id: second!.id, reason: 'other' }))
    await eventually(async () => expect(await money(merchant.merchantId)).toEqual([2 * FEE - 600, 0]))
    await eventually(async () => expect((await shipment(merchant, id))?.status).toBe('completed'))
  })

  test('of two processes that submit at once the slower one takes nothing back', async () => {
    const merchant = await mesh.merchant(10 * FEE)
    const id = await draft(mesh, merchant, 3)
    let answer = (): void => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    mesh.line.fail('holdShipment', answered)
    const slow = submit(merchant, id)
    await eventually(async () => expect(await holds(id)).toEqual([{ state: 'placed' }]))
    // As long as the slow one takes, nobody is left to it.
    await mesh.service.context.database.worker.query(
      'UPDATE intent SET lease_until = app_now(), next_at = app_now() WHERE subject_id = $1',
      [id],
    )
    expect(await onceAvailable(() => submit(merchant, id))).toMatchObject({ status: 'submitted', hold_minor: 3 * FEE })
    answer()
    expect(await slow).toMatchObject({ status: 'submitted', hold_minor: 3 * FEE })
    await allBegun(id, 3)
    expect(await money(merchant.merchantId)).toEqual([7 * FEE, 3 * FEE])
    expect(await mesh.intents(id)).toEqual([{ kind: 'shipment_hold', state: 'applied', attempt: 1 }])
  })

  test('what is held for a sandbox draft goes back once the draft is deleted, also where its submit is under way', async () => {
    const merchant = merchantCaller()
    const id = await draft(mesh, merchant, 2)
    let arrived = (): void => {}
    const held = new Promise<void>((resolve) => {
      arrived = resolve
    })
    mesh.line.fail('holdShipment', held)
    const submitted = submit(merchant, id).catch((error: unknown) => error)
    await eventually(async () => expect(await holds(id)).toEqual([{ state: 'placed' }]))
    for (const [table, own] of [
      ['orders', 'shipment_id'],
      ['shipments', 'id'],
    ])
      await mesh.service.context.database.worker.query(
        `UPDATE ${table} SET created_at = now() - interval '1 year' WHERE ${own} = $1`,
        [id],
      )
    await purgeTestOrders(mesh.service.context)
    expect(await mesh.rows('SELECT FROM shipments WHERE id = $1', [id])).toEqual([])
    arrived()
    expect(await submitted).toMatchObject({ code: 'not_found' })
    await eventually(async () => expect(await holds(id)).toEqual([{ state: 'voided' }]))
  })
})

describe('a service that is killed with SIGKILL', () => {
  const ROWS = 160
  const KILLS = 3
  const PATIENT = { timeoutMs: 200_000 }
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url))

  test('at any row goes on where it was: each order begins once', async () => {
    const { env, sql, release } = await orderSurroundings()
    const port = await freePort()
    const clients = clientsOf(`127.0.0.1:${port}`)
    let running: ChildProcess | undefined
    const start = (): ChildProcess =>
      spawn(process.execPath, ['--conditions=source', main], {
        env: { ...process.env, NODE_OPTIONS: '', ...env, HOST: '127.0.0.1', GRPC_PORT: String(port), OPS_PORT: '0' },
        stdio: 'ignore',
      })
    const kill = async (): Promise<void> => {
      if (!running || running.exitCode !== null) return
      const gone = once(running, 'exit')
      running.kill('SIGKILL')
      await gone
    }
    try {
      running = start()
      const caller = merchantCaller()
      const mesh = { shipments: (by: Caller) => clients.shipments(by) } as SettlementMesh
      const id = await eventually(() => draft(mesh, caller, ROWS), PATIENT)
      await eventually(() => clients.shipments(caller).submitShipment({ id }))
      const begun = async (): Promise<number> => {
        const rows = await sql<{ count: number }>(
          `SELECT count(*)::int AS count FROM orders WHERE shipment_id = $1 AND status = 'pending'`,
          [id],
        )
        return rows[0]!.count
      }
      let kills = 0
      for (let seen = await begun(); seen < ROWS && kills < KILLS; seen = await begun()) {
        await eventually(async () => (await begun()) > seen, PATIENT)
        await kill()
        kills += 1
        running = start()
      }
      expect(kills).toBeGreaterThan(0)
      await eventually(async () => expect(await begun()).toBe(ROWS), PATIENT)
      const rows = await sql<Child>(CHILDREN, [id])
      expect(rows).toHaveLength(ROWS)
      expect(rows.filter(({ status, version, facts }) => status !== 'pending' || version !== 1 || facts !== 1)).toEqual(
        [],
      )
    } finally {
      await kill()
      clients.close()
      await release()
    }
  }, 900_000)
})
