import { describe, expect, test } from '@jest/globals'
import { cpuMsOf } from '@svc/testing/cpu-ms-of'
import fc from 'fast-check'
import { timeIn } from './clock-time.ts'
import { type Asked, beginConversation, goOn, QUESTIONS, type Told, type Turn } from './conversation.ts'

const NOW = new Date('2026-01-15T10:00:00Z')
const LAGOS = 'Africa/Lagos'
const heard = (text: string, at = NOW) => ({ text, sender: '+2347069549231', at, timezone: LAGOS })

const COMPLETE: Told = {
  dropoff_address: '14 Adeola Odeku St',
  customer_name: 'Ada',
  customer_phone: '+2348031234567',
  wanted_at: 'soon',
}

describe('a conversation', () => {
  test('asks for what is missing, one thing at a time, and ends with what was confirmed', () => {
    const said: Array<readonly [string, Asked | null]> = [
      ['14 Adeola Odeku St', 'customer_name'],
      ['Ada', 'customer_phone'],
      ['me', 'wanted_at'],
      ['5pm', 'confirmation'],
      ['yes', null],
    ]
    let turn: Turn = beginConversation(heard('2 jollof'))
    expect(turn).toMatchObject({ asked: 'dropoff_address', told: { request: '2 jollof' } })
    for (const [text, next] of said) {
      turn = goOn(turn.told, turn.asked!, heard(text))
      expect([text, turn.asked]).toEqual([text, next])
    }
    expect(turn).toEqual({
      told: {
        request: '2 jollof',
        dropoff_address: '14 Adeola Odeku St',
        customer_name: 'Ada',
        customer_phone: '+2347069549231',
        wanted_at: '2026-01-15T16:00:00.000Z',
      },
      asked: null,
      isRepeated: false,
      end: 'confirmed',
    })
  })

  test.each([
    ['a phone in its words', 'to VI. Call 08031234567', { customer_phone: '+2348031234567' }],
    ['one that is spelt with spaces', 'Call 0803 123 4567', { customer_phone: '+2348031234567' }],
    [
      'labelled lines',
      'Address: 1 Broad St\nName: Bola\nPhone: 08021234567\nTime: now',
      { dropoff_address: '1 Broad St', customer_name: 'Bola', customer_phone: '+2348021234567', wanted_at: 'soon' },
    ],
  ])('takes from its first message %s', (_what, text, told) => {
    expect(beginConversation(heard(text)).told).toMatchObject(told)
  })

  test.each(['2 jollof', '08031234567 or 08021234567', 'Order 4711'])('takes no phone from %s', (text) => {
    expect(beginConversation(heard(text)).told).toEqual({ request: text })
  })

  test.each<[Asked, string]>([
    ['dropoff_address', 'x'],
    ['customer_phone', 'my phone'],
    ['customer_phone', '123'],
    ['wanted_at', 'someday'],
    ['wanted_at', '5'],
    ['wanted_at', '25:00'],
    ['confirmation', 'maybe'],
  ])('asked for %s it asks again after %s', (asked, text) => {
    expect(goOn(COMPLETE, asked, heard(text))).toEqual({ told: COMPLETE, asked, isRepeated: true, end: null })
  })

  test.each<[Asked, string]>([
    ['dropoff_address', 'Cancel'],
    ['confirmation', 'stop'],
    ['confirmation', 'No'],
  ])('asked for %s it ends after %s', (asked, text) => {
    expect(goOn(COMPLETE, asked, heard(text))).toMatchObject({ asked: null, end: 'cancelled' })
  })

  test('takes a correction by its name, and asks for confirmation anew', () => {
    const turn = goOn(COMPLETE, 'confirmation', heard('Address: 2 Broad Street'))
    expect(turn).toMatchObject({ asked: 'confirmation', end: null, told: { dropoff_address: '2 Broad Street' } })
  })

  test('asks for the time again where it has come before the yes', () => {
    const told = { ...COMPLETE, wanted_at: '2026-01-15T09:59:00.000Z' }
    expect(goOn(told, 'confirmation', heard('yes'))).toMatchObject({ asked: 'wanted_at', end: null })
  })

  test('whatever is said: what was confirmed is complete, and it is never both asked and ended', () => {
    const words = fc.oneof(
      fc.string({ maxLength: 40 }),
      fc.constantFrom(
        'yes',
        'no',
        'cancel',
        'me',
        'now',
        '5pm',
        '14:30',
        '08031234567',
        'Address: 1 Broad Street',
        '1 Broad Street',
      ),
    )
    fc.assert(
      fc.property(words, fc.array(words, { maxLength: 12 }), (first, rest) => {
        let turn = beginConversation(heard(first))
        for (const text of rest) {
          if (turn.asked === null) break
          turn = goOn(turn.told, turn.asked, heard(text))
        }
        expect(turn.asked === null).toBe(turn.end !== null)
        if (turn.end === 'confirmed') for (const question of QUESTIONS) expect(turn.told[question]).toBeDefined()
      }),
    )
  })
})

describe('a time', () => {
  test.each<[string, string | null]>([
    ['now', 'soon'],
    ['ASAP please', 'soon'],
    ['in 30 minutes', '2026-01-15T10:30:00.000Z'],
    ['in 2 hours', '2026-01-15T12:00:00.000Z'],
    // Eleven in Lagos now.
    ['14:30', '2026-01-15T13:30:00.000Z'],
    ['5pm', '2026-01-15T16:00:00.000Z'],
    ['by 5 pm', '2026-01-15T16:00:00.000Z'],
    ['12am', '2026-01-15T23:00:00.000Z'],
    ['12pm', '2026-01-15T11:00:00.000Z'],
    ['10:59', '2026-01-16T09:59:00.000Z'],
    ['tomorrow 14:30', '2026-01-16T13:30:00.000Z'],
    ['2026-01-15T18:00:00+01:00', '2026-01-15T17:00:00.000Z'],
    ['2026-01-15T09:00:00Z', null],
    ['2027-01-15T09:00:00Z', null],
    ['13pm', null],
    ['5', null],
    ['', null],
    ['whenever', null],
  ])('%s means %s', (text, meant) => {
    const found = timeIn(text, NOW, LAGOS)
    expect(found instanceof Date ? found.toISOString() : found).toBe(meant)
  })
})

test('empty lines without end are read once', async () => {
  const message = heard(`${'\n'.repeat(60_000)}Name: Ada`)
  expect(beginConversation(message).told.customer_name).toBe('Ada')
  expect(await cpuMsOf(() => beginConversation(message))).toBeLessThan(200)
})
