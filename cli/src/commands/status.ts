import type { Command } from '../command.ts'

export const status: Command = {
  usage: 'status',
  summary: 'Who you are, whether the service is there, and how your endpoint fares',
  async run({ output, dispatch, profile }) {
    const { baseUrl, environment } = profile()
    const ready = fetch(`${baseUrl}/health/ready`, { signal: AbortSignal.timeout(10_000) }).then(
      ({ ok }) => (ok ? 'ready' : 'not ready'),
      () => 'no answer',
    )
    const [service, { merchant }, endpoint, dead] = await Promise.all([
      ready,
      dispatch().getAccount(),
      dispatch().getOutboundWebhook(),
      dispatch().listDeliveries({ status: 'dead', limit: 1 }),
    ])
    const webhook = endpoint.url === null ? 'no URL' : `${endpoint.url}, ${endpoint.enabled ? 'enabled' : 'disabled'}`
    output.show(
      {
        service,
        merchant,
        environment,
        outbound_webhook: endpoint,
        dead_deliveries: dead.total,
      },
      ...output.table([
        ['service', `${baseUrl}, ${service}`],
        ['merchant', `${merchant.name} (${environment})`],
        ['endpoint', endpoint.disabled_reason ? `${webhook} (${endpoint.disabled_reason})` : webhook],
        ['dead', dead.total === 0 ? 'none' : `${dead.total}: dispatch replay --since 1d --status dead`],
      ]),
    )
  },
}
