import { eventually, type Mesh } from '@svc/testing'
import pg from 'pg'

/** Consumers that take over every new order, by their service. */
const TAKERS = { dispatch: 'order-created', webhook: 'event-log' }

/** Waits until those who take orders over have taken all there are: what a load costs includes them. */
export interface TakenOver {
  (): Promise<void>
  close(): Promise<void>
}

export function takenOver({ databaseUrls }: Pick<Mesh, 'databaseUrls'>): TakenOver {
  const pools = Object.fromEntries(
    ['order', ...Object.keys(TAKERS)].map((service) => [
      service,
      new pg.Pool({ connectionString: databaseUrls[service]?.worker, max: 1 }),
    ]),
  )
  const count = async (service: string, text: string, values: string[]) =>
    Number((await pools[service]!.query(text, values)).rows[0].count)
  const isDone = async () => {
    const orders = await count('order', 'SELECT count(*) FROM outbox WHERE type = $1', ['order.created'])
    const taken = await Promise.all(
      Object.entries(TAKERS).map(([service, consumer]) =>
        count(service, 'SELECT count(*) FROM inbox WHERE consumer = $1', [consumer]),
      ),
    )
    return taken.every((facts) => facts >= orders)
  }
  const wait = async () => {
    await eventually(isDone, { timeoutMs: 120_000, intervalMs: 250 })
  }
  const close = async () => {
    for (const pool of Object.values(pools)) await pool.end()
  }
  return Object.assign(wait, { close })
}
