import { text } from 'node:stream/consumers'
import { seedDemo, seedInput } from '../use-cases/seed/seed-demo.ts'
import { withContext } from './with-context.ts'

/** Makes the demonstration's merchant, keys and operators from JSON on standard input. A second run changes nothing. */
if (process.env.NODE_ENV === 'production') throw new Error('demonstration data has no place in production')
const input = seedInput.parse(JSON.parse(await text(process.stdin)))
await withContext((ctx) => seedDemo(ctx, input))
