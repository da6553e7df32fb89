import { expect, test } from '@jest/globals'
import { ServiceError, validationError } from '@svc/errors'
import { respell } from './respell.ts'

const spell = (field: string) => `outbound_webhook_${field}`

test('a refusal names the fields of the request that was refused, not those of the message behind it', async () => {
  const refusal = validationError([
    { field: 'url', rule: 'required', message: 'A URL is required.' },
    { field: 'secret', rule: 'min_length', message: 'Too short.', limit: 16 },
  ])
  await expect(respell(Promise.reject(refusal), spell)).rejects.toMatchObject({
    code: 'validation_error',
    message: 'A URL is required.',
    details: {
      field: 'outbound_webhook_url',
      rule: 'required',
      fields: [{ field: 'outbound_webhook_url' }, { field: 'outbound_webhook_secret', limit: 16 }],
    },
  })
})

test('a refusal without fields, and what is no refusal, pass as they are', async () => {
  const busy = new ServiceError('service_unavailable', { retryAfterSeconds: 3 })
  const fault = new Error('a fault of ours')
  await expect(respell(Promise.reject(busy), spell)).rejects.toBe(busy)
  await expect(respell(Promise.reject(fault), spell)).rejects.toBe(fault)
  await expect(respell(Promise.resolve('reply'), spell)).resolves.toBe('reply')
})
