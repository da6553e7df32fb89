import { execFileSync } from 'node:child_process'
import { describe, expect, test } from '@jest/globals'
import { signatureHeaders } from './signature.ts'

const body = Buffer.from('{"event":"order.created","note":"ünïcode ✓"}')
const eventId = '0b4f7c1e-9f0e-5a43-8a55-1f7b5a2f8d11'
const timestamp = 1_800_000_000
const secret = 'whsec_of_at_least_sixteen'

/** openssl is the second implementation: it knows nothing of ours. */
function opensslHmac(key: string, data: Buffer): Buffer {
  return execFileSync('openssl', ['dgst', '-sha256', '-mac', 'HMAC', '-macopt', `key:${key}`, '-binary'], {
    input: data,
  })
}

describe('webhook signatures', () => {
  test('v1 is the lowercase hex HMAC-SHA256 of the raw body, as openssl computes it', () => {
    const headers = signatureHeaders({ version: 'v1', eventId, body, secrets: [secret], timestamp })
    expect(headers).toEqual({ 'X-Service-Signature': `v1=${opensslHmac(secret, body).toString('hex')}` })
  })

  test('v1 has one value, of the newest secret, even during a rotation', () => {
    const headers = signatureHeaders({ version: 'v1', eventId, body, secrets: [secret, 'an older secret'], timestamp })
    expect(headers['X-Service-Signature']).toBe(`v1=${opensslHmac(secret, body).toString('hex')}`)
  })

  test('v2 signs event id, time and body with every valid secret, newest first, in both notations', () => {
    const older = 'the older secret of the two'
    const headers = signatureHeaders({ version: 'v2', eventId, body, secrets: [secret, older], timestamp })
    const signed = Buffer.concat([Buffer.from(`${eventId}.${timestamp}.`), body])
    const [first, second] = [opensslHmac(secret, signed), opensslHmac(older, signed)]
    expect(headers).toEqual({
      'X-Service-Signature': `t=${timestamp},v2=${first.toString('hex')},v2=${second.toString('hex')}`,
      'X-Service-Event-Id': eventId,
      'X-Service-Timestamp': String(timestamp),
      'webhook-id': eventId,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': `v1,${first.toString('base64')} v1,${second.toString('base64')}`,
    })
  })

  test('the published vector does not change', () => {
    const headers = signatureHeaders({
      version: 'v1',
      eventId,
      body: Buffer.from('{"hello":"world"}'),
      secrets: ['0123456789abcdef'],
      timestamp,
    })
    expect(headers['X-Service-Signature']).toBe('v1=dce585914c5a5fc2c8188486bece3e318dc0b86a2efcb06ca1c29ecc0f61e26b')
  })
})
