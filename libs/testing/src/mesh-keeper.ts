// Holds a mesh for the files of a suite: starts it with the options of its first argument, prints what a file must know of it
// as one JSON line, and stops it when its standard input closes.
import { once } from 'node:events'
import { type MeshOptions, mesh } from './mesh.ts'

const held = await mesh(JSON.parse(process.argv[2] ?? '{}') as MeshOptions)
// Its functions are no JSON and stay here.
process.stdout.write(`${JSON.stringify(held)}\n`)

await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT'), once(process.stdin.resume(), 'end')])
await held.stop()
process.exit(0)
