import { createHash } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals'
import { ServiceError } from '@svc/errors'
import { replies } from '../src/samples/replies.ts'
import { type Answer, call } from './call.ts'
import { type Running, startGateway, startUpstream, type Upstream } from './fixture.ts'

import { openTab } from './page-browser.ts'
import { createVault } from './vault.ts'

const LINK = '/v1/tracking/AAAAAAAAAAAAAAAAAAAAAA'
/** As Chromium and Firefox send it. */
const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8'

let upstream: Upstream
let running: Running
beforeAll(async () => {
  upstream = await startUpstream(await createVault())
  running = await startGateway(upstream)
})
afterAll(async () => {
  await running?.gateway.stop()
  await upstream?.stop()
})
afterEach(() => upstream.answers.clear())

const open = (accept: string | undefined, path = LINK): Promise<Answer> =>
  call(running.url, 'GET', path, { headers: accept === undefined ? {} : { accept } })
const page = async (tracked: object = {}) => {
  upstream.answers.set('trackOrder', { ...replies.trackOrder, ...tracked })
  return (await open(BROWSER)).text
}
const typeOf = ({ headers }: Answer) => headers.get('content-type')

describe('a tracking link answers with JSON', () => {
  test.each([
    undefined,
    '*/*',
    'application/json',
    'application/json, text/plain, */*',
    'application/json, text/html;q=0.9',
    'text/html;q=0, */*',
    'image/png',
    ';;;,,',
  ])('to who sends Accept: %s', async (accept) => {
    const answer = await open(accept)
    expect([answer.status, typeOf(answer)]).toEqual([200, 'application/json'])
    expect(answer.headers.get('vary')).toBe('Accept')
    expect(answer.headers.get('content-security-policy')).toBe("default-src 'none'; frame-ancestors 'none'")
  })
})

describe('a tracking link is a page', () => {
  test.each([
    ['/v1/tracking/', BROWSER],
    ['/v1/public/tracking/', BROWSER],
    ['/v1/tracking/', 'text/html'],
    ['/v1/tracking/', 'application/json;q=0.1, text/html;q=0.2'],
  ])('at %s to who sends Accept: %s, not kept and not indexed', async (path, accept) => {
    const answer = await open(accept, `${path}AAAAAAAAAAAAAAAAAAAAAA`)
    expect([answer.status, typeOf(answer)]).toEqual([200, 'text/html; charset=utf-8'])
    const kept = ['vary', 'cache-control', 'x-robots-tag', 'referrer-policy'].map((name) => answer.headers.get(name))
    expect(kept).toEqual(['Accept', 'no-store', 'noindex', 'no-referrer'])
  })

  test('that runs and shows what its policy names by digest, and asks no other server for anything', async () => {
    const { text, headers } = await open(BROWSER)
    const digests = ['script', 'style'].map((tag) => {
      const [, inline = ''] = new RegExp(`<${tag}>([^]*?)</${tag}>`).exec(text) ?? []
      expect(inline.length).toBeGreaterThan(100)
      return `${tag}-src 'sha256-${createHash('sha256').update(inline).digest('base64')}'`
    })
    expect(headers.get('content-security-policy')?.split('; ')).toEqual([
      "default-src 'none'",
      ...digests,
      "connect-src 'self'",
      'img-src data:',
      "base-uri 'none'",
      "form-action 'none'",
      "frame-ancestors 'none'",
    ])
    expect(text).not.toMatch(/https?:|\/\/[a-z]|\s(on\w+|style|src)=/)
  })

  test('that says how far the delivery is, when it is expected, and who brings it from where', async () => {
    const text = await page({ status: 'picked_up' })
    expect(text).toMatch(/<h1>Picked up<\/h1>/)
    const steps = [...text.matchAll(/<li( [^>]*)?>([^<]*)/g)].map(([, marks, words]) => `${words}${marks ?? ''}`)
    expect(steps).toEqual([
      'Looking for a rider class="done"',
      'A rider is on the way to the pickup class="done"',
      'Picked up class="now" aria-current="step"',
      'On the way to you',
      'Delivered',
    ])
    const rows = Object.fromEntries(
      [...text.matchAll(/<dt>([^<]*)<\/dt><dd>(.*?)<\/dd>/g)].map(([, name, value]) => [
        name,
        value!.replaceAll(/<[^>]+>/g, ''),
      ]),
    )
    expect(rows).toEqual({
      Expected: 'around 21 Nov 2026, 11:52 UTC, most likely by 21 Nov 2026, 12:10 UTC',
      Rider: 'Bola, motorcycle',
      'Last seen': '6.45000, 3.39000, 21 Nov 2026, 10:15 UTC',
      From: '12 Marina Road, Lagos',
      To: '4 Admiralty Way, Lekki',
      'Pickup planned': '21 Nov 2026, 11:15 UTC',
      'Delivery planned': '21 Nov 2026, 11:45 UTC to 21 Nov 2026, 13:15 UTC',
      'Last change': '21 Nov 2026, 10:15 UTC',
    })
    expect(text).toContain('<a href="geo:6.45000,3.39000">')
    expect(text).toContain('A test: nothing is delivered.')
    expect(await page({ is_test: false })).not.toContain('A test')
  })

  test('that holds nothing that the JSON does not', async () => {
    const secret = {
      order_id: '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9aaa',
      rider_id: '0191e4a0-5c1e-4a7e-9f4b-2f6d0f1f9bbb',
    }
    const text = await page(secret)
    for (const hidden of [...Object.values(secret), 'AAAAAAAAAAAAAAAAAAAAAA']) expect(text).not.toContain(hidden)
  })

  test.each(['status', 'pickup_address', 'dropoff_address', 'first_name', 'vehicle_type'])(
    'in which a hostile %s is text',
    async (field) => {
      const hostile = `"><script>alert(1)</script><img src=x onerror='x'>&amp;</title></style>\u2028`
      const isRiders = field === 'first_name' || field === 'vehicle_type'
      const calm = await page(
        isRiders ? { rider: { ...replies.trackOrder.rider, [field]: 'calm' } } : { [field]: 'calm' },
      )
      const text = await page(
        isRiders ? { rider: { ...replies.trackOrder.rider, [field]: hostile } } : { [field]: hostile },
      )
      const tagsOf = (markup: string) =>
        [...markup.replace(/(id="refreshed">.*?datetime=")[^"]*/, '$1').matchAll(/<[^>]*>/g)].map(([tag]) => tag)
      expect(tagsOf(text)).toEqual(tagsOf(calm))
      expect(text.toLowerCase()).toContain('&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;')
      expect(text).toContain('&amp;amp;')
    },
  )

  test('in the words of the merchant where its status is one of its own, without a time line', async () => {
    const text = await page({ status: 'at_the_gate' })
    expect(text).toContain('<h1>At the gate</h1>')
    expect(text).not.toContain('<ol>')
    for (const [status, words] of [
      ['constructor', 'Constructor'],
      ['__proto__', 'Proto'],
      ['_', 'Under way'],
    ]) {
      expect(await page({ status })).toContain(`<h1>${words}</h1>`)
    }
  })

  test.each([
    ['delivered', 'Delivered'],
    ['cancelled', 'Cancelled'],
    ['returned_to_merchant', 'Returned to the sender'],
    ['lost_in_transit', 'Lost on the way'],
  ])('that asks no more once the delivery is %s, and says neither rider nor plan', async (status, words) => {
    const text = await page({ status })
    expect(text).toContain(`<h1>${words}</h1>`)
    expect(text).not.toMatch(/http-equiv|Expected|Rider|planned/)
    expect(text).toContain('<body data-refresh="">')
  })

  test('without what nobody knows', async () => {
    const unknown = ['rider', 'eta', 'rider_id']
    const text = await page({ status: 'pending', ...Object.fromEntries(unknown.map((name) => [name, undefined])) })
    const [, shown = ''] = /<main>([^]*)<\/main>/.exec(text) ?? []
    expect(shown).toContain('4 Admiralty Way, Lekki')
    expect(shown).not.toMatch(/Expected|Rider<|Last seen|undefined|null|Invalid/)
    expect(text).toMatch(/<noscript><meta http-equiv="refresh" content="60"><\/noscript>/)
  })
})

describe('a page that is open', () => {
  const MINUTE = 60

  test('asks once a minute, and pages that were opened together do not ask together', async () => {
    const text = await page({ status: 'in_transit' })
    const tabs = Array.from({ length: 20 }, () => openTab(text, () => ({ text })))
    await Promise.all(tabs.map((tab) => tab.pass(10 * MINUTE)))
    for (const { asked, failures } of tabs) {
      expect(failures).toEqual([])
      expect(asked.length).toBeGreaterThanOrEqual(8)
      const waits = asked.map((at, i) => at - (asked[i - 1] ?? 0))
      expect(Math.min(...waits)).toBeGreaterThanOrEqual(MINUTE)
      expect(Math.max(...waits)).toBeLessThanOrEqual(1.25 * MINUTE)
    }
    expect(new Set(tabs.map(({ asked }) => asked[0])).size).toBeGreaterThan(1)
  })

  test('asks no sooner for being turned to again and again, and at once where it was hidden for longer', async () => {
    const text = await page()
    const tab = openTab(text, () => ({ text }))
    for (let i = 0; i < 50; i++) {
      await tab.turn('hidden')
      await tab.turn('visible')
      await tab.pass(1)
    }
    expect(tab.asked).toEqual([])
    await tab.turn('hidden')
    await tab.pass(10 * MINUTE)
    expect(tab.asked).toEqual([])
    await tab.turn('visible')
    await tab.turn('visible')
    expect(tab.asked).toEqual([50 + 10 * MINUTE])
  })

  test.each([429, 503])('asks after %i no sooner than Retry-After says, and keeps what it shows', async (status) => {
    const text = await page({ status: 'in_transit' })
    const tab = openTab(text, () => ({ status, retryAfter: '300', text: 'no' }))
    await tab.pass(25 * MINUTE)
    const [first = 0, ...later] = tab.asked
    expect(first).toBeLessThanOrEqual(1.25 * MINUTE)
    expect(later.length).toBeGreaterThanOrEqual(3)
    for (const [i, at] of later.entries()) expect(at - tab.asked[i]!).toBeGreaterThanOrEqual(300)
    expect(tab.shows('status')).toContain('On the way to you')
  })

  test.each([
    ['a captive portal', 200, '<!doctype html><title>Log in to the network</title><form></form>'],
    ['a proxy that refuses', 403, '<!doctype html><title>403</title><h1>Forbidden</h1>'],
    ['a page with a status of its own', 200, '<title>Router</title><div id="status">On</div>'],
    ['nothing', 200, ''],
  ])('keeps what it shows, and when that was, through the answer of %s', async (_who, status, foreign) => {
    const text = await page({ status: 'in_transit' })
    const later = await page({ status: 'delivered' })
    let isForeign = true
    const tab = openTab(text, () => (isForeign ? { status, text: foreign } : { text: later }))
    const parts = () => ['status', 'details', 'refreshed'].map((id) => tab.shows(id))
    const before = parts()
    await tab.pass(5 * MINUTE)
    expect(tab.failures).toEqual([])
    expect(parts()).toEqual(before)
    expect(tab.asked.length).toBeGreaterThanOrEqual(4)
    isForeign = false
    await tab.pass(2 * MINUTE)
    expect(tab.shows('status')).toBe('<h1>Delivered</h1>')
  })

  test('says when what it shows was asked for', async () => {
    const since = Date.now()
    const text = await page({ status: 'in_transit' })
    const anHourLater = new Date(since + 3_600_000).toISOString()
    const later = text.replace(/(id="refreshed">.*?datetime=")[^"]*/, `$1${anHourLater}`)
    expect(later).not.toBe(text)
    const tab = openTab(text, () => ({ text: later }))
    const at = () => /^Last refreshed <time datetime="([^"]+)">/.exec(tab.shows('refreshed') ?? '')?.[1] ?? ''
    expect(Date.parse(at())).toBeGreaterThanOrEqual(since)
    expect(Date.parse(at())).toBeLessThanOrEqual(Date.now())
    await tab.pass(2 * MINUTE)
    expect(at()).toBe(anHourLater)
  })

  test('goes on once the network is back', async () => {
    const text = await page({ status: 'in_transit' })
    const after = await page({ status: 'delivered' })
    let isAway = true
    const tab = openTab(text, () => (isAway ? undefined : { text: after }))
    await tab.pass(3 * MINUTE)
    expect([tab.failures, tab.shows('status')]).toEqual([[], '<h1>On the way to you</h1>'])
    isAway = false
    await tab.pass(2 * MINUTE)
    expect(tab.shows('status')).toBe('<h1>Delivered</h1>')
    const { length } = tab.asked
    await tab.pass(10 * MINUTE)
    expect(tab.asked).toHaveLength(length)
  })
})

describe('what a tracking link cannot show is said by a page with the status of the JSON', () => {
  const refused = async (code: 'not_found' | 'tracking_expired' | 'service_unavailable') => {
    upstream.answers.set('trackOrder', new ServiceError(code))
    return open(BROWSER)
  }

  test.each([
    ['not_found', 404, 'There is no such delivery', false],
    ['tracking_expired', 404, 'This link has expired', false],
    ['service_unavailable', 503, 'Not available right now', true],
  ] as const)('%s', async (code, status, title, triesAgain) => {
    const answer = await refused(code)
    expect([answer.status, typeOf(answer), answer.headers.get('vary')]).toEqual([
      status,
      'text/html; charset=utf-8',
      'Accept',
    ])
    expect(answer.text).toContain(`<h1>${title}</h1>`)
    expect(answer.text.includes('http-equiv="refresh"')).toBe(triesAgain)
    expect(answer.headers.get('content-security-policy')).toContain("script-src 'sha256-")
    expect(answer.headers.get('retry-after')).toBe(code === 'service_unavailable' ? '1' : null)
  })

  test('a token that is none, without a word of it', async () => {
    const answer = await open(BROWSER, '/v1/tracking/%3Cscript%3Ealert(1)')
    expect([answer.status, typeOf(answer)]).toEqual([404, 'text/html; charset=utf-8'])
    expect(answer.text).toContain('There is no such delivery')
    expect(answer.text).not.toContain('alert(1)')
  })

  test('too many requests, and when to come back', async () => {
    const few = await startGateway(upstream, { rateTrackingTokenPerMinute: 1 })
    try {
      const ask = () => call(few.url, 'GET', LINK, { headers: { accept: BROWSER } })
      expect((await ask()).status).toBe(200)
      const answer = await ask()
      expect([answer.status, typeOf(answer)]).toEqual([429, 'text/html; charset=utf-8'])
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
      expect(answer.text).toContain('Not available right now')
    } finally {
      await few.gateway.stop()
    }
  })
})
