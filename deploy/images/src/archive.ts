// Makes the images of the built processes without a Docker engine, as one archive that `docker load` and
// `ctr -n k8s.io images import` take: what the Dockerfile makes, on this machine's own C libraries in place of a base image.
//   node --conditions=source deploy/images/src/archive.ts [order ...]
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeProcessImages } from './process-images.ts'
import { processNames } from './processes.ts'

const root = fileURLToPath(new URL('../../..', import.meta.url)).replace(/\/$/, '')
const build = join(root, '.local/build')
const wanted = process.argv.slice(2)
const names = wanted.length > 0 ? wanted : processNames(root)
for (const name of names)
  if (!existsSync(join(build, name, 'dist/main.js'))) {
    console.error(`${name} is not built: npm run build -- ${name}`)
    process.exit(1)
  }
const archive = join(build, 'images.tar')
const tags = await writeProcessImages(build, names, archive)
console.log(`${archive}: ${tags.join(', ')}`)
