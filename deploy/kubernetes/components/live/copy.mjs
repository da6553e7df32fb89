// Copies what the image holds to where a container may change it, and gives each of our packages a path that is known
// beforehand: libs/<name>. pnpm's own names what it was resolved with.
import { cpSync, globSync, mkdirSync, symlinkSync } from 'node:fs'
import { basename, join } from 'node:path'

const [from, to] = process.argv.slice(2)
cpSync(from, to, { recursive: true, verbatimSymlinks: true })
mkdirSync(join(to, 'libs'))
for (const path of globSync('node_modules/.pnpm/@svc+*/node_modules/@svc/*/dist', { cwd: to })) {
  const folder = join(path, '..')
  if (path.includes(`/@svc+${basename(folder)}@`)) symlinkSync(join('..', folder), join(to, 'libs', basename(folder)))
}
