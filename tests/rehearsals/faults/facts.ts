import { eventually } from '@svc/testing'
import { answered, orderBody } from '../../journeys/merchant.ts'
import type { Fault } from '../fault.ts'
import type { Stage } from '../stage.ts'
import { leaveOpen } from './processes.ts'

const PATIENCE = { timeoutMs: 120_000 }
/** Of a body, in characters that do not compress. */
const LARGE = 100_000

const place = async (stage: Stage, more: Record<string, unknown> = {}) => {
  const { test } = await stage.merchant()
  const order = answered(201, await test.post('/v1/orders', orderBody({}, more))).body.order
  const act = (action: string) => test.post('/v1/test/simulator/rider-action', { order_id: order.id, action })
  return { id: order.id as string, act }
}

/** The first row of what a service will have. */
const awaited = async <Row extends object>(stage: Stage, service: string, text: string, id: string): Promise<Row> =>
  eventually(async () => (await stage.sql<Row>(service, text, [id]))[0] ?? false, PATIENCE)

export const FACTS: readonly Fault[] = [
  {
    name: 'topic-too-small',
    what: 'Kafka is told to take no fact of order above 20 kB, and an order with a large body is placed and accepted',
    watched: [
      { alert: 'FactsRefused', section: 'parked-facts.md#parked-at-the-relay' },
      { alert: 'FactsHeldBack', section: 'parked-facts.md#held-back' },
    ],
    async cause(stage) {
      await stage.shell(
        'kafka-configs.sh --bootstrap-server $KAFKA_BROKERS --alter --entity-type topics --entity-name ${TOPIC_PREFIX}svc.order.v1 --add-config max.message.bytes=20000',
        'order',
      )
      const raw_payload = { basket: Array.from({ length: LARGE / 36 }, () => crypto.randomUUID()) }
      const { id, act } = await place(stage, { raw_payload })
      const refused = `SELECT event_id FROM outbox WHERE aggregate_id = $1 AND parked_at IS NOT NULL`
      const { event_id } = await awaited<{ event_id: string }>(stage, 'order', refused, id)
      answered(200, await act('accept'))
      return async () => {
        await stage.follow('parked-facts.md#held-back', { aggregate_id: id })
        await stage.follow('parked-facts.md#parked-at-the-relay', { event_id })
      }
    },
  },
  {
    name: 'defect',
    what: 'webhook cannot store a fact of one order, as after a release with a defect, until the defect is mended',
    watched: [{ alert: 'FactsParked', section: 'parked-facts.md#what-to-do' }],
    async cause(stage) {
      const { id, act } = await place(stage)
      const version = 'SELECT last_version FROM order_stream WHERE order_id = $1'
      const { last_version } = await awaited<{ last_version: number }>(stage, 'webhook', version, id)
      const refuses = `CHECK (order_id <> '${id}' OR last_version <= ${last_version}) NOT VALID`
      await stage.sql('webhook', `ALTER TABLE order_stream ADD CONSTRAINT defect ${refuses}`)
      answered(200, await act('accept'))
      const parked = `SELECT event_id FROM parked WHERE aggregate_id = $1 AND error IS NOT NULL`
      const { event_id } = await awaited<{ event_id: string }>(stage, 'webhook', parked, id)
      return async () => {
        await stage.sql('webhook', 'ALTER TABLE order_stream DROP CONSTRAINT defect')
        await stage.follow('parked-facts.md#what-to-do', { service: 'webhook', event_id })
      }
    },
  },
  {
    name: 'consumer-held',
    what: 'a session that somebody left open holds a table of webhook, while order publishes its facts again and again',
    watched: [{ alert: 'ConsumerLag', section: 'kafka-down.md#the-lag-grows-though-kafka-is-up' }],
    async cause(stage) {
      const { test } = await stage.merchant()
      for (let turn = 0; turn < 200; turn++) answered(201, await test.post('/v1/orders', orderBody()))
      const pid = await leaveOpen(stage, 'webhook', 'LOCK TABLE order_stream IN ACCESS EXCLUSIVE MODE')
      const again = 'UPDATE outbox SET published_at = NULL WHERE parked_at IS NULL AND published_at IS NOT NULL'
      const end = stage.repeat(1_500, () => stage.sql('order', again))
      return async () => {
        end()
        await stage.follow('kafka-down.md#the-lag-grows-though-kafka-is-up', { service: 'webhook' })
        await stage.follow('processes.md#poolexhausted', { service: 'webhook', pid })
      }
    },
  },
]
