import { text } from 'node:stream/consumers'
import { admin } from '../service.ts'
import { seedDemo, seedInput } from '../use-cases/seed/seed-demo.ts'

/** Makes the demonstration's merchant, keys and operators from JSON on standard input. A second run changes nothing. */
if (process.env.NODE_ENV !== 'development') throw new Error('demonstration data needs NODE_ENV=development')
const input = seedInput.parse(JSON.parse(await text(process.stdin)))
await admin.withContext((ctx) => seedDemo(ctx, input))
