import { text } from 'node:stream/consumers'
import { seedDemo, seedInput } from '../use-cases/seed/seed-demo.ts'
import { withContext } from './with-context.ts'

/** Gives the demonstration's merchant money and all payees a bank account, from JSON on standard input. A second run changes nothing. */
if (process.env.NODE_ENV === 'production') throw new Error('demonstration data has no place in production')
const input = seedInput.parse(JSON.parse(await text(process.stdin)))
await withContext((ctx) => seedDemo(ctx, input))
