import { describe, expect, test } from '@jest/globals'
import { ServiceError } from '@svc/errors'
import { NO_NETWORKS } from '@svc/inputs'
import {
  blankEndpoints,
  type Endpoint,
  type EndpointPatch,
  type Endpoints,
  ownSandbox,
  patchEndpoints,
  patchSandbox,
  rotateSecret,
  targetOf,
  workingEndpoint,
} from './endpoint.ts'

const now = new Date('2026-11-21T10:00:00Z')
const options = { allowLocal: false, refused: NO_NETWORKS, generateSecret: () => 'generated-secret-value', now }
const url = 'https://example.com/hook'
const testUrl = 'https://test.example.com/'
const none = blankEndpoints('m')
const blank = none.live
const enabled: Endpoint = { ...blank, url, enabled: true, secret: 'a secret of the merchant' }
const live: Endpoints = { ...none, live: enabled }

function patch(before: Endpoint, change: Partial<EndpointPatch>) {
  const { endpoints, generatedSecret } = beside({ ...none, live: before }, change)
  return { endpoint: endpoints.live, generatedSecret }
}
const beside = (before: Endpoints, change: Partial<EndpointPatch>) =>
  patchEndpoints(before, { clearFields: [], ...change }, options)
const sandboxed = (before: Endpoints, change: Partial<EndpointPatch>) =>
  patchSandbox(before, { clearFields: [], ...change }, options)

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
    expect(targetOf(rotated, new Date(end.getTime() - 1))?.secrets).toEqual(['the new secret value', enabled.secret])
    expect(targetOf(rotated, end)?.secrets).toEqual(['the new secret value'])
  })

  test('a v1 rotation switches at once', () => {
    const rotated = rotateSecret(enabled, 'v1', 'the new secret value', now)
    expect(rotated.previousSecretExpiresAt).toBeNull()
    expect(targetOf(rotated, now)?.secrets).toEqual(['the new secret value'])
  })

  test('a secret set by hand during a rotation ends the overlap', () => {
    const rotated = rotateSecret(enabled, 'v2', 'the new secret value', now)
    const { endpoint } = patch(rotated, { secret: 'set by hand afterwards' })
    expect(targetOf(endpoint, now)?.secrets).toEqual(['set by hand afterwards'])
  })
})

describe('the sandbox endpoint', () => {
  const to = (endpoints: Endpoints) => targetOf(workingEndpoint(endpoints, true), now)

  test('without a URL leaves sandbox events to the live endpoint, and shows nothing of that', () => {
    expect(workingEndpoint(live, true)).toMatchObject({ enabled: true, events: enabled.events })
    expect(to(live)).toMatchObject({ url, secrets: [enabled.secret] })
    expect(ownSandbox(live)).toEqual({ ...blank })
  })

  test('set beside a live one follows it in all that is not set', () => {
    const { endpoints } = beside(live, { testUrl })
    expect(to(endpoints)).toMatchObject({ url: testUrl, secrets: [enabled.secret] })
    expect(workingEndpoint(endpoints, true).enabled).toBe(true)
    const { endpoints: off } = beside(endpoints, { enabled: false, testSecret: 'the secret for tests' })
    expect(workingEndpoint(off, true).enabled).toBe(false)
    expect(to(off)?.secrets).toEqual(['the secret for tests'])
    expect(targetOf(workingEndpoint(off, false), now)).toMatchObject({ url, secrets: [enabled.secret] })
  })

  test('that a test credential sets stands by itself, with a secret of its own', () => {
    const { endpoints, generatedSecret } = sandboxed(live, { url: testUrl, enabled: true })
    expect(endpoints.live).toBe(enabled)
    expect(to(endpoints)).toMatchObject({ url: testUrl, secrets: [generatedSecret] })
    const { endpoints: liveOff } = beside(endpoints, { enabled: false, events: ['dispatch.delayed'] })
    expect(workingEndpoint(liveOff, true)).toMatchObject({ enabled: true, events: blank.events })
  })

  test('never signs with the live secret what a test credential sends elsewhere', () => {
    const followed = beside(live, { testUrl }).endpoints
    const { endpoints, generatedSecret } = sandboxed(followed, { url: 'https://elsewhere.example.com/' })
    expect(generatedSecret).toBe('generated-secret-value')
    expect(to(endpoints)?.secrets).toEqual([generatedSecret])
    const { endpoints: off } = sandboxed(live, { url: 'https://elsewhere.example.com/' })
    expect([workingEndpoint(off, true).enabled, to(off)]).toEqual([false, null])
  })

  test('without a URL leaves what the live URL gets as it is, whatever a test credential sets', () => {
    const { updatedAt: _, ...before } = workingEndpoint(live, true)
    const change = { secret: 'a secret of a tester', events: ['dispatch.delayed'], signatureVersion: 'v2' } as const
    const { endpoints } = sandboxed(live, change)
    const rotated = { ...endpoints, sandbox: rotateSecret(ownSandbox(endpoints), 'v2', 'a rotated secret', now) }
    for (const set of [endpoints, rotated, beside(endpoints, { testSecret: 'beside the live one' }).endpoints]) {
      for (const isTest of [true, false]) expect(workingEndpoint(set, isTest)).toMatchObject(before)
    }
  })

  test('that was disabled for its silence is enabled with the live one, as it was', () => {
    const silent = (endpoints: Endpoints): Endpoints => ({
      ...endpoints,
      sandbox: { ...endpoints.sandbox, enabled: false, disabledReason: 'no_success_for_14_days' },
    })
    const own = sandboxed(live, { url: testUrl, enabled: true, signatureVersion: 'v2' }).endpoints
    const following = beside(live, { testUrl }).endpoints
    for (const endpoints of [own, following]) {
      expect(workingEndpoint(beside(silent(endpoints), { events: ['order.created'] }).endpoints, true).enabled).toBe(
        false,
      )
      expect(beside(silent(endpoints), { enabled: true }).endpoints.sandbox).toEqual(endpoints.sandbox)
    }
    // What a test credential has disabled itself stays so.
    const off = sandboxed(own, { enabled: false }).endpoints
    expect(beside(off, { enabled: true }).endpoints.sandbox.enabled).toBe(false)
  })

  test('is cleared by its own names and by those beside the live one, and follows the live one again', () => {
    const { endpoints } = sandboxed(live, { testUrl, enabled: true })
    expect(to(beside(endpoints, { clearFields: ['test_url', 'test_secret'] }).endpoints)?.url).toBe(url)
    const { endpoints: cleared } = sandboxed(endpoints, { enabled: false, clearFields: ['url'] })
    expect(to(cleared)?.url).toBe(url)
  })
})
