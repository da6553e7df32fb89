import * as z from 'zod'
import { eventName } from '../../bodies/delivery.ts'
import { FAULT_KINDS, webhookFaults } from '../../bodies/webhook-fault.ts'
import { merchant, reply, route } from '../../http/route.ts'

const tag = 'Simulator'
const auth = merchant('webhooks:manage')

const fault = z.strictObject({
  kind: z.enum(FAULT_KINDS),
  events: z.array(eventName).max(64).default([]).meta({ description: 'Of these events alone; none: of each' }),
  count: z.int().min(1).max(1_000).default(1).meta({ description: 'Deliveries that meet it' }),
  delay_ms: z
    .int()
    .min(0)
    .max(600_000)
    .default(5_000)
    .meta({ description: 'delay: so much later; reorder: so much later, or once another delivery has overtaken it' }),
})

export const routes = [
  route({
    method: 'PUT',
    path: '/v1/test/webhook-faults',
    operationId: 'putWebhookFaults',
    tag,
    summary: 'Have webhooks of the sandbox go wrong',
    description: 'Replaces all faults; an empty list clears them. Of those that fit a delivery it meets the first.',
    auth,
    testOnly: true,
    body: z.strictObject({ faults: z.array(fault).max(50) }),
    replies: { 200: webhookFaults },
    errors: ['test_mode_required'],
    async handle({ body }, services) {
      const faults = body.faults.map((wanted) => ({ ...wanted, remaining: wanted.count }))
      return reply(200, await services.fault.putWebhookFaults({ faults }))
    },
  }),
  route({
    method: 'GET',
    path: '/v1/test/webhook-faults',
    operationId: 'getWebhookFaults',
    tag,
    summary: 'What is to go wrong with webhooks of the sandbox',
    description: 'In the order in which they are met; those that have none `remaining` are gone.',
    auth,
    testOnly: true,
    replies: { 200: webhookFaults },
    errors: ['test_mode_required'],
    async handle(_input, services) {
      return reply(200, await services.fault.getWebhookFaults({}))
    },
  }),
]
