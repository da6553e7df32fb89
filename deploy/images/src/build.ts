// `npm run build`: compiles every package and puts each process of the mesh, or those that are named, into a folder of
// its own below .local/build, with the Node that runs it beside them. deploy/images/Dockerfile makes images of them.
import { copyFileSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assemble } from './assemble.ts'
import { compile } from './compile.ts'
import { processNames } from './processes.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')
const build = join(root, '.local/build')
const known = processNames(root)
const wanted = process.argv.slice(2)
const unknown = wanted.filter((name) => !known.includes(name))
if (unknown.length > 0) {
  console.error(`there is no ${unknown.join(', ')}: npm run build [-- ${known.join('|')} ...]`)
  process.exit(1)
}

const startedAt = performance.now()
const seconds = () => ((performance.now() - startedAt) / 1000).toFixed(1)
console.log(`compiled ${await compile(root)} files (${seconds()} s)`)
mkdirSync(join(build, 'bin'), { recursive: true })
copyFileSync(process.execPath, join(build, 'bin/node'))
for (const name of wanted.length > 0 ? wanted : known) {
  await assemble(root, name, join(build, name))
  console.log(`${join('.local/build', name)} (${seconds()} s)`)
}
