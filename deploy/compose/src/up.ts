// `npm run compose`: the mesh in containers, in the background: it returns once every process serves. Arguments
// reach `docker compose` in place of `up --build --wait`: npm run compose -- logs -f order
import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { composeSecrets } from './compose-secrets.ts'

const root = join(import.meta.dirname, '../../..')
const file = join(root, '.local/compose.env')

// Once: what is sealed in the volumes opens with these alone.
if (!existsSync(file)) {
  mkdirSync(dirname(file), { recursive: true })
  const lines = Object.entries(composeSecrets(randomBytes(32).toString('hex'))).map(
    ([name, value]) => `${name}='${value}'\n`,
  )
  writeFileSync(file, lines.join(''), { mode: 0o600 })
}
const words = process.argv.slice(2)
const { status, error } = spawnSync(
  'docker',
  [
    'compose',
    '--env-file',
    file,
    '-f',
    join(root, 'deploy/compose/compose.yaml'),
    ...(words.length > 0 ? words : ['up', '--build', '--wait']),
  ],
  { stdio: 'inherit' },
)
if (error) console.error(`docker compose: ${error.message}`)
else if (status === 0 && words.length === 0) console.log('http://localhost:8080 (its reference: /docs)')
process.exitCode = status ?? 1
