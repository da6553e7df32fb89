import { randomBytes, randomUUID } from 'node:crypto'
import { OrderServiceService } from '@svc/contracts/order/v1/order_service'
import { type Caller, grpcClient } from '@svc/grpc'
import type { Rotating, Rotation } from '../rotation.ts'

const VARIABLE = 'CALLER_SECRET_GATEWAY_ORDER'

/** First the callee takes both, then the caller signs with the new one, then it stands alone. */
export const callers: Rotation = {
  name: 'callers',
  async rotate(rotating) {
    const old = rotating.told('gateway', VARIABLE)
    const fresh = randomBytes(48).toString('base64')
    for (const processes of [['order'], ['gateway']]) await rotating.roll(processes, { [VARIABLE]: `${fresh},${old}` })
    for (const processes of [['order'], ['gateway']]) await rotating.roll(processes, { [VARIABLE]: fresh })
    if (!(await isTaken(rotating, fresh))) throw new Error('the new secret signs no call')
    if (await isTaken(rotating, old)) throw new Error('the old secret still signs calls')
  },
}

/** Whether order takes a call that somebody signs with that. */
async function isTaken({ told, merchant, certificates }: Rotating, secret: string): Promise<boolean> {
  const tls = certificates.files('gateway')
  const link = { address: told('gateway', 'ORDER_GRPC_ADDRESS'), from: 'gateway', to: 'order', secret, tls } as const
  const orders = grpcClient(OrderServiceService, link)
  const caller: Caller = {
    kind: 'merchant',
    merchantId: merchant.merchantId,
    isTest: true,
    scopes: ['orders:read'],
    actor: { type: 'merchant_key', id: randomUUID() },
    requestId: randomUUID(),
  }
  try {
    await orders.as(caller).getOrder({ id: randomUUID() })
    return true
  } catch (error) {
    return (error as { code?: string }).code === 'not_found'
  } finally {
    orders.close()
  }
}
