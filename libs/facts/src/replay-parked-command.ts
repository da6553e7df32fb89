import { parseArgs } from 'node:util'
import type { Database } from '@svc/database'
import type { Transact } from '@svc/transact'
import type { Consumer } from './consumer.ts'
import { type ParkedFact, parkedFacts, RELAY } from './parked-facts.ts'
import { replayParked } from './replay-parked.ts'

interface CommandOptions<C> {
  database: Database
  transact: Transact
  consumers: ReadonlyArray<Consumer<C>>
  context: C
}

type Outcome = { replayed: number } | { error: string }

/**
 * An operator's command over the parked facts of a service, which may run meanwhile. Without arguments it lists them;
 * with an event id or --all it lets them take effect, each aggregate in its order, and tells what became of each
 * aggregate. Returns the exit code: 1 where facts stay parked, or nothing is parked under the id.
 */
export async function replayParkedCommand<C>(
  options: CommandOptions<C>,
  args: string[] = process.argv.slice(2),
  print: (line: object) => void = printJson,
): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    options: { all: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const [eventId, ...more] = positionals
  if (more.length > 0 || (values.all && eventId !== undefined)) throw new TypeError('one event id, or --all')

  const parked = await parkedFacts(options.database.worker)
  if (eventId === undefined && !values.all) {
    for (const fact of parked) print(fact)
    return 0
  }
  const chosen = eventId === undefined ? parked : parked.filter((fact) => fact.event_id === eventId)
  const outcomes: Outcome[] = []
  for (const fact of firstOfEach(chosen)) {
    const outcome = await replay(options, fact)
    outcomes.push(outcome)
    print({ parked_by: fact.parked_by, aggregate_id: fact.aggregate_id, ...outcome })
  }
  const isDone = outcomes.every((outcome) => 'replayed' in outcome) && (values.all || outcomes.length > 0)
  return isDone ? 0 : 1
}

const printJson = (line: object) => void process.stdout.write(`${JSON.stringify(line)}\n`)

/** A replay takes all facts of its aggregate along. */
function firstOfEach(facts: readonly ParkedFact[]): ParkedFact[] {
  const groups = Map.groupBy(facts, ({ parked_by, aggregate_id }) => `${parked_by} ${aggregate_id}`)
  return [...groups.values()].map(([first]) => first as ParkedFact)
}

async function replay<C>(options: CommandOptions<C>, { parked_by, aggregate_id }: ParkedFact): Promise<Outcome> {
  const { database, transact, consumers, context } = options
  try {
    if (parked_by === RELAY) return { replayed: await unpark(database, aggregate_id) }
    const consumer = consumers.find(({ name }) => name === parked_by)
    if (!consumer) return { error: 'the service has no such consumer' }
    return { replayed: await replayParked({ transact, context, consumer }, aggregate_id) }
  } catch (error) {
    return { error: String(error) }
  }
}

/** The relay of the running service sends them with its next pass, and parks again what Kafka still refuses. */
async function unpark({ worker }: Database, aggregateId: string): Promise<number> {
  const { rowCount } = await worker.query(
    'UPDATE outbox SET parked_at = NULL WHERE aggregate_id = $1 AND parked_at IS NOT NULL',
    [aggregateId],
  )
  return rowCount ?? 0
}
