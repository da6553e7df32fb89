import { eventually } from '@svc/testing'
import { Api, answered } from '../../journeys/merchant.ts'
import type { Fault } from '../fault.ts'

const HEADERS = { 'x-payments-a-signature': '0'.repeat(128) }

export const HOOKS: readonly Fault[] = [
  {
    name: 'hooks-badly-signed',
    what: 'the payment provider signs with another key than ours, hook after hook',
    watched: [{ alert: 'HooksRefused', section: 'ingestion.md#refused' }],
    async cause(stage) {
      const provider = new Api(stage.system.baseUrl)
      const end = stage.repeat(2_000, () => provider.post('/webhooks/payments-a/platform', {}, HEADERS))
      return async () => {
        await stage.follow('ingestion.md#refused')
        end()
      }
    },
  },
  {
    name: 'hook-useless',
    what: 'the payment provider sends a hook with the right signature and without an event',
    watched: [{ alert: 'HooksDead', section: 'ingestion.md#dead-letters' }],
    async cause(stage) {
      const provider = new Api(stage.system.providersUrl)
      const body = JSON.stringify({ told: 'nothing', id: crypto.randomUUID() })
      answered(200, await provider.post('/__control/emit', { provider: 'payments-a', body }))
      const operator = await stage.operator()
      const [letter] = await eventually(async () => {
        const { items } = answered(200, await operator.get('/v1/admin/ingestion-dlq')).body
        return items.length > 0 && (items as Array<{ id: string }>)
      })
      return async () => {
        const token = operator.headers['authorization']!.slice('Bearer '.length)
        await stage.follow('ingestion.md#dead-letters', { hook_id: letter!.id, operator_token: token })
        const { items } = answered(200, await operator.get('/v1/admin/ingestion-dlq')).body
        for (const { id } of items as Array<{ id: string }>)
          await operator.post(`/v1/admin/ingestion-dlq/${id}/end`, { reason: 'rehearsed' })
      }
    },
  },
]
