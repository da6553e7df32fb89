import { replayParkedCommand } from '@svc/outbox'
import { consumers } from '../consumers/index.ts'
import { withContext } from './with-context.ts'

/** Lists the parked facts of this service; with an event id or --all replays them. */
process.exitCode = await withContext((context) => {
  const { database, transact } = context
  return replayParkedCommand({ database, transact, consumers, context })
})
