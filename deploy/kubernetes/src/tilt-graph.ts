import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { dirname, join } from 'node:path'

const root = join(import.meta.dirname, '../../..')
const folder = join(root, 'tilt/graph')

/** A call of the Tiltfile to what Tilt offers it. */
export interface TiltCall {
  call: string
  args: unknown[]
  named: {
    new_name?: string
    resource_deps?: string[]
    port_forwards?: string[]
    deps?: string[]
    objects?: string[]
    labels?: string[]
    [name: string]: unknown
  }
  line: number
}

/** What tells the calls of a Tiltfile: tilt/graph, built once for each text of it. undefined where there is no Go, or no network to take its library from. */
export function findGraph(): string | undefined {
  const hash = createHash('sha256')
  for (const file of ['main.go', 'go.sum']) hash.update(readFileSync(join(folder, file)))
  const program = join(root, `.local/tools/tilt-graph-${hash.digest('hex').slice(0, 16)}`)
  if (existsSync(program)) return program
  mkdirSync(dirname(program), { recursive: true })
  const part = `${program}.${process.pid}`
  const env = { ...process.env, CGO_ENABLED: '0' }
  const { status } = spawnSync('go', ['build', '-trimpath', '-o', part, '.'], { cwd: folder, env })
  if (status !== 0) return undefined
  renameSync(part, program)
  return program
}

/** What the Tiltfile asks of Tilt when it is given these flags. */
export function callsOf(program: string, flags: readonly string[] = []): TiltCall[] {
  const text = execFileSync(program, [join(root, 'tilt/Tiltfile'), ...flags], { encoding: 'utf8', stdio: 'pipe' })
  return JSON.parse(text) as TiltCall[]
}
