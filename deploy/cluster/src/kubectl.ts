import { execFile, execFileSync } from 'node:child_process'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)
const MAX_OUTPUT = 64 * 1024 * 1024

export type Kubectl = ReturnType<typeof kubectlOf>

/** What a program finds kubectl and a cluster of this folder by. */
export const environmentOf = (folder: string) => ({
  KUBECONFIG: join(folder, 'pki/admin.conf'),
  KUBECACHEDIR: join(folder, 'discovery'),
  PATH: `${join(folder, 'bin')}${delimiter}${process.env['PATH']}`,
})

/** kubectl as a command whose words follow, which answers what it prints and rejects with what it says on standard error. */
export function kubectlOf(command: readonly [string, ...string[]]) {
  const [program, ...words] = command
  const ask = async (...more: string[]): Promise<string> =>
    (await run(program, [...words, ...more], { maxBuffer: MAX_OUTPUT })).stdout
  return Object.assign(ask, {
    /** The same with text that it reads from `-f -`. */
    given: (input: string, ...more: string[]): string =>
      execFileSync(program, [...words, ...more], { input, encoding: 'utf8', maxBuffer: MAX_OUTPUT, stdio: 'pipe' }),
  })
}
