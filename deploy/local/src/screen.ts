import { baseUrlOf, type MeshSettings, providersUrlOf } from '@svc/mesh'
import { demoOf } from './seed.ts'
import { metricsUrls } from './stack-file.ts'

/** One screen: where to go, which key to use, and a first order to copy. */
export function screen(settings: MeshSettings, seconds?: number): string {
  const { merchant, testApiKey, administrators } = demoOf(settings)
  const metrics = Object.entries(metricsUrls(settings)).map(([name, url]) => `${name} ${url}`)
  return `
Ready${seconds === undefined ? '' : ` in ${seconds.toFixed(1)} s`}.

  API         ${baseUrlOf(settings)}
  Quick start ${baseUrlOf(settings)}/docs/guides/quick-start
  Guides      ${baseUrlOf(settings)}/docs/guides
  Reference   ${baseUrlOf(settings)}/docs
  Providers   ${providersUrlOf(settings) ?? '-'}/__control/outbox
  Metrics     ${metrics.join('\n              ')}
  Logs        .local/logs
  For tools   .local/stack.json

  Demo merchant   ${merchant.email}   password ${merchant.password}
  Operator        ${administrators[0]?.email}   password ${administrators[0]?.password}
  Test key        ${testApiKey}

Place an order:

${firstOrder(baseUrlOf(settings), testApiKey)}

Ctrl-C stops everything.
`
}

/** A command whose times lie in the future whenever it is run. */
export function firstOrder(baseUrl: string, apiKey: string): string {
  return `at() { date -u -d "$1" +%Y-%m-%dT%H:%M:%SZ; }
curl -sS ${baseUrl}/v1/orders \\
  -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' \\
  -d '{"schema_version":"1","source":"api","external_order_id":"first-'$(date +%s)'","raw_payload":{},"standardized":{
       "customer_name":"Ada Obi","customer_phone":"+2348031234567",
       "pickup_address":"12 Marina Road, Lagos","dropoff_address":"5 Admiralty Way, Lekki",
       "scheduled_pickup_at":"'$(at '+1 hour')'",
       "delivery_window_start":"'$(at '+1 hour')'","delivery_window_end":"'$(at '+3 hours')'"}}'`
}
