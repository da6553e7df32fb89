import { afterEach, expect, test } from '@jest/globals'
import { freezable } from './freezable.ts'
import { callBy, merchant, orderClient, startOrderService } from './order-service.ts'

const closers: Array<() => unknown> = []
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close()
})

callBy('shared')

test('of two replicas one may freeze: before long the other alone is called', async () => {
  const served: string[] = []
  const replica = async (name: string) => {
    const service = await startOrderService({
      cancelOrder: async () => {
        served.push(name)
        return { order: undefined, already_cancelled: false }
      },
    })
    closers.push(service.stop)
    return service
  }
  const [first, second] = [await replica('first'), await replica('second')]
  const way = await freezable(first.address)
  closers.push(way.close)
  const orders = orderClient(`${way.address},${second.address}`)
  closers.push(() => orders.close())
  const isAnswered = () =>
    orders
      .as(merchant, { deadlineMs: 1_000 })
      .cancelOrder({ id: 'o-1', reason: 'x' })
      .then(
        () => true,
        () => false,
      )
  while (!(served.includes('first') && served.includes('second'))) await isAnswered()

  way.freeze()
  let inTurn = 0
  while (inTurn < 20) inTurn = (await isAnswered()) ? inTurn + 1 : 0
  expect(served.slice(-20)).toEqual(Array.from({ length: 20 }, () => 'second'))
})
