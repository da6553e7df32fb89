import { randomUUID } from 'node:crypto'
import type { StartScenarioBody } from '@delivery-dispatch/sdk'
import type { Command, Session } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'
import { needed } from '../input.ts'
import { pause } from '../pause.ts'
import { requireSandbox } from '../sandbox.ts'

const ACTIONS = ['accept', 'pickup', 'deliver'] as const

const LOOK_AGAIN_MS = 1_000

export const trigger: Command = {
  usage: 'trigger order|auto|accept|pickup|deliver [ORDER_ID]',
  summary: 'Rehearse in the sandbox: a new order, one that drives itself, or the next step of one',
  async run(session, [what, orderId]) {
    const { output, dispatch } = session
    requireSandbox(session)
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

export const scenario: Command = {
  usage: 'scenario NAME ORDER_ID',
  summary:
    'Rehearse how a delivery goes: accept, decline, offer_expire, no_rider, gps_route, otp_wrong, cancel_after_pickup, cod_refused, lost',
  options: { 'step-delay': { type: 'string', value: 'MS', text: 'Between two steps' } },
  async run(session, [name, orderId], values) {
    const { output, dispatch } = session
    requireSandbox(session)
    const delay = values['step-delay']
    // Which names there are is the service's to say: it lists them in its refusal.
    const started = await dispatch().startScenario({
      scenario: needed(name, 'NAME', this.usage) as StartScenarioBody['scenario'],
      order_id: needed(orderId, 'ORDER_ID', this.usage),
      ...(delay === undefined ? {} : { step_delay_ms: Number(delay) }),
    })
    output.note(`${started.scenario} of ${started.order_id} has begun.`)
    const ended = await untilEnded(session, started.order_id)
    if (!ended) return
    output.show(
      ended,
      `${output.paint(ended.state === 'completed' ? 'green' : 'red', ended.state)}  dispatch orders get ${ended.order_id}`,
    )
    if (ended.state !== 'completed') throw new Failure('')
  },
}

async function untilEnded({ dispatch, signal }: Session, orderId: string) {
  for (;;) {
    const at = await dispatch().getScenario(orderId, { signal })
    if (at.state !== 'running') return at
    await pause(LOOK_AGAIN_MS, signal)
    if (signal.aborted) return undefined
  }
}
