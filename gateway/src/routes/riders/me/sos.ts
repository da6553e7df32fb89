import { text, timestamp, uuid } from '@svc/inputs'
import * as z from 'zod'
import { reply, rider, viewedRoute } from '../../../http/route.ts'
import { latitude, longitude, pointIn, wholePoints } from '../../../schemas/point.ts'
import { present } from '../../../views/or-null.ts'

export const riderSos = [
  viewedRoute({
    method: 'POST',
    path: '/v1/riders/me/sos',
    operationId: 'raiseSos',
    tag: 'Riders: work',
    summary: 'Call for help',
    auth: rider(),
    body: z
      .object({ lat: latitude.nullish(), lng: longitude.nullish(), note: text(500, 0).nullish() })
      .superRefine(wholePoints(['lat', 'lng'])),
    replies: { 201: z.strictObject({ alert: z.strictObject({ id: uuid, created_at: timestamp }) }) },
    errors: ['sos_cooldown'],
    async handle({ body }, services) {
      const raised = await services.rider.raiseSos({ point: pointIn(body), note: body.note ?? undefined })
      const { id, created_at } = present(raised.alert)
      return reply(201, { alert: { id, created_at } })
    },
  }),
]
