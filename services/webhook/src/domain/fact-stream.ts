/** What is known of one aggregate's facts: the last version seen without a gap, and how many of them were events. */
export interface StreamPosition {
  lastVersion: number
  lastSequence: number
}

export interface StreamFact {
  aggregateVersion: number
  type: string
}

export interface Advanced<F> {
  position: StreamPosition
  /** In order of version; events carry their sequence, others null. */
  released: Array<{ fact: F; sequence: number | null }>
  /** Facts behind a gap, to be kept until it closes. */
  held: F[]
}

/** By more than so many versions a stream jumps only where the database that announces it was restored. */
const RESTORED_BEYOND = 2_048

/**
 * Takes facts that arrived in any order, with repetitions, and releases those that follow without a gap. Sequence counts
 * what is an event when it is released, from 1 without gaps; versions already passed are dropped. After a restore
 * versions go on far above all that there were: what was held back until then waits for nothing any more.
 */
export function advanceStream<F extends StreamFact>(
  position: StreamPosition,
  facts: readonly F[],
  isEvent: (type: string) => boolean,
): Advanced<F> {
  let { lastVersion, lastSequence } = position
  const released: Advanced<F>['released'] = []
  let held: F[] = []
  function release(fact: F): void {
    lastVersion = fact.aggregateVersion
    released.push({ fact, sequence: isEvent(fact.type) ? ++lastSequence : null })
  }
  for (const fact of facts.toSorted((a, b) => a.aggregateVersion - b.aggregateVersion)) {
    const { aggregateVersion: version } = fact
    const before = held.at(-1)?.aggregateVersion ?? lastVersion
    if (version <= before) continue
    if (version - before > RESTORED_BEYOND) {
      for (const earlier of held) release(earlier)
      held = []
      release(fact)
    } else if (version === lastVersion + 1) release(fact)
    else held.push(fact)
  }
  return { position: { lastVersion, lastSequence }, released, held }
}
