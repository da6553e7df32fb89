// Holds a mesh for the files of a suite: starts it with the options of its first argument, prints what a file must know of it
// as one JSON line, and stops it when its standard input closes.
import { once } from 'node:events'
import { type MeshOptions, mesh } from './mesh.ts'

const { kill, stop, logFiles, traceFiles, ...told } = await mesh(JSON.parse(process.argv[2] ?? '{}') as MeshOptions)
process.stdout.write(`${JSON.stringify(told)}\n`)

await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT'), once(process.stdin.resume(), 'end')])
await stop()
process.exit(0)
