import type {
  CreateAutoSimulatorOrderResponse,
  CreateSimulatorOrderResponse,
  SimulateRiderActionResponse,
} from '@svc/contracts/order/v1/simulator_service'
import { present } from './or-null.ts'
import { orderView } from './order.ts'

export function simulatorOrderView(created: CreateSimulatorOrderResponse): Record<string, unknown> {
  const order = present(created.order)
  return {
    ok: true,
    order_id: order.id,
    is_test: true,
    idempotent: created.idempotent,
    simulator_rider_id: created.simulator_rider_id,
    order: orderView(order),
    available_actions: created.available_actions,
    message: created.idempotent
      ? 'A simulator order with this external_order_id exists; nothing was created.'
      : 'Simulator order created. Drive it with POST /v1/test/simulator/rider-action.',
  }
}

export function riderActionView(action: string, acted: SimulateRiderActionResponse): Record<string, unknown> {
  const order = present(acted.order)
  return {
    ok: true,
    order_id: order.id,
    is_test: true,
    action,
    previous_status: acted.previous_status,
    status: order.status,
    changed: acted.changed,
    out_of_sequence: acted.out_of_sequence,
    simulator_rider_id: acted.simulator_rider_id,
    events: acted.events.map(({ event, event_id }) => ({ event, event_id })),
    available_actions: acted.available_actions,
    order: orderView(order),
  }
}

export function autoSimulatorOrderView(created: CreateAutoSimulatorOrderResponse): Record<string, unknown> {
  const order = present(created.order)
  return {
    ok: true,
    order_id: order.id,
    is_test: true,
    idempotent: created.idempotent,
    simulator_rider_id: created.simulator_rider_id,
    auto_progress: created.timeline.length > 1,
    step_delay_ms: created.step_delay_ms,
    timeline: created.timeline.map(({ event, fires_at, status, events }) => ({ event, fires_at, status, events })),
    order: orderView(order),
    message: created.idempotent
      ? 'A simulator order with this external_order_id exists; no timers were started. The timeline is its own.'
      : 'Simulator order created. Its events fire on the schedule of the timeline.',
  }
}
