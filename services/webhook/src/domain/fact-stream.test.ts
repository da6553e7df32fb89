import { describe, expect, test } from '@jest/globals'
import fc from 'fast-check'
import { advanceStream, type StreamPosition } from './fact-stream.ts'

const start: StreamPosition = { lastVersion: 0, lastSequence: 0 }
const history = (length: number) =>
  Array.from({ length }, (_, index) => ({ aggregateVersion: index + 1, type: index % 3 === 2 ? 'internal' : 'event' }))
const isEvent = (type: string) => type === 'event'

describe('the stream of one aggregate', () => {
  test('facts delivered in any order, in any batches, with repetitions, are released once and in order', () => {
    const delivery = fc.integer({ min: 1, max: 30 }).chain((length) =>
      fc.record({
        facts: fc.constant(history(length)),
        arrivals: fc
          .shuffledSubarray(history(length), { minLength: length })
          .chain((all) => fc.array(fc.constantFrom(...all)).map((again) => [...all, ...again])),
        batchSize: fc.integer({ min: 1, max: 7 }),
      }),
    )
    fc.assert(
      fc.property(delivery, ({ facts, arrivals, batchSize }) => {
        let position = start
        let held: typeof facts = []
        const released: Array<{ version: number; sequence: number | null }> = []
        for (let at = 0; at < arrivals.length; at += batchSize) {
          const advanced = advanceStream(position, [...held, ...arrivals.slice(at, at + batchSize)], isEvent)
          released.push(
            ...advanced.released.map(({ fact, sequence }) => ({ version: fact.aggregateVersion, sequence })),
          )
          position = advanced.position
          held = advanced.held
        }
        expect(released.map(({ version }) => version)).toEqual(facts.map(({ aggregateVersion }) => aggregateVersion))
        const sequences = released.flatMap(({ sequence }) => (sequence === null ? [] : [sequence]))
        expect(sequences).toEqual(sequences.map((_, index) => index + 1))
        expect(held).toEqual([])
      }),
    )
  })

  test('a fact behind a gap waits and is not lost', () => {
    const [first, third] = [
      { aggregateVersion: 1, type: 'event' },
      { aggregateVersion: 3, type: 'event' },
    ]
    const advanced = advanceStream(start, [third, first], isEvent)
    expect(advanced.released).toEqual([{ fact: first, sequence: 1 }])
    expect(advanced.held).toEqual([third])
  })

  test('an internal fact advances the version and takes no sequence number', () => {
    const facts = [
      { aggregateVersion: 1, type: 'internal' },
      { aggregateVersion: 2, type: 'event' },
    ]
    const advanced = advanceStream(start, facts, isEvent)
    expect(advanced.released.map(({ sequence }) => sequence)).toEqual([null, 1])
    expect(advanced.position).toEqual({ lastVersion: 2, lastSequence: 1 })
  })

  test('goes on after a restore, in which versions jump, with what waited before it, and its sequence has no gap', () => {
    const event = (aggregateVersion: number) => ({ aggregateVersion, type: 'event' })
    const position = { lastVersion: 5, lastSequence: 4 }
    const advanced = advanceStream(position, [event(4_202), event(7), event(4_201), event(3)], isEvent)
    expect(advanced.released.map(({ fact, sequence }) => [fact.aggregateVersion, sequence])).toEqual([
      [7, 5],
      [4_201, 6],
      [4_202, 7],
    ])
    expect(advanced).toMatchObject({ position: { lastVersion: 4_202, lastSequence: 7 }, held: [] })
    expect(advanceStream(advanced.position, [event(4_204)], isEvent).held).toEqual([event(4_204)])
  })
})
