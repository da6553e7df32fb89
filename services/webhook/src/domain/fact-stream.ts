/** What is known of one aggregate's facts: the last version seen without a gap, and how many of them were events. */
export interface StreamPosition {
  lastVersion: number
  lastSequence: number
}

export interface StreamFact {
  version: number
  type: string
}

export interface Advanced<F> {
  position: StreamPosition
  /** In order of version; events carry their sequence, others null. */
  released: Array<{ fact: F; sequence: number | null }>
  /** Facts behind a gap, to be kept until it closes. */
  held: F[]
}

/**
 * Takes facts that arrived in any order, with repetitions, and releases those that follow without a gap. Sequence counts
 * what is an event when it is released, from 1 without gaps; versions already passed are dropped.
 */
export function advanceStream<F extends StreamFact>(
  position: StreamPosition,
  facts: readonly F[],
  isEvent: (type: string) => boolean,
): Advanced<F> {
  let { lastVersion, lastSequence } = position
  const released: Advanced<F>['released'] = []
  const held: F[] = []
  for (const fact of facts.toSorted((a, b) => a.version - b.version)) {
    if (fact.version <= lastVersion) continue
    if (fact.version > lastVersion + 1) {
      if (held.at(-1)?.version !== fact.version) held.push(fact)
      continue
    }
    lastVersion = fact.version
    released.push({ fact, sequence: isEvent(fact.type) ? ++lastSequence : null })
  }
  return { position: { lastVersion, lastSequence }, released, held }
}
