import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync } from 'node:fs'
import { join } from 'node:path'

interface GoProgram {
  name: string
  /** The folder of go.mod, go.sum and, where the program is ours, main.go. */
  sources: string
  /** The program's package, where it is one of those that go.mod requires. */
  package?: string
  /** Where programs are kept. */
  toolsFolder: string
  /** Values that the linker gives to variables, by the variable. */
  values?: Readonly<Record<string, string>>
  /** Called before a build that takes minutes, whose output is shown then. */
  beforeBuild?: () => void
}

/** A program that Go makes of pinned sources, once for each text of them. undefined where it cannot be made here. */
export function goProgram(options: GoProgram): string | undefined {
  const { name, sources, toolsFolder, values = {}, beforeBuild } = options
  const target = options.package ?? '.'
  const set = Object.entries(values).map(([variable, value]) => `-X ${variable}=${value}`)
  const flags = ['-s', '-w', ...set].join(' ')
  const hash = createHash('sha256').update(flags)
  const texts = target === '.' ? ['main.go', 'go.mod', 'go.sum'] : ['go.mod', 'go.sum']
  for (const file of texts) hash.update(readFileSync(join(sources, file)))
  // In a folder of its own: one that is many programs tells by its name which it is.
  const folder = join(toolsFolder, `${name}-${hash.digest('hex').slice(0, 16)}`)
  const program = join(folder, name)
  if (existsSync(program)) return program
  if (spawnSync('go', ['version']).status !== 0) return undefined
  mkdirSync(folder, { recursive: true })
  const part = `${program}.${process.pid}`
  beforeBuild?.()
  const { status } = spawnSync('go', ['build', '-trimpath', '-ldflags', flags, '-o', part, target], {
    cwd: sources,
    env: { ...process.env, CGO_ENABLED: '0' },
    stdio: beforeBuild ? 'inherit' : 'ignore',
  })
  if (status !== 0) return undefined
  renameSync(part, program)
  return program
}
