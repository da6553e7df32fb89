import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { goProgram } from '@svc/servers'

const root = join(import.meta.dirname, '../../..')

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

/** What tells the calls of a Tiltfile. undefined where there is no Go, or no network to take its library from. */
export const findGraph = (): string | undefined =>
  goProgram({ name: 'tilt-graph', sources: join(root, 'tilt/graph'), toolsFolder: join(root, '.local/tools') })

/** What the Tiltfile asks of Tilt when it is given these flags. */
export function callsOf(program: string, flags: readonly string[] = []): TiltCall[] {
  const text = execFileSync(program, [join(root, 'tilt/Tiltfile'), ...flags], { encoding: 'utf8', stdio: 'pipe' })
  return JSON.parse(text) as TiltCall[]
}
