import type { CreateOrderBody, OrderRow } from '@delivery-dispatch/sdk'
import type { Command } from '../command.ts'
import { EXIT, Failure } from '../failure.ts'
import { count, jsonOf, needed } from '../input.ts'
import type { Output } from '../output.ts'

export const listOrders: Command = {
  usage: 'orders list',
  summary: 'List orders, newest first',
  options: {
    status: { type: 'string', value: 'STATUS', text: 'Only those of this status' },
    source: { type: 'string', value: 'SOURCE', text: 'Only those of this source' },
    'external-id': { type: 'string', value: 'ID', text: 'Only the one with this number of yours' },
    limit: { type: 'string', short: 'n', value: 'N', text: 'How many; 20 unless given' },
  },
  async run({ output, dispatch }, _, values) {
    const limit = count('limit', values['limit'], 10_000) ?? 20
    const query = {
      status: values['status'] as string | undefined,
      source: values['source'] as string | undefined,
      external_order_id: values['external-id'] as string | undefined,
      limit: Math.min(limit, 200),
    }
    const orders: OrderRow[] = []
    for await (const order of dispatch().listOrders(query)) {
      // A program has each as it comes; people have columns as wide as what stands in all of them.
      if (output.isJson) output.show(order)
      else if (orders.length > 0 && orders.length % query.limit === 0) output.working(`${orders.length} orders …`)
      if (orders.push(order) >= limit) break
    }
    if (!output.isJson)
      output.show(undefined, ...(orders.length === 0 ? ['No order.'] : output.table(orders.map(columns))))
  },
}

export const getOrder: Command = {
  usage: 'orders get ID',
  summary: 'Show an order and what happened to it',
  async run({ output, dispatch }, [given]) {
    const id = needed(given, 'ID', this.usage)
    const { order } = await dispatch().getOrder(id)
    if (output.isJson) return output.show(order)
    const { events } = await dispatch().listEvents({ order_id: id, limit: 200 })
    output.show(
      order,
      ...details(output, order),
      '',
      ...output.table(events.map((event) => [event.occurred_at, String(event.sequence), event.event])),
    )
  },
}

export const createOrder: Command = {
  usage: 'orders create FILE',
  summary: 'Place the order of a JSON file, or of standard input for -',
  options: {
    preflight: { type: 'boolean', text: 'Only say what it would be refused for' },
  },
  async run({ output, dispatch }, [file], values) {
    const body = jsonOf(needed(file, 'FILE', this.usage)) as CreateOrderBody
    if (values['preflight']) {
      const answer = await dispatch().preflightOrder(body)
      const failures = answer.failures.map((failure) => `${output.paint('red', failure.error)}  ${failure.message}`)
      output.show(answer, ...(answer.ok ? [output.paint('green', 'It would be accepted.')] : failures))
      if (!answer.ok) throw new Failure('It would be refused.', EXIT.refused)
      return
    }
    const { order, idempotent } = await dispatch().createOrder(body)
    output.show(order, idempotent ? 'There already:' : output.paint('green', 'Placed:'), ...details(output, order))
  },
}

export const assignOrder: Command = {
  usage: 'orders assign ORDER_ID RIDER_ID',
  summary: 'Give an order to a rider of your fleet',
  async run({ output, dispatch }, [orderId, riderId]) {
    const rider_id = needed(riderId, 'RIDER_ID', this.usage)
    const answer = await dispatch().assignRider(needed(orderId, 'ORDER_ID', this.usage), { rider_id })
    output.show(answer, output.paint('green', 'Assigned:'), ...details(output, answer.order))
  },
}

export const cancelOrder: Command = {
  usage: 'orders cancel ID',
  summary: 'Cancel an order',
  options: { reason: { type: 'string', value: 'TEXT', text: 'Why; cancelled_by_merchant unless given' } },
  async run({ output, dispatch }, [id], values) {
    const reason = String(values['reason'] ?? 'cancelled_by_merchant')
    const answer = await dispatch().cancelOrder(needed(id, 'ID', this.usage), { reason })
    output.show(answer, answer.already_cancelled ? 'It was cancelled already.' : output.paint('green', 'Cancelled.'))
  },
}

const columns = (order: OrderRow): string[] => [
  order.created_at,
  order.id,
  order.status,
  order.source,
  order.external_order_id,
]

const details = (
  output: Output,
  order: Pick<OrderRow, 'id' | 'status' | 'source' | 'external_order_id' | 'customer_tracking_url' | 'created_at'>,
) =>
  output.table([
    ['id', order.id],
    ['status', order.status],
    ['number', `${order.source} ${order.external_order_id}`],
    ['created', order.created_at],
    ['tracking', order.customer_tracking_url ?? '-'],
  ])
