import { randomInt } from 'node:crypto'
import { runShipmentChaos } from './shipment-scenario.ts'

/**
 * A submit of 5,000 orders while the order service is killed with SIGKILL at ten rows that a seed chooses, which is printed.
 *
 *   node --conditions=source tests/chaos/run-shipments.ts [seed] [rows] [kills]
 */
const [seed = randomInt(2 ** 31), rows = 5_000, kills = 10] = process.argv.slice(2).map(Number)
console.log(`seed ${seed}`)
const figures = await runShipmentChaos({ seed, rows, kills }, (line) => console.log(line))
console.log(figures)
const { orders, wrongOrders, wrongEvents, heldTooMuchMinor, killedAt } = figures
const isRight =
  orders === rows &&
  wrongOrders.length + wrongEvents.length === 0 &&
  heldTooMuchMinor === 0 &&
  killedAt.length === kills
process.exitCode = isRight ? 0 : 1
