import { describe, expect, test } from '@jest/globals'
import { ServiceError } from '@svc/errors'
import { blankEndpoint, type Endpoint, type EndpointPatch, patchEndpoint, rotateSecret, targetOf } from './endpoint.ts'

const options = { allowLocal: false, generateSecret: () => 'generated-secret-value' }
const url = 'https://example.com/hook'
const now = new Date('2026-11-21T10:00:00Z')
const blank = blankEndpoint('m')
const enabled: Endpoint = { ...blank, url, enabled: true, secret: 'a secret of the merchant' }

const patch = (before: Endpoint, change: Partial<EndpointPatch>) =>
  patchEndpoint(before, { clearFields: [], ...change }, options)

function refusal(before: Endpoint, change: Partial<EndpointPatch>) {
  try {
    patch(before, change)
  } catch (error) {
    if (error instanceof ServiceError) return { code: error.code, field: error.details?.field }
  }
  return 'accepted'
}

describe('the endpoint of a merchant', () => {
  test('enabling without a secret makes one, so that no delivery is ever unsigned', () => {
    const { endpoint, generatedSecret } = patch(blank, { url, enabled: true })
    expect(generatedSecret).toBe('generated-secret-value')
    expect(endpoint.secret).toBe(generatedSecret)
  })

  test('a secret of the merchant is kept and never given back', () => {
    expect(patch(blank, { url, enabled: true, secret: 'x'.repeat(16) }).generatedSecret).toBeNull()
    expect(patch(enabled, { events: ['order.created'] }).generatedSecret).toBeNull()
  })

  test.each<[string, Endpoint, Partial<EndpointPatch>, string, string]>([
    ['enabling without a url', blank, { enabled: true }, 'validation_error', 'url'],
    ['clearing the url while enabled', enabled, { clearFields: ['url'] }, 'validation_error', 'url'],
    ['clearing the secret while enabled', enabled, { clearFields: ['secret'] }, 'validation_error', 'secret'],
    ['a private url', blank, { url: 'https://10.0.0.1/' }, 'invalid_webhook_url', 'url'],
    ['a private test url', blank, { testUrl: 'http://example.com/' }, 'invalid_webhook_url', 'test_url'],
  ])('refuses %s and names the field', (_, before, change, code, field) => {
    expect(refusal(before, change)).toEqual({ code, field })
  })

  test('clearing url and secret is allowed together with disabling', () => {
    const { endpoint } = patch(enabled, { enabled: false, clearFields: ['url', 'secret'] })
    expect(endpoint).toMatchObject({ enabled: false, url: null, secret: null })
  })

  test('a v2 rotation keeps the previous secret valid for 24 hours, and not a moment longer', () => {
    const rotated = rotateSecret(enabled, 'v2', 'the new secret value', now)
    const end = new Date('2026-11-22T10:00:00Z')
    expect(rotated.previousSecretExpiresAt).toEqual(end)
    expect(targetOf(rotated, false, new Date(end.getTime() - 1))?.secrets).toEqual([
      'the new secret value',
      enabled.secret,
    ])
    expect(targetOf(rotated, false, end)?.secrets).toEqual(['the new secret value'])
  })

  test('a v1 rotation switches at once', () => {
    const rotated = rotateSecret(enabled, 'v1', 'the new secret value', now)
    expect(rotated.previousSecretExpiresAt).toBeNull()
    expect(targetOf(rotated, false, now)?.secrets).toEqual(['the new secret value'])
  })

  test('a secret set by hand during a rotation ends the overlap', () => {
    const rotated = rotateSecret(enabled, 'v2', 'the new secret value', now)
    const { endpoint } = patch(rotated, { secret: 'set by hand afterwards' })
    expect(targetOf(endpoint, false, now)?.secrets).toEqual(['set by hand afterwards'])
  })

  test('sandbox events go to the test url with the test secret, live events never do', () => {
    const both = { ...enabled, testUrl: 'https://test.example.com/', testSecret: 'the secret for tests' }
    expect(targetOf(both, true, now)).toEqual({ url: 'https://test.example.com/', secrets: ['the secret for tests'] })
    expect(targetOf(both, false, now)).toEqual({ url, secrets: [enabled.secret] })
    expect(targetOf(enabled, true, now)).toEqual({ url, secrets: [enabled.secret] })
  })
})
