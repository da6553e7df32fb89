import { expect, test } from '@jest/globals'
import { instant, orNull } from '@svc/public-bodies'
import * as z from 'zod'
import { publicBody } from './public-body.ts'
import { publicly, reply, route } from './route.ts'

const secrets = route({
  method: 'GET',
  path: '/v1/secrets',
  operationId: 'getSecret',
  tag: 'System',
  summary: 'Read a secret',
  auth: publicly(),
  replies: { 200: z.object({ secret: z.string(), previous: orNull(z.string()), made_at: instant }) },
  errors: [],
  handle: async () => reply(200, { secret: 's', made_at: 'now' }),
})

test('a body is what its route declares: nothing else, and null for what is promised and absent', () => {
  expect(publicBody(secrets, 200, { secret: 's', made_at: 'now', internal: 1 })).toEqual({
    secret: 's',
    previous: null,
    made_at: 'now',
  })
})

test('what cannot be sent is told by operation and field, and no value gets into the log', () => {
  const wrong = { secret: ['svc_live_secret'], made_at: undefined }
  expect(() => publicBody(secrets, 200, wrong)).toThrow(
    /^getSecret .*: secret \(invalid_type\), made_at \(invalid_type\)$/,
  )
  expect(() => publicBody(secrets, 201, {})).toThrow('getSecret answered 201, which it does not declare')
})
