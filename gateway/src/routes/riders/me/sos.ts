import { maybe, text } from '@svc/inputs'
import { id, instant, required } from '@svc/public-bodies'
import * as z from 'zod'
import { latitude, longitude, pointIn, wholePoints } from '../../../bodies/point.ts'
import { reply, rider, route } from '../../../http/route.ts'

export const routes = [
  route({
    method: 'POST',
    path: '/v1/riders/me/sos',
    operationId: 'raiseSos',
    tag: 'Riders: work',
    summary: 'Call for help',
    description:
      'Tells those whom the operator has named, by text message, where the rider is. 429 `sos_cooldown` a moment after the last one.',
    auth: rider(),
    body: z
      .object({ lat: maybe(latitude), lng: maybe(longitude), note: maybe(text(500, 0)) })
      .superRefine(wholePoints(['lat', 'lng'])),
    replies: { 201: z.object({ alert: z.object({ id, created_at: instant }) }) },
    errors: ['sos_cooldown'],
    async handle({ body }, services) {
      const raised = await services.rider.raiseSos({ point: pointIn(body), note: body.note })
      return reply(201, { alert: required(raised.alert) })
    },
  }),
]
