import { expect, test } from '@jest/globals'
import { systemBy } from '@svc/grpc'
import type { Config } from '../config.ts'
import { connectDispatch } from './dispatch.ts'

test('where no dispatch is wanted, an assignment that was kept stays open, and no new one is promised', async () => {
  const none = connectDispatch({ dispatchGrpcAddress: undefined } as Config)
  const { actor } = systemBy('order').caller
  const wanted = { orderId: 'order', riderId: 'rider', merchantId: 'merchant', actor }
  await expect(none.assign(wanted)).rejects.toMatchObject({ code: 'service_unavailable' })
  await expect(none.checkAssignable(systemBy('order'), 'rider')).rejects.toMatchObject({ code: 'not_found' })
})
