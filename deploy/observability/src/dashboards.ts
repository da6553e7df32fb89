import { dashboard, type Row } from './grafana.ts'
import { type Doing, latency, panel, processRow, quantile, rate, serviceRows } from './panels.ts'

const ORDERS = 'method="POST",route="/v1/orders"'

const journey: Row[] = [
  {
    title: 'Placed',
    panels: [
      panel('Orders placed, by outcome', 'reqps', {
        '{{outcome}}': `sum by (outcome) (${rate('http_requests_total', ORDERS)})`,
      }),
      latency('Time to answer', 'http_request_duration_seconds', ORDERS),
    ],
  },
  {
    title: 'Announced and dispatched',
    panels: [
      panel('Age of the oldest fact that waits for Kafka', 's', {
        '{{source}}': 'max by (source) (outbox_lag_seconds)',
      }),
      panel('Facts not handled yet, by group', 'short', { '{{group}}': 'max by (group) (consumer_lag)' }),
      panel('Riders on offers', 'reqps', {
        '{{route}} {{outcome}}': `sum by (route, outcome) (${rate('http_requests_total', 'route=~"/v1/riders/me/dispatch-offers.*"')})`,
      }),
      panel('Positions', 'reqps', {
        '{{outcome}}': `sum by (outcome) (${rate('http_requests_total', 'route="/v1/riders/{riderId}/location"')})`,
      }),
    ],
  },
  {
    title: 'Paid',
    panels: [
      panel('Settlements, by how they ended', 'reqps', {
        '{{state}}': `sum by (state) (${rate('settlements_total')})`,
      }),
      panel('Age of the oldest that is undecided', 's', {
        '{{kind}}': 'max by (kind) (intent_oldest_seconds{kind=~"commission.*"})',
      }),
    ],
  },
  {
    title: 'Told to merchants',
    panels: [
      latency(
        'From the event to the first attempt, at endpoints that work',
        'webhook_event_to_post_seconds',
        'lane="ok"',
      ),
      panel('Attempts, by what they meant', 'reqps', {
        '{{outcome}}': `sum by (outcome) (${rate('webhook_attempts_total')})`,
      }),
    ],
  },
  {
    title: 'Promises: how many times too fast the budget is used up, over an hour',
    panels: [
      panel('Failures', 'short', {
        requests: 'slo:requests_errors:ratio1h / 0.001',
        orders: 'slo:orders_errors:ratio1h / 0.001',
        offers: 'slo:offers_errors:ratio1h / 0.001',
        positions: 'slo:positions_errors:ratio1h / 0.001',
      }),
      panel('Lateness', 'short', {
        requests: 'slo:requests_slow:ratio1h / 0.01',
        webhooks: 'slo:webhooks_slow:ratio1h / 0.01',
        money: 'slo:money_late:ratio1h / 0.005',
      }),
    ],
  },
]

const gateway: Row[] = [
  {
    title: 'Requests',
    panels: [
      panel('By outcome', 'reqps', { '{{outcome}}': `sum by (outcome) (${rate('http_requests_total')})` }),
      panel('Failed by our fault, by route', 'reqps', {
        '{{method}} {{route}} {{status}}': `topk(10, sum by (method, route, status) (${rate('http_requests_total', 'outcome="server"')}))`,
      }),
      latency('Time to answer', 'http_request_duration_seconds'),
      panel('Slowest routes (p99)', 's', {
        '{{method}} {{route}}': `topk(10, ${quantile(0.99, 'http_request_duration_seconds', '', ['method', 'route'])})`,
      }),
      panel('Refused by limits', 'reqps', {
        '{{route}}': `topk(10, sum by (route) (${rate('http_requests_total', 'status="429"')}))`,
      }),
      panel('Counted without Redis', 'reqps', { requests: `sum(${rate('rate_limit_without_redis_total')})` }),
      panel('Sockets that are open', 'short', { '{{instance}}': 'realtime_sockets' }),
      panel('Calls to services (p99)', 's', {
        '{{to}}': quantile(0.99, 'rpc_client_duration_seconds', 'job="gateway"', ['to']),
      }),
    ],
  },
]

const webhook: Row[] = [
  {
    title: 'Deliveries',
    panels: [
      panel('That wait, by state', 'short', { '{{state}}': 'max by (state) (webhook_backlog)' }),
      panel('Attempts, by what they meant', 'reqps', {
        '{{outcome}}': `sum by (outcome) (${rate('webhook_attempts_total')})`,
      }),
      latency(
        'From the event to the first attempt, at endpoints that work',
        'webhook_event_to_post_seconds',
        'lane="ok"',
      ),
      panel(
        'Longest that a lane has been due',
        's',
        { wait: 'max(webhook_lane_wait_seconds)' },
        'Above 30 s nobody claims it.',
      ),
      panel('Endpoints', 'short', { '{{state}}': 'max by (state) (webhook_lanes)' }),
      panel('Facts that wait for an earlier one', 'short', { facts: 'max(webhook_held_facts)' }),
    ],
  },
]

const ingestion: Row[] = [
  {
    title: 'Hooks',
    panels: [
      panel('Taken, by channel', 'reqps', { '{{channel}}': `sum by (channel) (${rate('hooks_received_total')})` }),
      panel('Refused', 'reqps', {
        '{{channel}} {{reason}}': `sum by (channel, reason) (${rate('hooks_refused_total')})`,
      }),
      panel('Dead letters', 'short', { hooks: 'max(hook_dead_letters)' }),
      panel('Age of the oldest without a verdict', 's', { age: 'max(hook_oldest_unjudged_seconds)' }),
    ],
  },
]

const wallet: Row[] = [
  {
    title: 'Money',
    panels: [
      panel('Payment hooks, by what became of them', 'reqps', {
        '{{outcome}} {{reason}}': `sum by (outcome, reason) (${rate('payment_hooks_total')})`,
      }),
      panel('Age of the oldest payout that has not ended', 's', { age: 'max(payout_oldest_seconds)' }),
    ],
  },
]

const dispatch: Row[] = [
  {
    title: 'Riders',
    panels: [
      panel('Codes by SMS', 'reqps', {
        '{{channel}} {{status}}': `sum by (channel, status) (${rate('sms_codes_total')})`,
      }),
      panel('Moves that sockets were not told of', 'reqps', { moves: `sum(${rate('realtime_untold_total')})` }),
    ],
  },
]

const ofService = (name: string, does: readonly Doing[], own: readonly Row[] = []) =>
  dashboard(`dispatch-${name}`, `Delivery Dispatch: ${name}`, [...own, ...serviceRows(name, does), processRow(name)])

/** Every dashboard, by the name of its file. */
export const dashboards: Readonly<Record<string, object>> = {
  'journey-of-an-order': dashboard('dispatch-journey', 'Delivery Dispatch: the journey of an order', journey),
  gateway: dashboard('dispatch-gateway', 'Delivery Dispatch: gateway', [...gateway, processRow('gateway')]),
  order: ofService('order', ['calls', 'intents']),
  dispatch: ofService('dispatch', ['calls', 'facts', 'intents'], dispatch),
  wallet: ofService('wallet', ['calls', 'facts', 'intents'], wallet),
  webhook: ofService('webhook', ['facts'], webhook),
  ingestion: ofService('ingestion', ['calls', 'facts', 'intents'], ingestion),
  admin: ofService('admin', ['facts', 'intents']),
}
