import type { Merchant } from '@svc/contracts/admin/v1/merchant'
import { MerchantServiceService } from '@svc/contracts/admin/v1/merchant_service'
import { grpcClient, systemCaller } from '@svc/grpc'
import { type Part, worker } from '@svc/lifecycle'
import type { Transact, Tx } from '@svc/transact'

const PAGE = 100
const POLL_MS = 3_600_000
const RETRY_MS = { first: 500, last: 10_000 }

interface Learning {
  service: string
  admin: { address: string; secret: string }
  transact: Transact
  take: (tx: Tx, merchant: Merchant) => Promise<void>
}

export interface MerchantsLearned extends Required<Part> {
  /** The same part, which starts once every merchant is known. */
  before(part: Required<Part>): Required<Part>
}

interface Progress {
  after: string | null
  isDone: boolean
}

/**
 * Takes over every merchant that admin knows, once per database, page by page: the topic of their facts forgets after
 * days. Goes on where it stopped, and waits for an admin that is away.
 */
export function learnMerchants({ service, admin, transact, take }: Learning): MerchantsLearned {
  const client = grpcClient(MerchantServiceService, { ...admin, from: service, to: 'admin' })
  const learned = Promise.withResolvers<boolean>()
  let isDone = false

  async function work(): Promise<boolean> {
    if (isDone) return false
    const from = await transact('every tenant', (tx) => progressOf(tx))
    if (from.isDone) {
      isDone = true
      learned.resolve(true)
      return false
    }
    const { items } = await client
      .as(systemCaller(service))
      .pageMerchants({ after: from.after ?? undefined, limit: PAGE })
    await transact('every tenant', async (tx) => {
      // Another replica may have taken the page meanwhile.
      if ((await progressOf(tx, 'FOR UPDATE')).after !== from.after) return
      for (const merchant of items) await take(tx, merchant)
      await tx.sql(
        'UPDATE merchants_learned SET after = coalesce($1::uuid, after), done_at = CASE WHEN $2 THEN app_now() END',
        [items.at(-1)?.id ?? null, items.length < PAGE],
      )
    })
    return true
  }

  const learning = worker({
    name: 'merchants',
    pollMs: POLL_MS,
    retryInMs: (failures) => Math.min(RETRY_MS.first * 2 ** (failures - 1), RETRY_MS.last),
    failed: 'merchants cannot be learned of yet; facts wait for them',
    work,
  })
  return {
    name: learning.name,
    start: () => learning.start(),
    async stop() {
      await learning.stop()
      learned.resolve(false)
      client.close()
    },
    before: (part) => ({
      ...part,
      async start() {
        void learned.promise.then((isKnown) => (isKnown ? part.start() : undefined))
      },
    }),
  }
}

async function progressOf(tx: Tx, lock: 'FOR UPDATE' | '' = ''): Promise<Progress> {
  const { rows } = await tx.sql<Progress>(
    `SELECT after, done_at IS NOT NULL AS "isDone" FROM merchants_learned ${lock}`,
  )
  return rows[0]!
}
