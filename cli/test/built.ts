import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from '@jest/globals'

export interface Ended {
  exit: number | null
  stdout: string
  stderr: string
}

interface Given {
  input?: string
  env?: Record<string, string>
}

/** The program as it is shipped, in a home of its own. */
export function builtCli() {
  const folder = mkdtempSync(join(tmpdir(), 'cli-'))
  const program = join(folder, 'dispatch.mjs')
  beforeAll(() => {
    execFileSync('node', [join(import.meta.dirname, '../build.mjs'), program], {
      env: { ...process.env, NODE_OPTIONS: '' },
    })
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const start = (args: string[], env: Record<string, string> = {}) =>
    spawn(process.execPath, [program, ...args], {
      env: { PATH: process.env['PATH'], DISPATCH_CONFIG_DIR: folder, NO_COLOR: '1', DISPATCH_KEYRING: 'off', ...env },
    })
  async function run(args: string[], { input = '', env = {} }: Given = {}): Promise<Ended> {
    const child = start(args, env)
    let stdout = ''
    let stderr = ''
    child.stdout.on('data', (data) => (stdout += data))
    child.stderr.on('data', (data) => (stderr += data))
    child.stdin.end(input)
    const [exit] = (await once(child, 'close')) as [number | null]
    return { exit, stdout, stderr }
  }
  return {
    folder,
    program,
    start,
    run,
    /** The command's answers for programs; throws with what it said where it did not end well. */
    async told(args: string[], given?: Given) {
      const { exit, stdout, stderr } = await run([...args, '--json'], given)
      if (exit !== 0) throw new Error(`dispatch ${args.join(' ')} ended with ${exit}: ${stdout}${stderr}`)
      return stdout
        .trim()
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    },
    /** The key that a profile bears. */
    keyOf: (profile: string): string =>
      JSON.parse(readFileSync(join(folder, `profiles/${profile}.json`), 'utf8')).apiKey,
  }
}
