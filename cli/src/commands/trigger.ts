import { randomUUID } from 'node:crypto'
import type { Command } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'
import { needed } from '../input.ts'

const ACTIONS = ['accept', 'pickup', 'deliver'] as const

export const trigger: Command = {
  usage: 'trigger order|auto|accept|pickup|deliver [ORDER_ID]',
  summary: 'Rehearse in the sandbox: a new order, one that drives itself, or the next step of one',
  async run({ output, dispatch, profile }, [what, orderId]) {
    if (profile().apiKey.startsWith('svc_live_'))
      throw new Failure('This needs a test key (svc_test_…): dispatch login', EXIT.usage)
    const action = ACTIONS.find((one) => one === what)
    if (action) {
      const answer = await dispatch().simulateRiderAction({ order_id: needed(orderId, 'ORDER_ID', this.usage), action })
      return output.show(answer, `${answer.order_id}  ${answer.status}`)
    }
    const body = {
      external_order_id: `cli-${randomUUID()}`,
      pickup_address: '12 Marina Road, Lagos',
      dropoff_address: '4 Admiralty Way, Lekki',
      customer_phone: '+2348012345678',
    }
    if (what !== 'order' && what !== 'auto') throw new Failure(`dispatch ${this.usage}`, EXIT.usage)
    const { order_id } =
      what === 'auto' ? await dispatch().createAutoSimulatorOrder(body) : await dispatch().createSimulatorOrder(body)
    output.show(
      { order_id },
      `${output.paint('green', 'Placed')} ${order_id}`,
      output.paint(
        'dim',
        what === 'auto'
          ? `It goes its way by itself: dispatch orders get ${order_id}`
          : `Next: dispatch trigger accept ${order_id}`,
      ),
    )
  },
}
