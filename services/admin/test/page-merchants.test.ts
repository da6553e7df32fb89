import { afterAll, beforeAll, expect, test } from '@jest/globals'
import { MerchantServiceService } from '@svc/contracts/admin/v1/merchant_service'
import { type Client, systemCaller } from '@svc/grpc'
import { TEST_SECRET, testClient } from '@svc/testing'
import { signUp, startAdmin } from './start-admin.ts'

let admin: Awaited<ReturnType<typeof startAdmin>>
let client: Client<typeof MerchantServiceService>

beforeAll(async () => {
  admin = await startAdmin({ CALLER_SECRET_INGESTION_ADMIN: TEST_SECRET })
  const address = admin.service.address()
  client = testClient(MerchantServiceService, { address, to: 'admin' })
})

afterAll(async () => {
  client?.close()
  await admin?.stop()
})

test('a service that pages through the merchants gets each once, as it is now', async () => {
  const made: string[] = []
  for (let n = 0; n < 5; n++) made.push((await signUp(admin)).merchantId)
  const as = client.as(systemCaller('ingestion'))
  const paged: string[] = []
  for (let more = true; more; ) {
    const { items } = await as.pageMerchants({ after: paged.at(-1), limit: 2 })
    paged.push(...items.map(({ id }) => id))
    more = items.length === 2
    for (const { version } of items) expect(version).toBe(1)
  }
  expect(paged).toEqual(made.toSorted())
})
