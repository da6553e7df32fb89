import { text } from 'node:stream/consumers'
import { wallet } from '../service.ts'
import { seedDemo, seedInput } from '../use-cases/seed/seed-demo.ts'

/** Gives the demonstration's merchant money and all payees a bank account, from JSON on standard input. A second run changes nothing. */
if (process.env.NODE_ENV !== 'development') throw new Error('demonstration data needs NODE_ENV=development')
const input = seedInput.parse(JSON.parse(await text(process.stdin)))
await wallet.withContext((ctx) => seedDemo(ctx, input))
