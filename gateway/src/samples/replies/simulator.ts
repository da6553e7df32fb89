import type { RpcReplies } from '../rpc-replies.ts'
import { order, placedOrder } from './order.ts'
import { at, id } from './pieces.ts'

const actions = ['accept', 'pickup', 'deliver']

const scenario = {
  order_id: id,
  scenario: 'lost',
  state: 'running',
  step_delay_ms: 3_000,
  simulator_rider_id: id,
  steps: [
    { step: 'offered', fires_at: at, state: 'failed', ended_at: at, error: 'offer_unavailable' },
    { step: 'accepted', fires_at: at, state: 'skipped' },
  ],
}

export const simulatorReplies = {
  createSimulatorOrder: { order: placedOrder, idempotent: false, simulator_rider_id: id, available_actions: actions },
  simulateRiderAction: {
    order,
    previous_status: 'pending',
    changed: true,
    out_of_sequence: false,
    simulator_rider_id: id,
    events: [{ event: 'order.accepted', event_id: id }],
    available_actions: actions,
  },
  createAutoSimulatorOrder: {
    order: placedOrder,
    idempotent: false,
    simulator_rider_id: id,
    timeline: [{ event: 'order.created', fires_at: at, status: 'pending', events: ['order.created'] }],
    step_delay_ms: 3_000,
  },
  startScenario: { scenario, idempotent: false },
  getScenario: { scenario },
  advanceClock: { now: at },
} satisfies Partial<RpcReplies>
